import type { Lease } from '../ownership/lease.js';
import { type Checkpoints, type Fence, Fenced } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { AnyProjection } from './projection.js';

/** Right to begin, switch and remove builds. The owner claims it in addition to the checkpoints of its builds. */
export const rightOf = ({ name }: AnyProjection, { fence }: Lease): Fence => ({ name: `owner_${name}`, fence });

/** Takes the right over from earlier owners. Call it before reading anything. Rejects with Fenced. */
export async function claimRight(readModels: Checkpoints, projection: AnyProjection, lease: Lease): Promise<void> {
  await readModels.claim(rightOf(projection, lease));
}

/**
 * Call it before a build is begun, switched or removed, which no checkpoint's fence guards. Rejects with Fenced when
 * there is a newer owner, and with StoreUnavailable when that is unknown at the moment. Without a lease there is no
 * other owner.
 */
export async function assertRight(
  readModels: Checkpoints,
  projection: AnyProjection,
  lease: Lease | undefined,
): Promise<void> {
  if (lease === undefined) return;
  await readModels.write({}, rightOf(projection, lease));
  if (!lease.isOwned()) throw new Fenced(`this instance no longer owns '${projection.name}'`);
  if (!lease.valid()) throw new StoreUnavailable(`the lease for writing '${projection.name}' is not renewed yet`);
}
