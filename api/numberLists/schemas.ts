import { Closed, DateTime, Int32, Int64, Named, OneOf, Uuid } from '../schemas.js';
import { Type } from '../type.js';

/** (Specification 1, 'Number list'.) */
const Kind = OneOf('uploaded', 'past_orders');
const Name = Type.String({ minLength: 1, maxLength: 80 });
const MinOrders = Type.Optional(
  Int32({
    minimum: 1,
    maximum: 1000,
    description: 'For past_orders, and required there: paid orders that a customer needs.',
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
      Type.Array(Type.String(), { description: 'In E.164, each once; only when one list is read.' }),
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
  }),
);

export const NumberListsBody = Named(
  'NumberListsBody',
  Type.Object({ lists: Type.Array(NumberListBody, { description: 'Ordered by name.' }) }),
);
