import type { StoredDocument } from '../../engine/ports/documents.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import { type StoreBody, stores } from '../../projections/stores.js';

type Found = readonly StoredDocument<StoreBody>[];

/**
 * Returns what `find` returns. Where that is fewer than `count` stores, `find` runs once more when the views show all of the log:
 * another instance may just have made the others. Refuses where the views are late.
 */
export async function caughtUpStores(reads: CaughtUp, count: number, find: () => Promise<Found>): Promise<Found> {
  const found = await find();
  if (found.length >= count) return found;
  await reads.caughtUp(stores.categories);
  return find();
}
