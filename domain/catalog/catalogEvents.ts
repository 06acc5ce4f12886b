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
  variants: List(Variant, 'Empty: the product itself is the single item, with its own external id as retailer id.'),
});
/** Content of a product as sent by the store, with defaults applied. (Specification 1, 'Product'.) */
export type ProductContent = Stored<typeof ProductContent>;

const ProductChanges = Changes(ProductContent);
/** Changed fields only. null: the field has no value. */
export type ProductChanges = Stored<typeof ProductChanges>;

const externalId = Id();
const retailerIds = List(Id(), 'All items of the product.');

export const catalogEvents = defineEvents({
  CategoriesAdded: event(
    'The store sends categories that it did not have; they stand at the end of the display order.',
    {
      categories: List(Type.Object({ externalId, name: Label(), position: Whole('From 0.') })),
    },
  ),
  CategoriesRenamed: event('The store sends other names of categories.', {
    categories: List(Type.Object({ externalId, name: Label(), before: Label() })),
  }),
  CategoriesReordered: event('The store orders its categories anew.', {
    externalIds: List(Id(), 'All categories of the store, in their new display order.'),
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
    retailerIds: List(Id(), 'All items of the product after the change.'),
    droppedRetailerIds: List(Id(), 'Those that are no longer items of it.'),
    product: Maybe(
      ProductContent,
      'The whole content after the change, when `retailerIds` has new ones: all that is needed to set up their items.',
    ),
  }),
  ProductRemoved: event('The store removes a product.', { externalId, retailerIds }),
});
export type CatalogEvent = EventsOf<typeof catalogEvents>;

const SyncedItem = Shape('SyncedItem', {
  retailerId: Id(),
  productExternalId: Id(),
  revision: Whole(
    "Revision of the catalog's stream at which the product got the content that was pushed: later changes are still owed.",
  ),
});
/** `revision`: revision of the catalog's stream at which the product got the content that was pushed. Later changes are still pending. */
export type SyncedItem = Stored<typeof SyncedItem>;

/** Answers of the catalog provider about items, stream `catalogSync-{workspaceId}`. At most 500 items per event. */
export const catalogSyncEvents = defineEvents({
  CatalogItemsSubmitted: event('The provider accepted items for processing.', {
    handle: Code("The provider's, to ask for the outcome by."),
    catalogId: Maybe(Id()),
    items: List(SyncedItem, 'To show.'),
    removals: List(SyncedItem, 'To take out of the catalog.'),
  }),
  CatalogItemsRefused: event('The push of these items failed.', {
    items: List(Type.Object({ ...SyncedItem.properties, reason: Label('Shown to the store.') })),
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
        reason: Maybe(Label()),
      }),
    ),
  }),
  CatalogItemsRepriced: event(
    'What items cost has changed though their product has not, as a flash sale began or ended: they are owed a push.',
    { items: List(SyncedItem) },
  ),
  CatalogItemsWithdrawn: event('The provider took items out of the channel catalog.', {
    handle: Code(),
    items: List(SyncedItem),
  }),
  CatalogBatchFinished: event('Nothing more is to come under this handle.', { handle: Code() }),
  CatalogStatusChanged: event('The catalog itself can be pushed to, or cannot any more.', {
    status: OneOf('active', 'failed'),
    errorCode: Maybe(Code()),
    errorMessage: Maybe(Label()),
  }),
  CatalogChecksBegun: event(
    "The store has connected a number: from now on the provider's verdicts of all items are read again every day.",
    {},
  ),
});
export type CatalogSyncEvent = EventsOf<typeof catalogSyncEvents>;
