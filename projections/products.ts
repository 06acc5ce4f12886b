import type {
  Availability,
  CatalogEvent,
  CatalogSyncEvent,
  ProductContent,
  Variant,
} from '../domain/catalog/catalogEvents.js';
import { applyChanges } from '../domain/catalog/compact.js';
import { defined } from '../domain/defined.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';
import { extended } from './extendedBody.js';
import { changedInPlace } from './plainChanges.js';
import { type SyncBody, type SyncOutcome, syncOutcomes, worstSync } from './productSync.js';
import { without } from './withoutMembers.js';

/** (Specification 1, 'Variant view'.) */
export interface VariantViewBody extends Variant {
  readonly sync: SyncBody;
}

/** The API's `ProductBody` without `category`, which is put in when read, for categories are renamed. (Specification 1, 'Product'.) */
export interface ProductBody {
  readonly externalId: string;
  readonly name: string;
  readonly description: string;
  readonly imageUrls: readonly string[];
  readonly priceCents: number;
  readonly salePriceCents?: number;
  readonly saleStartsAt?: string;
  readonly saleEndsAt?: string;
  readonly currency: 'USD';
  readonly availability: Availability;
  readonly stock?: number;
  readonly active: boolean;
  /** Status of the item with the worst one. */
  readonly sync: SyncBody;
  readonly variants: readonly VariantViewBody[];
  readonly updatedAt: string;
}

/** Id of a product's document. */
export const productId = (workspaceId: string, externalId: string): string => `${workspaceId}/${externalId}`;

/** Names are ordered without regard to case and width. (Specification 1, `ProductsBody`: 'ordered by name'.) */
const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();

type ProductView = View<ProductBody>;

/** Returns the content of a stored body. */
function contentIn({ keys, body }: ProductView): ProductContent {
  const category = keys.categoryExternalId;
  return extended(without(body, 'externalId', 'currency', 'sync', 'updatedAt'), {
    ...(typeof category === 'string' && { categoryExternalId: category }),
    variants: body.variants.map((variant) => without(variant, 'sync')),
  });
}

/** Returns the document after a change: every item is queued or out of the catalog, and the times of the last pushes stay. */
function viewOf(
  externalId: string,
  content: ProductContent,
  { streamId, meta, revision, id }: Seen<CatalogEvent>,
  before?: ProductView,
): ProductView {
  const { variants, categoryExternalId, active, availability, stock, ...described } = content;
  const status = active ? 'queued' : 'inactive';
  const syncOf = (retailerId: string): SyncBody => {
    const lastSyncedAt = before && syncIn(before.body, retailerId)?.lastSyncedAt;
    return { status, ...(lastSyncedAt !== undefined && { lastSyncedAt }) };
  };
  const shown = variants.map((variant): VariantViewBody => ({ ...variant, sync: syncOf(variant.externalId) }));
  const sync = shown.length === 0 ? syncOf(externalId) : worstSync(shown.map((variant) => variant.sync));
  return {
    keys: {
      workspaceId: streamId,
      nameKey: nameKey(content.name),
      categoryExternalId: categoryExternalId ?? null,
      syncStatus: sync.status,
      contentRevision: revision,
      syncChangedBy: changedBy(id, sync, before),
    },
    body: extended(
      { externalId, ...described },
      defined({ currency: 'USD' as const, availability, stock, active, sync, variants: shown, updatedAt: meta.at }),
    ),
  };
}

/** Returns what `viewOf` returns for the changed content, without copying it: an active product is queued again. */
function revisedInPlace(
  { keys, body: before }: ProductView,
  body: ProductBody,
  event: Seen<CatalogEvent>,
): ProductView {
  const { lastSyncedAt } = before.sync;
  const status = body.active ? 'queued' : 'inactive';
  const sync: SyncBody = { status, ...(lastSyncedAt !== undefined && { lastSyncedAt }) };
  return {
    keys: {
      workspaceId: event.streamId,
      nameKey: body.name === before.name ? (keys.nameKey ?? null) : nameKey(body.name),
      categoryExternalId: keys.categoryExternalId ?? null,
      syncStatus: status,
      contentRevision: event.revision,
      syncChangedBy: changedBy(event.id, sync, { keys, body: before }),
    },
    body: { ...body, sync, updatedAt: event.meta.at },
  };
}

