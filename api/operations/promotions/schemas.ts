import {
  Cents,
  Closed,
  DateTime,
  ExternalId,
  Int32,
  Int64,
  Named,
  OneOf,
  Uuid,
  VisibleName,
} from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

const idsOf = (maxItems: number, description: string) => ({
  type: 'array',
  items: ExternalId,
  maxItems,
  description,
});
const PRODUCTS = idsOf(500, 'Used when scope is products.');
const CATEGORIES = idsOf(100, 'Used when scope is categories.');
const orNull = (schema: object) =>
  Type.Optional(Type.Unsafe<readonly string[] | null>({ ...schema, type: ['array', 'null'] }));

const Name = VisibleName(120);
const Kind = OneOf('flash_sale', 'number_list', 'coupon');
const Scope = OneOf('all', 'products', 'categories');

/** (Specification 1, 'Promotion'.) */
const terms = {
  percentOff: Type.Optional(
    Int32({ minimum: 1, maximum: 100, description: 'Exactly one of percentOff and amountOffCents.' }),
  ),
  amountOffCents: Type.Optional(
    Cents({
      minimum: 1,
      description: 'Per unit for a flash sale, off the products in scope otherwise. Only without percentOff.',
    }),
  ),
  code: Type.Optional(
    Type.String({ maxLength: 32, description: 'Of a coupon alone, in one line; compared without case.' }),
  ),
  numberListId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Required for number_list; only the numbers of this list get it.' }),
  ),
  minSubtotalCents: Type.Optional(Cents({ description: 'Applies only from this cart subtotal.' })),
  maxPerCustomer: Type.Optional(
    Int32({ minimum: 1, description: 'Uses per customer number, for coupon and number_list.' }),
  ),
  maxRedemptions: Type.Optional(
    Int32({ minimum: 1, description: 'Uses across all customers, for coupon and number_list.' }),
  ),
  combinable: Type.Optional(
    Type.Boolean({ description: 'Adds to other combinable promotions; otherwise only the best discount applies.' }),
  ),
  startsAt: Type.Optional(Type.String({ format: 'date-time', description: 'Open from now when absent.' })),
  endsAt: Type.Optional(Type.String({ format: 'date-time', description: 'Open-ended when absent.' })),
};

export const PromotionFields = Named(
  'PromotionFields',
  Closed({
    name: Name,
    kind: Kind,
    scope: Type.Optional(Type.Unsafe<'all' | 'products' | 'categories'>({ ...Scope, default: 'all' })),
    productExternalIds: orNull(PRODUCTS),
    categoryExternalIds: orNull(CATEGORIES),
    ...terms,
    active: Type.Optional(Type.Boolean({ default: true })),
  }),
);

export const PromotionBody = Named(
  'PromotionBody',
  Type.Object({
    id: Uuid,
    name: Name,
    kind: Kind,
    scope: Scope,
    productExternalIds: Type.Unsafe<readonly string[]>(PRODUCTS),
    categoryExternalIds: Type.Unsafe<readonly string[]>(CATEGORIES),
    ...terms,
    active: Type.Boolean(),
    open: Type.Boolean({ description: 'Active and inside its window now.' }),
    redemptions: Int64({ minimum: 0, description: 'Orders that used it.' }),
    createdAt: DateTime,
    updatedAt: DateTime,
  }),
);

export const PromotionsBody = Named(
  'PromotionsBody',
  Type.Object({ promotions: Type.Array(PromotionBody, { description: 'Newest first.' }) }),
);
