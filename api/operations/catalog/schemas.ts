import type { Static, TSchema } from 'typebox';
import type { SyncStatus } from '../../../projections/productSync.js';
import { Cents, Closed, DateTime, ExternalId, Int32, Named, OneOf, VisibleName } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** Returns the schema with null allowed. */
const OrNull = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [(schema as unknown as { type: string }).type, 'null'] });

const CategoryName = VisibleName(120);
const Availability = OneOf('in_stock', 'out_of_stock');
const Stock = Int32({ minimum: 0, description: 'Absent when stock is not counted; 0 shows it out of stock.' });

// Categories. (Specification 1, 'Category'.) -------------------------------------------------------------------------

export const CategoriesInputBody = Named(
  'CategoriesInputBody',
  Closed({
    categories: Type.Array(Named('CategoryInputBody', Closed({ externalId: ExternalId, name: CategoryName })), {
      minItems: 1,
      maxItems: 500,
      description: 'In display order; categories left out keep their names and follow the ones sent.',
    }),
  }),
);

export const CategoriesBody = Named(
  'CategoriesBody',
  Type.Object({
    categories: Type.Array(
      Named(
        'CategoryBody',
        Type.Object({
          externalId: Type.String(),
          name: Type.String(),
          position: Int32({ minimum: 0, description: 'Display order, from 0.' }),
        }),
      ),
    ),
  }),
);

// Products as sent. (Specification 1, 'Product'.) --------------------------------------------------------------------

const VariantBody = Named(
  'VariantBody',
  Closed({
    externalId: ExternalId,
    size: Type.Optional(Type.String({ maxLength: 100 })),
    color: Type.Optional(Type.String({ maxLength: 100 })),
    priceCents: Type.Optional(Cents()),
    salePriceCents: Type.Optional(Cents()),
    availability: Type.Optional(Availability),
    stock: Type.Optional(Stock),
  }),
);

const productFields = {
  name: VisibleName(200),
  description: Type.Optional(Type.String({ maxLength: 5000 })),
  imageUrls: Type.Array(Type.String({ format: 'image-url' }), {
    minItems: 1,
    maxItems: 10,
    description: 'HTTPS URLs on the public internet, each up to 2,048 characters; the first is the main image.',
  }),
  priceCents: Cents(),
  salePriceCents: Type.Optional(Cents({ description: 'Below priceCents; shown while the sale window is open.' })),
  saleStartsAt: Type.Optional(DateTime),
  saleEndsAt: Type.Optional(DateTime),
  currency: Type.Optional(OneOf('USD')),
  availability: Type.Optional(Availability),
  stock: Type.Optional(Stock),
  active: Type.Optional(Type.Boolean()),
  categoryExternalId: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[A-Za-z0-9._:-]*$',
      description: 'A category of the store; none when empty.',
    }),
  ),
  variants: Type.Optional(OrNull(Type.Array(VariantBody, { maxItems: 50 }))),
};

export const ProductFields = Named('ProductFields', Closed(productFields));

export const BatchBody = Named(
  'BatchBody',
  Closed({
    products: Type.Array(Named('ProductUpsertBody', Closed({ externalId: ExternalId, ...productFields })), {
      minItems: 1,
      maxItems: 500,
    }),
  }),
);

export const UpsertResultBody = Named(
  'UpsertResultBody',
  Type.Object({ externalId: Type.String(), result: OneOf('created', 'updated', 'unchanged') }),
);

export const BatchResultBody = Named(
  'BatchResultBody',
  Type.Object({ results: Type.Array(UpsertResultBody, { description: 'In the order of the request.' }) }),
);

// Products as shown. (Specification 1, 'Product response', 'Sync status', 'Catalog'.) --------------------------------

const SYNC_STATUSES = [
  'queued',
  'in_review',
  'approved',
  'rejected',
  'failed',
  'inactive',
] as const satisfies SyncStatus[];
export const SyncStatusFilter = OneOf(...SYNC_STATUSES);

const SyncBody = Named(
  'SyncBody',
  Type.Object({
    status: OneOf(...SYNC_STATUSES),
    lastSyncedAt: Type.Optional(DateTime),
    reason: Type.Optional(Type.String()),
  }),
);

const VariantViewBody = Named(
  'VariantViewBody',
  Type.Object({
    externalId: Type.String({ description: 'The retailer id.' }),
    size: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
    priceCents: Type.Optional(Cents()),
    salePriceCents: Type.Optional(Cents()),
    availability: Type.Optional(Availability),
    stock: Type.Optional(Stock),
    sync: SyncBody,
  }),
);

export const ProductBody = Named(
  'ProductBody',
  Type.Object({
    externalId: Type.String(),
    name: Type.String(),
    description: Type.String(),
    imageUrls: Type.Array(Type.String()),
    priceCents: Cents(),
    salePriceCents: Type.Optional(Cents()),
    saleStartsAt: Type.Optional(DateTime),
    saleEndsAt: Type.Optional(DateTime),
    currency: OneOf('USD'),
    availability: Availability,
    stock: Type.Optional(Stock),
    active: Type.Boolean(),
    category: Type.Optional(Named('CategoryRefBody', Type.Object({ externalId: Type.String(), name: Type.String() }))),
    sync: SyncBody,
    variants: Type.Array(VariantViewBody),
    updatedAt: DateTime,
  }),
);

export const ProductsBody = Named(
  'ProductsBody',
  Type.Object({
    catalog: Named(
      'CatalogBody',
      Type.Object({
        status: OneOf('pending', 'no_number', 'active', 'failed'),
        metaCatalogId: Type.Optional(Type.String()),
        errorCode: Type.Optional(Type.String()),
        errorMessage: Type.Optional(Type.String()),
      }),
    ),
    products: Type.Array(ProductBody, { description: 'Ordered by name.' }),
    next: Type.Optional(Type.String({ description: 'The cursor of the next page; absent on the last.' })),
  }),
);
