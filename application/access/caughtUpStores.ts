import type { StoredDocument } from '../../engine/ports/documents.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import { type StoreBody, stores } from '../../projections/stores.js';

type Found = readonly StoredDocument<StoreBody>[];

/**
 * Returns the result of `find`. If it has fewer than `count` stores, `find` runs once more after the views have caught up with the log,
 * since another instance may just have created the others. Refuses if the views are late.
 */
export async function caughtUpStores(reads: CaughtUp, count: number, find: () => Promise<Found>): Promise<Found> {
  const found = await find();
  if (found.length >= count) return found;
  await reads.caughtUp(stores.categories);
  return find();
}
