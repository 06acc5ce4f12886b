/** Stored for ever: events of a store's catalog, stream `catalog-{workspaceId}`. Add fields as optional, never change a meaning. */
import { OneOf, Type } from '../schema.js';
import {
  Changes,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  List,
  Maybe,
  Shape,
  type Stored,
  Text,
  Time,
  Whole,
} from '../storedEvents.js';

const Availability = OneOf('in_stock', 'out_of_stock');
export type Availability = Stored<typeof Availability>;

const Variant = Shape('Variant', {
  externalId: Text("The retailer id of the variant's item in the channel catalog."),
  size: Maybe(Text()),
  color: Maybe(Text()),
  priceCents: Maybe(Whole()),
  salePriceCents: Maybe(Whole()),
  availability: Maybe(Availability),
  stock: Maybe(Whole()),
});
export type Variant = Stored<typeof Variant>;

const ProductContent = Shape('ProductContent', {
  name: Text(),
  description: Text(),
  imageUrls: List(Text()),
  priceCents: Whole(),
  salePriceCents: Maybe(Whole()),
  saleStartsAt: Maybe(Time()),
  saleEndsAt: Maybe(Time()),
  availability: Availability,
  stock: Maybe(Whole()),
  active: Flag(),
  categoryExternalId: Maybe(Text()),
  variants: List(Variant, 'Empty: the product itself is the single item, with its own external id as retailer id.'),
});
/** What the store says of a product, with defaults applied. (Specification 1, 'Product'.) */
export type ProductContent = Stored<typeof ProductContent>;

const ProductChanges = Changes(ProductContent);
/** Only the fields that changed; null stands for 'has no value'. */
export type ProductChanges = Stored<typeof ProductChanges>;

const externalId = Text();
const retailerIds = List(Text(), 'All items of the product.');

export const catalogEvents = defineEvents({
  CategoriesAdded: event(
    'The store sends categories that it did not have; they stand at the end of the display order.',
    {
      categories: List(Type.Object({ externalId, name: Text(), position: Whole('From 0.') })),
    },
  ),
  CategoriesRenamed: event('The store sends other names of categories.', {
    categories: List(Type.Object({ externalId, name: Text(), before: Text() })),
  }),
  CategoriesReordered: event('The store orders its categories anew.', {
    externalIds: List(Text(), 'All categories of the store, in their new display order.'),
  }),
  ProductAdded: event('The store sends a product that it did not have.', {
    externalId,
    product: ProductContent,
    retailerIds,
  }),
  ProductRevised: event('The store changes a product.', {
    externalId,
    changes: ProductChanges,
    before: ProductChanges,
    retailerIds: List(Text(), 'All items of the product after the change.'),
    droppedRetailerIds: List(Text(), 'Those that are no longer items of it.'),
    product: Maybe(
      ProductContent,
      'The whole content after the change, when `retailerIds` has new ones: all that is needed to set up their items.',
    ),
  }),
  ProductRemoved: event('The store removes a product.', { externalId, retailerIds }),
});
export type CatalogEvent = EventsOf<typeof catalogEvents>;

const SyncedItem = Shape('SyncedItem', {
  retailerId: Text(),
  productExternalId: Text(),
  revision: Whole(
    "Revision of the catalog's stream at which the product got the content that was pushed: later changes are still owed.",
  ),
});
/** `revision`: of the catalog's stream, at which the product got the content that was pushed: later changes are still owed. */
export type SyncedItem = Stored<typeof SyncedItem>;

/** What the catalog provider said of items, stream `catalogSync-{workspaceId}`; up to 500 items an event. */
export const catalogSyncEvents = defineEvents({
  CatalogItemsSubmitted: event('The provider accepted items for processing.', {
    handle: Text("The provider's, to ask for the outcome by."),
    catalogId: Maybe(Text()),
    items: List(SyncedItem, 'To show.'),
    removals: List(SyncedItem, 'To take out of the catalog.'),
  }),
  CatalogItemsRefused: event('The push of these items failed.', {
    items: List(Type.Object({ ...SyncedItem.properties, reason: Text('Shown to the store.') })),
    call: Maybe(
      Type.Literal(true),
      'Not for what they are, but because the provider took nothing of the call; absent in the oldest events.',
    ),
  }),
  CatalogItemsReviewed: event('The provider says how its review of items stands.', {
    items: List(
      Type.Object({
        ...SyncedItem.properties,
        status: OneOf('in_review', 'approved', 'rejected'),
        reason: Maybe(Text()),
      }),
    ),
  }),
  CatalogItemsRepriced: event(
    'What items cost has changed though their product has not, as a flash sale began or ended: they are owed a push.',
    { items: List(SyncedItem) },
  ),
  CatalogItemsWithdrawn: event('The provider took items out of the channel catalog.', {
    handle: Text(),
    items: List(SyncedItem),
  }),
  CatalogBatchFinished: event('Nothing more is to come under this handle.', { handle: Text() }),
  CatalogStatusChanged: event('The catalog itself can be pushed to, or cannot any more.', {
    status: OneOf('active', 'failed'),
    errorCode: Maybe(Text()),
    errorMessage: Maybe(Text()),
  }),
});
export type CatalogSyncEvent = EventsOf<typeof catalogSyncEvents>;
