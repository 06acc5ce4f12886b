import type {
  Availability,
  CatalogEvent,
  CatalogSyncEvent,
  ProductContent,
  SyncedItem,
  Variant,
} from '../domain/catalog/catalogEvents.js';
import { applyChanges } from '../domain/catalog/compact.js';
import { defineProjection, type Seen, type View } from '../engine/projections/projection.js';
import { extended } from './extendedBody.js';
import { changedInPlace } from './plainChanges.js';
import { without } from './withoutMembers.js';

/** One item of a store's catalog with the product's defaults applied: what is priced, and what is pushed. Money in cents. */
export interface CatalogItemBody {
  readonly retailerId: string;
  readonly productExternalId: string;
  /** Groups a product's variants; absent for a product without variants. */
  readonly groupId?: string;
  readonly name: string;
  readonly description: string;
  readonly imageUrls: readonly string[];
  readonly size?: string;
  readonly color?: string;
  readonly priceCents: number;
  readonly salePriceCents?: number;
  readonly saleStartsAt?: string;
  readonly saleEndsAt?: string;
  /** Availability set by the store. An item with stock 0 is out of stock regardless. */
  readonly availability: Availability;
  readonly stock?: number;
  /** False: not for sale, and not in the channel catalog. */
  readonly active: boolean;
  readonly categoryExternalId?: string;
  /** Set when the store no longer has the item. It stays, inactive, until the channel catalog has deleted it. */
  readonly removed?: true;
  /** Variants only: values of the product that the variant may override, and the variant itself. */
  readonly base?: Overridable;
  readonly own?: Variant;
  /** While its push has failed: why, and whether the provider took nothing of the whole call. */
  readonly failure?: { readonly reason: string; readonly call?: true };
}

type Overridable = Pick<ProductContent, 'priceCents' | 'salePriceCents' | 'availability' | 'stock'>;

/**
 * Pending work of the catalog push for an item. `update`, `delete`: to be sent to the provider. `review`: sent, the provider's verdict
 * is pending. `failed`: refused; retried when the item changes or a number is connected. If the provider refused the whole call, also
 * when it accepts a later one.
 */
export type Pending = 'update' | 'delete' | 'review' | 'failed';

/** Id of an item's document. */
export const itemId = (workspaceId: string, retailerId: string): string => `${workspaceId}/${retailerId}`;

type ItemView = View<CatalogItemBody>;
type Product = Omit<ProductContent, 'variants'>;

const overridable = ({ priceCents, salePriceCents, availability, stock }: Product): Overridable => ({
  priceCents,
  ...(salePriceCents !== undefined && { salePriceCents }),
  availability,
  ...(stock !== undefined && { stock }),
});

function bodyOf(productExternalId: string, content: ProductContent, variant?: Variant): CatalogItemBody {
  const product = without(content, 'variants');
  if (variant === undefined) return { retailerId: productExternalId, productExternalId, ...product };
  return {
    retailerId: variant.externalId,
    productExternalId,
    groupId: productExternalId,
    ...product,
    ...without(variant, 'externalId'),
    base: overridable(product),
    own: variant,
  };
}

/** Fields of an item that its product does not have. */
const OF_ITEM = [
  ...(['retailerId', 'productExternalId', 'groupId', 'size', 'color'] as const),
  ...(['removed', 'base', 'own', 'failure'] as const),
] as const;

/** The product's content as far as an item knows it: of the variants only its own. */
function productIn(body: CatalogItemBody): ProductContent {
  const { base, own } = body;
  const shared = without(body, ...OF_ITEM);
  if (base === undefined) return extended(shared, { variants: [] });
  const fixed = without(shared, 'priceCents', 'salePriceCents', 'availability', 'stock');
  return extended(fixed, { ...base, variants: own === undefined ? [] : [own] });
}

/** `before`: the item's view until now. An item that is out of the catalog already need not be taken out again. */
function viewOf(
  productExternalId: string,
  retailerId: string,
  content: ProductContent,
  event: Seen<CatalogEvent>,
  before: ItemView | undefined,
): ItemView {
  const variant = content.variants.find(({ externalId }) => externalId === retailerId);
  return itemView(event, bodyOf(productExternalId, content, variant), before);
}

function itemView(event: Seen<CatalogEvent>, body: CatalogItemBody, before: ItemView | undefined): ItemView {
  const pending: Pending | null = body.active ? 'update' : pendingOnceOut(before);
  return { keys: { workspaceId: event.streamId, pending, contentRevision: event.revision }, body };
}

/** Returns whether the item is its product's only one and has no fields of its own. */
const isPlain = ({ base, groupId, failure, removed }: CatalogItemBody): boolean =>
  base === undefined && groupId === undefined && failure === undefined && removed === undefined;

function pendingOnceOut(before: ItemView | undefined): 'delete' | null {
  if (before === undefined) return null;
  return before.body.active || before.keys.pending === 'delete' ? 'delete' : null;
}

