/** Stored for ever: events of a store's catalog, stream `catalog-{workspaceId}`. Add fields as optional, never change a meaning. */
import { OneOf, Type } from '../schema.js';
import {
  Changes,
  Code,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  List,
  Maybe,
  Shape,
  type Stored,
  Time,
  Whole,
} from '../storedEvents.js';

const Availability = OneOf('in_stock', 'out_of_stock');
export type Availability = Stored<typeof Availability>;

const Variant = Shape('Variant', {
  externalId: Id("The retailer id of the variant's item in the channel catalog."),
  size: Maybe(Label()),
  color: Maybe(Label()),
  priceCents: Maybe(Whole()),
  salePriceCents: Maybe(Whole()),
  availability: Maybe(Availability),
  stock: Maybe(Whole()),
});
export type Variant = Stored<typeof Variant>;

const ProductContent = Shape('ProductContent', {
  name: Label(),
  description: Label(),
  imageUrls: List(Label()),
  priceCents: Whole(),
  salePriceCents: Maybe(Whole()),
  saleStartsAt: Maybe(Time()),
  saleEndsAt: Maybe(Time()),
  availability: Availability,
  stock: Maybe(Whole()),
  active: Flag(),
  categoryExternalId: Maybe(Id()),
  variants: List(Variant, 'If empty, the product is the only item, with its external id as the retailer id.'),
});
/** Content of a product as sent by the store, with defaults applied. (Specification 1, 'Product'.) */
export type ProductContent = Stored<typeof ProductContent>;

const ProductChanges = Changes(ProductContent);
/** Changed fields only. null: the field has no value. */
export type ProductChanges = Stored<typeof ProductChanges>;

const externalId = Id();
const retailerIds = List(Id(), 'All items of the product.');

export const catalogEvents = defineEvents({
  CategoriesAdded: event('The store adds categories at the end of the display order.', {
    categories: List(Type.Object({ externalId, name: Label(), position: Whole('From 0.') })),
  }),
  CategoriesRenamed: event('The store renames categories.', {
    categories: List(Type.Object({ externalId, name: Label(), before: Label() })),
  }),
  CategoriesReordered: event('The store changes the order of its categories.', {
    externalIds: List(Id(), 'All categories of the store, in their new display order.'),
  }),
  ProductAdded: event('The store creates a product.', {
    externalId,
    product: ProductContent,
    retailerIds,
  }),
  ProductRevised: event('The store changes a product.', {
    externalId,
    changes: ProductChanges,
    before: ProductChanges,
    retailerIds: List(Id(), 'All items of the product after the change.'),
    droppedRetailerIds: List(Id(), 'Former items of the product.'),
    product: Maybe(
      ProductContent,
      'The whole content after the change, if `retailerIds` has new ids. It is needed to create their items.',
    ),
  }),
  ProductRemoved: event('The store removes a product.', { externalId, retailerIds }),
});
export type CatalogEvent = EventsOf<typeof catalogEvents>;

const SyncedItem = Shape('SyncedItem', {
  retailerId: Id(),
  productExternalId: Id(),
  revision: Whole("Revision of the catalog's stream that was pushed. Later changes of the product are still pending."),
});
/** `revision`: revision of the catalog's stream at which the product got the content that was pushed. Later changes are still pending. */
export type SyncedItem = Stored<typeof SyncedItem>;

/** Answers of the catalog provider about items, stream `catalogSync-{workspaceId}`. At most 500 items per event. */
export const catalogSyncEvents = defineEvents({
  CatalogItemsSubmitted: event('The provider accepted items for processing.', {
    handle: Code('Handle of the provider for requesting the outcome.'),
    catalogId: Maybe(Id()),
    items: List(SyncedItem, 'Items to create or update.'),
    removals: List(SyncedItem, 'Items to remove from the catalog.'),
  }),
  CatalogItemsRefused: event('The push of these items failed.', {
    items: List(Type.Object({ ...SyncedItem.properties, reason: Label('Shown to the store.') })),
    call: Maybe(
      Type.Literal(true),
      'True if the provider refused the whole call, not these items. Absent in the oldest events.',
    ),
  }),
  CatalogItemsReviewed: event('The provider reports the review status of items.', {
    items: List(
      Type.Object({
        ...SyncedItem.properties,
        status: OneOf('in_review', 'approved', 'rejected'),
        reason: Maybe(Label()),
      }),
    ),
  }),
  CatalogItemsRepriced: event('The prices of items changed because a flash sale began or ended. They must be pushed.', {
    items: List(SyncedItem),
  }),
  CatalogItemsWithdrawn: event('The provider removed items from the channel catalog.', {
    handle: Code(),
    items: List(SyncedItem),
  }),
  CatalogBatchFinished: event('The push with this handle is complete.', { handle: Code() }),
  CatalogStatusChanged: event('The catalog became available for pushes, or unavailable.', {
    status: OneOf('active', 'failed'),
    errorCode: Maybe(Code()),
    errorMessage: Maybe(Label()),
  }),
  CatalogChecksBegun: event(
    'The store has connected a number. From now on, the review results of all items are read daily.',
    {},
  ),
});
export type CatalogSyncEvent = EventsOf<typeof catalogSyncEvents>;