/** Sync status of one of the product's items. */
export function syncIn(body: ProductBody, retailerId: string): SyncBody | undefined {
  if (body.variants.length === 0) return body.externalId === retailerId ? body.sync : undefined;
  return body.variants.find(({ externalId }) => externalId === retailerId)?.sync;
}

/** Returns the id of the event that last changed a product's sync, other than the time of its push. */
const changedBy = (eventId: string, { status, reason }: SyncBody, before?: ProductView) =>
  before !== undefined && before.body.sync.status === status && before.body.sync.reason === reason
    ? (before.keys.syncChangedBy ?? null)
    : eventId;

const isSame = (sync: SyncBody, after: SyncBody): boolean =>
  sync.status === after.status && sync.lastSyncedAt === after.lastSyncedAt && sync.reason === after.reason;

/** Folds the provider's verdicts. Verdicts on content that has been replaced since are ignored. */
function synced(view: ProductView, outcomes: readonly SyncOutcome[], eventId: string): ProductView {
  if (!view.body.active) return view;
  const current = new Map(
    outcomes.filter(({ revision }) => revision === view.keys.contentRevision).map((one) => [one.retailerId, one]),
  );
  if (current.size === 0) return view;
  const after = (retailerId: string, sync: SyncBody): SyncBody => current.get(retailerId)?.apply(sync) ?? sync;
  const { body } = view;
  const variants = body.variants.map((one) => ({ ...one, sync: after(one.externalId, one.sync) }));
  const sync = variants.length === 0 ? after(body.externalId, body.sync) : worstSync(variants.map((one) => one.sync));
  if (variants.length === 0 && isSame(sync, body.sync)) return view;
  const syncChangedBy = changedBy(eventId, sync, view);
  return { keys: { ...view.keys, syncStatus: sync.status, syncChangedBy }, body: { ...body, sync, variants } };
}

const onSync = {
  ids: (event: Seen<CatalogSyncEvent>) =>
    [...syncOutcomes(event).keys()].map((externalId) => productId(event.streamId, externalId)),
  evolve: (view: ProductView | undefined, event: Seen<CatalogSyncEvent>) =>
    view && synced(view, syncOutcomes(event).get(view.body.externalId) ?? [], event.id),
};

/** One document a product, for lists by store, category and sync status, ordered by name. */
export const products = defineProjection<ProductBody, CatalogEvent | CatalogSyncEvent>({
  name: 'products',
  version: 2,
  partitionedBy: 'store',
  perStream: true,
  categories: ['catalog', 'catalogSync'],
  keys: {
    workspaceId: 'text',
    nameKey: 'text',
    categoryExternalId: 'text',
    syncStatus: 'text',
    /** Revision of the catalog's stream at which the product got its present content. */
    contentRevision: 'number',
    /** Id of the event that last changed the sync's status or reason: the one that webhooks deliver. */
    syncChangedBy: 'text',
  },
  indexes: [
    { keys: ['workspaceId', 'nameKey'] },
    { keys: ['workspaceId', 'categoryExternalId', 'nameKey'] },
    { keys: ['workspaceId', 'syncStatus', 'nameKey'] },
    { keys: ['workspaceId', 'categoryExternalId', 'syncStatus', 'nameKey'] },
  ],
  on: {
    ProductAdded: {
      ids: ({ data, streamId }) => [productId(streamId, data.externalId)],
      evolve: (_, event) => viewOf(event.data.externalId, event.data.product, event),
    },
    ProductRevised: {
      ids: ({ data, streamId }) => [productId(streamId, data.externalId)],
      evolve(view, event) {
        if (view === undefined) return undefined;
        const { externalId, changes } = event.data;
        const body = view.body.variants.length === 0 ? changedInPlace(view.body, changes) : undefined;
        if (body !== undefined) return revisedInPlace(view, body, event);
        return viewOf(externalId, applyChanges(contentIn(view), changes), event, view);
      },
    },
    ProductRemoved: {
      ids: ({ data, streamId }) => [productId(streamId, data.externalId)],
      evolve: () => undefined,
    },
    CatalogItemsSubmitted: onSync,
    CatalogItemsRefused: onSync,
    CatalogItemsReviewed: onSync,
  },
});