/** Leaves the store's catalog, and, when it may be in the channel's, stays until it has left that too. */
function leaving(view: ItemView | undefined, productExternalId: string, revision: number): ItemView | undefined {
  // An id that another product took within the same batch is that product's item now.
  if (view === undefined || view.body.productExternalId !== productExternalId) return view;
  const pending = pendingOnceOut(view);
  if (pending === null) return undefined;
  const keys = { ...view.keys, pending, contentRevision: revision };
  return { keys, body: { ...without(view.body, 'failure'), active: false, removed: true } };
}

/** Returns ids and evolve for an event about synced items. `after` returns what is pending then; newer content stays pending. */
function onSynced<E extends Seen<CatalogSyncEvent>>(
  itemsOf: (event: E) => readonly SyncedItem[],
  after: (view: ItemView, item: SyncedItem, event: E) => ItemView | undefined,
) {
  const known = new WeakMap<object, Map<string, SyncedItem>>();
  const byId = (event: E): Map<string, SyncedItem> => {
    let items = known.get(event.data);
    if (items === undefined) {
      items = new Map(itemsOf(event).map((item) => [itemId(event.streamId, item.retailerId), item]));
      known.set(event.data, items);
    }
    return items;
  };
  return {
    ids: (event: E) => [...byId(event).keys()],
    evolve(view: ItemView | undefined, event: E, id: string): ItemView | undefined {
      const item = byId(event).get(id);
      if (view === undefined || item === undefined || view.keys.contentRevision !== item.revision) return view;
      return after(view, item, event);
    },
  };
}

const due = (view: ItemView, pending: Pending | null, failure?: CatalogItemBody['failure']): ItemView => ({
  keys: { ...view.keys, pending },
  body:
    view.body.failure === undefined && failure === undefined
      ? view.body
      : { ...without(view.body, 'failure'), ...(failure && { failure }) },
});

type Submitted = Extract<CatalogSyncEvent, { type: 'CatalogItemsSubmitted' }>;
type Refused = Extract<CatalogSyncEvent, { type: 'CatalogItemsRefused' }>;
type Reviewed = Extract<CatalogSyncEvent, { type: 'CatalogItemsReviewed' }>;
type Repriced = Extract<CatalogSyncEvent, { type: 'CatalogItemsRepriced' }>;
type Withdrawn = Extract<CatalogSyncEvent, { type: 'CatalogItemsWithdrawn' }>;

/** One document per item, found by retailer id. Used to price carts and to find pending pushes, oldest change first. */
export const catalogItems = defineProjection<CatalogItemBody, CatalogEvent | CatalogSyncEvent>({
  name: 'catalogItems',
  version: 2,
  partitionedBy: 'store',
  perStream: true,
  categories: ['catalog', 'catalogSync'],
  keys: { workspaceId: 'text', pending: 'text', contentRevision: 'number' },
  indexes: [{ keys: ['workspaceId'] }, { keys: ['workspaceId', 'pending', 'contentRevision'] }],
  on: {
    ProductAdded: {
      ids: ({ data, streamId }) => data.retailerIds.map((retailerId) => itemId(streamId, retailerId)),
      evolve(view, event, id) {
        const { externalId, product } = event.data;
        return viewOf(externalId, id.slice(event.streamId.length + 1), product, event, view);
      },
    },
    ProductRevised: {
      ids: ({ data, streamId }) =>
        [...data.retailerIds, ...data.droppedRetailerIds].map((retailerId) => itemId(streamId, retailerId)),
      evolve(view, event, id) {
        const { externalId, changes, product, droppedRetailerIds } = event.data;
        const retailerId = id.slice(event.streamId.length + 1);
        if (droppedRetailerIds.includes(retailerId)) return leaving(view, externalId, event.revision);
        const body =
          product === undefined && view !== undefined && isPlain(view.body) && changedInPlace(view.body, changes);
        if (body) return itemView(event, body, view);
        const content = product ?? (view && applyChanges(productIn(view.body), changes));
        return content && viewOf(externalId, retailerId, content, event, view);
      },
    },
    ProductRemoved: {
      ids: ({ data, streamId }) => data.retailerIds.map((retailerId) => itemId(streamId, retailerId)),
      evolve: (view, event) => leaving(view, event.data.externalId, event.revision),
    },
    CatalogItemsSubmitted: onSynced<Seen<Submitted>>(
      ({ data }) => data.items,
      (view) => due(view, 'review'),
    ),
    CatalogItemsRefused: onSynced<Seen<Refused>>(
      ({ data }) => data.items,
      (view, item, { data: { call } }) => {
        const { reason } = item as Refused['data']['items'][number];
        return due(view, 'failed', { reason, ...(call && { call }) });
      },
    ),
    CatalogItemsReviewed: onSynced<Seen<Reviewed>>(
      ({ data }) => data.items,
      (view, item) => due(view, (item as Reviewed['data']['items'][number]).status === 'in_review' ? 'review' : null),
    ),
    CatalogItemsRepriced: onSynced<Seen<Repriced>>(
      ({ data }) => data.items,
      (view) => (view.body.active ? due(view, 'update') : view),
    ),
    CatalogItemsWithdrawn: onSynced<Seen<Withdrawn>>(
      ({ data }) => data.items,
      (view) => (view.body.removed ? undefined : due(view, null)),
    ),
  },
});
