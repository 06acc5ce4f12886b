import { refuse } from '../../domain/decider.js';
import type { Reads } from '../../engine/projections/reads.js';
import { plans } from '../../projections/plans.js';
import { stores } from '../../projections/stores.js';
import { featuresOf } from '../access/directory.js';
import { storageLimit } from '../files/storage.js';

/** Limit feature of a plan: maximum recordings of a store without the defaults. No limit if the plan does not contain it. */
export const RECORDINGS_FEATURE = 'channel.recordings.max';

/** Returns the limits of the store's current plan: recordings, and bytes of all stored files. Undefined: no limit. Refuses `not_found`. */
export async function recordingLimits(
  reads: Reads,
  workspaceId: string,
): Promise<{ readonly recordings: number | undefined; readonly bytes: number | undefined }> {
  const store = await reads.get(stores, workspaceId);
  if (store === undefined) return refuse('not_found', `There is no store ${workspaceId}.`);
  const plan = await reads.get(plans, String(store.keys.planKey));
  const features = featuresOf(plan?.body);
  return { recordings: features.limit(RECORDINGS_FEATURE), bytes: storageLimit(features) };
}
