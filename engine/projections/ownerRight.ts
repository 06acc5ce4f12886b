import type { Lease } from '../ownership/lease.js';
import { type Checkpoints, type Fence, Fenced } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { AnyProjection } from './projection.js';

/** What an owner claims beside its builds' checkpoints: the right to begin, switch and remove builds. */
export const rightOf = ({ name }: AnyProjection, { fence }: Lease): Fence => ({ name: `owner_${name}`, fence });

/** Takes the right over from earlier owners. Before anything is read. Rejects with Fenced. */
export async function claimRight(readModels: Checkpoints, projection: AnyProjection, lease: Lease): Promise<void> {
  await readModels.claim(rightOf(projection, lease));
}

/**
 * Before a build is begun, switched to or removed, which no checkpoint's fence guards: rejects with Fenced when there is
 * a newer owner, with StoreUnavailable when that is not known now. Without a lease there is no other.
 */
export async function assertRight(
  readModels: Checkpoints,
  projection: AnyProjection,
  lease: Lease | undefined,
): Promise<void> {
  if (lease === undefined) return;
  await readModels.write({}, rightOf(projection, lease));
  if (!lease.held()) throw new Fenced(`'${projection.name}' is no longer this instance's`);
  if (!lease.valid()) throw new StoreUnavailable(`the right to write '${projection.name}' is not renewed yet`);
}
