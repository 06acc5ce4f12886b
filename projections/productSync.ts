/** A product's sync status from the catalog provider's answers. (Specification 1, 'Sync status'.) */

import type { CatalogSyncEvent, SyncedItem } from '../domain/catalog/catalogEvents.js';
import { defined } from '../domain/defined.js';
import type { Seen } from '../engine/projections/projection.js';

export type SyncStatus = 'queued' | 'in_review' | 'approved' | 'rejected' | 'failed' | 'inactive';

/** Exactly the API's `SyncBody`. */
export interface SyncBody {
  readonly status: SyncStatus;
  /** The last push. */
  readonly lastSyncedAt?: string;
  readonly reason?: string;
}

/** Worst first: what a store has to see to; then what is on its way; then what is well. */
const WORST_FIRST: readonly SyncStatus[] = ['failed', 'rejected', 'queued', 'in_review', 'approved', 'inactive'];

/** The worst of a product's items: a rejected size shows on the product. The first of several that are as bad. */
export const worstSync = (items: readonly SyncBody[]): SyncBody =>
  items.reduce((worst, one) => (WORST_FIRST.indexOf(one.status) < WORST_FIRST.indexOf(worst.status) ? one : worst));

export interface SyncOutcome {
  readonly retailerId: string;
  /** The content that it is about. */
  readonly revision: number;
  apply(sync: SyncBody): SyncBody;
}

const known = new WeakMap<object, ReadonlyMap<string, readonly SyncOutcome[]>>();

/** An event's outcomes by product; worked out once an event, which may be about 500 items. */
export function syncOutcomes(event: Seen<CatalogSyncEvent>): ReadonlyMap<string, readonly SyncOutcome[]> {
  const found = known.get(event.data);
  if (found !== undefined) return found;
  const byProduct = new Map<string, SyncOutcome[]>();
  for (const outcome of outcomesOf(event)) {
    const outcomes = byProduct.get(outcome.product);
    if (outcomes === undefined) byProduct.set(outcome.product, [outcome]);
    else outcomes.push(outcome);
  }
  known.set(event.data, byProduct);
  return byProduct;
}

type ProductOutcome = SyncOutcome & { readonly product: string };

const outcomesOf = (event: Seen<CatalogSyncEvent>): ProductOutcome[] => {
  const about = ({ retailerId, productExternalId, revision }: SyncedItem, apply: SyncOutcome['apply']) => ({
    product: productExternalId,
    retailerId,
    revision,
    apply,
  });
  switch (event.type) {
    case 'CatalogItemsSubmitted': {
      const sync: SyncBody = { status: 'in_review', lastSyncedAt: event.meta.at };
      return event.data.items.map((item) => about(item, () => sync));
    }
    case 'CatalogItemsRefused':
      return event.data.items.map((item) => about(item, (sync) => become(sync, 'failed', item.reason)));
    case 'CatalogItemsReviewed':
      return event.data.items.map((item) => about(item, (sync) => become(sync, item.status, item.reason)));
    default:
      return [];
  }
};

const become = ({ lastSyncedAt }: SyncBody, status: SyncStatus, reason: string | undefined): SyncBody => ({
  status,
  ...defined({ lastSyncedAt, reason }),
});
