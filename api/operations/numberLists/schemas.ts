import { Closed, DateTime, Int32, Int64, Named, OneOf, Uuid, VisibleName } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** (Specification 1, 'Number list'.) */
const Kind = OneOf('uploaded', 'past_orders');
const Name = VisibleName(80);
const MinOrders = Type.Optional(
  Int32({
    minimum: 1,
    maximum: 1000,
    description: 'Number of paid orders that a customer needs. Required for past_orders.',
  }),
);

export const NumberListFields = Named(
  'NumberListFields',
  Closed({
    name: Name,
    kind: {
      ...Kind,
      description: 'uploaded: the numbers given; past_orders: every customer with minOrders paid orders.',
    },
    minOrders: MinOrders,
    phones: Type.Optional(
      Type.Unsafe<readonly string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        maxItems: 10_000,
        description: 'For uploaded: international numbers with country code. None when absent.',
      }),
    ),
  }),
);

export const NumberListBody = Named(
  'NumberListBody',
  Type.Object({
    id: Uuid,
    name: Name,
    kind: Kind,
    minOrders: MinOrders,
    size: Int32({ minimum: 0, description: 'Numbers in an uploaded list.' }),
    usedBy: Int64({ minimum: 0, description: 'Promotions that use the list.' }),
    phones: Type.Optional(
      Type.Array(Type.String(), { description: 'In E.164, without duplicates. Only when a single list is read.' }),
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
  }),
);

export const NumberListsBody = Named(
  'NumberListsBody',
  Type.Object({ lists: Type.Array(NumberListBody, { description: 'Ordered by name.' }) }),
);
