import { bothRuntimes } from './bothRuntimes.js';
import type { ProjectionRuntime, ProjectionRuntimeOptions } from './contract.js';
import type { AnyProjection } from './projection.js';
import { createShardedProjections } from './sharded/runtime.js';
import { WholeRuntime } from './wholeRuntime.js';

export type { Positions, ProjectionHost, ProjectionRuntime, ProjectionRuntimeOptions } from './contract.js';

/**
 * Updates read models from the event log. Without leases, this instance owns all of them. With leases, each read model
 * has its own owner; with `shards` too, each shard of a partitioned one has its own.
 */
export function createProjectionRuntime(options: ProjectionRuntimeOptions): ProjectionRuntime {
  const { leases, shards, projections } = options;
  const parted = leases === undefined || shards === undefined ? [] : projections.filter(isPartitioned);
  if (parted.length === 0) return new WholeRuntime(options);
  const whole = new WholeRuntime({ ...options, projections: projections.filter((one) => !isPartitioned(one)) });
  return bothRuntimes(
    whole,
    createShardedProjections({ ...options, leases: leases!, shards: shards!, projections: parted }),
    parted,
  );
}

const isPartitioned = ({ parted }: AnyProjection): boolean => parted !== undefined;
