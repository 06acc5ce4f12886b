/** Stored for ever: events of a store's catalog, stream `catalog-{workspaceId}`. Add fields as optional, never change a meaning. */
import type { DomainEvent } from '../decider.js';

export type Availability = 'in_stock' | 'out_of_stock';

export interface Variant {
  /** The retailer id of the variant's item in the channel catalog. */
  readonly externalId: string;
  readonly size?: string;
  readonly color?: string;
  readonly priceCents?: number;
  readonly salePriceCents?: number;
  readonly availability?: Availability;
  readonly stock?: number;
}

/** What the store says of a product, with defaults applied. (Specification 1, 'Product'.) */
export interface ProductContent {
  readonly name: string;
  readonly description: string;
  readonly imageUrls: readonly string[];
  readonly priceCents: number;
  readonly salePriceCents?: number;
  readonly saleStartsAt?: string;
  readonly saleEndsAt?: string;
  readonly availability: Availability;
  readonly stock?: number;
  readonly active: boolean;
  readonly categoryExternalId?: string;
  /** Empty: the product itself is the single item, with its own external id as retailer id. */
  readonly variants: readonly Variant[];
}

/** Only the fields that changed; null stands for 'has no value'. */
export type ProductChanges = { readonly [F in keyof ProductContent]?: ProductContent[F] | null };

export type CatalogEvent =
  /** New ones, at the end of the display order; positions count from 0. */
  | DomainEvent<'CategoriesAdded', { categories: readonly { externalId: string; name: string; position: number }[] }>
  | DomainEvent<'CategoriesRenamed', { categories: readonly { externalId: string; name: string; before: string }[] }>
  /** All categories of the store, in their new display order. */
  | DomainEvent<'CategoriesReordered', { externalIds: readonly string[] }>
  | DomainEvent<'ProductAdded', { externalId: string; product: ProductContent; retailerIds: readonly string[] }>
  | DomainEvent<
      'ProductRevised',
      {
        externalId: string;
        changes: ProductChanges;
        before: ProductChanges;
        /** All items of the product after the change, and those that are no longer items of it. */
        retailerIds: readonly string[];
        droppedRetailerIds: readonly string[];
        /** The whole content after the change, when `retailerIds` has new ones: all that is needed to set up their items. */
        product?: ProductContent;
      }
    >
  | DomainEvent<'ProductRemoved', { externalId: string; retailerIds: readonly string[] }>;

/** What the catalog provider said of items, stream `catalogSync-{workspaceId}`; up to 500 items an event. */
export interface SyncedItem {
  readonly retailerId: string;
  readonly productExternalId: string;
  /** Revision of the catalog's stream at which the product got the content that was pushed: later changes are still owed. */
  readonly revision: number;
}
export type CatalogSyncEvent =
  /** Accepted for processing under `handle`: items to show (`items`), items to take out of the catalog (`removals`). */
  | DomainEvent<
      'CatalogItemsSubmitted',
      { handle: string; catalogId?: string; items: readonly SyncedItem[]; removals: readonly SyncedItem[] }
    >
  /**
   * The push of these items failed; `reason` is shown to the store. `call`: not for what they are, but because the provider took
   * nothing of the call; absent in the oldest events.
   */
  | DomainEvent<'CatalogItemsRefused', { items: readonly (SyncedItem & { reason: string })[]; call?: true }>
  | DomainEvent<
      'CatalogItemsReviewed',
      { items: readonly (SyncedItem & { status: 'in_review' | 'approved' | 'rejected'; reason?: string })[] }
    >
  /** What they cost has changed though their product has not, as a flash sale began or ended: they are owed a push. */
  | DomainEvent<'CatalogItemsRepriced', { items: readonly SyncedItem[] }>
  /** Taken out of the channel catalog. */
  | DomainEvent<'CatalogItemsWithdrawn', { handle: string; items: readonly SyncedItem[] }>
  /** Nothing more is to come under this handle. */
  | DomainEvent<'CatalogBatchFinished', { handle: string }>
  | DomainEvent<'CatalogStatusChanged', { status: 'active' | 'failed'; errorCode?: string; errorMessage?: string }>;
