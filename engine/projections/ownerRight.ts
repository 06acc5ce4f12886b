import type { Lease } from '../ownership/lease.js';
import type { Leases } from '../ownership/leases.js';
import { type Checkpoints, type Fence, Fenced } from '../ports/documents.js';
import { StoreUnavailable } from '../ports/eventStore.js';
import type { AnyProjection } from './projection.js';

/** Right to begin, switch and remove builds. The owner claims it in addition to the checkpoints of its builds. */
export const rightOf = ({ name }: AnyProjection, { fence }: Lease): Fence => ({ name: `owner_${name}`, fence });

/** Lease of the right. */
export const leaseOf = ({ name }: AnyProjection): string => `projection:${name}`;

interface OwnerOf {
  /** Called after the right was taken over from previous owners, before anything is read. May reject with Fenced. */
  acquired(projection: AnyProjection, lease: Lease): Promise<void> | void;
  lost(projection: AnyProjection, how: 'handover' | 'lost'): Promise<void> | void;
}

/** Waits for the leases of projections, and takes the rights over. */
export function holdRights(
  leases: Pick<Leases, 'hold'>,
  readModels: Checkpoints,
  projections: readonly AnyProjection[],
  owner: OwnerOf,
): void {
  const acquired = async (projection: AnyProjection, lease: Lease): Promise<void> => {
    try {
      await readModels.claim(rightOf(projection, lease));
      await owner.acquired(projection, lease);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      lease.fenced();
    }
  };
  for (const projection of projections)
    leases.hold(
      leaseOf(projection),
      { acquired: (lease) => acquired(projection, lease), lost: (how) => owner.lost(projection, how) },
      // The lease goes to the newest version on any instance. An older one could only continue builds that it would
      // replace.
      projection.version,
    );
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
