import { bothRuntimes } from './bothRuntimes.js';
import type { ProjectionRuntime, ProjectionRuntimeOptions } from './contract.js';
import type { AnyProjection } from './projection.js';
import { createShardedProjections } from './sharded/runtime.js';
import { WholeRuntime } from './wholeRuntime.js';

export type { Positions, ProjectionHost, ProjectionRuntime, ProjectionRuntimeOptions } from './contract.js';

/**
 * Keeps read models up to date with the event log. Without leases there is one owner of all; with them each has one of its own,
 * and with `shards` too each shard of those that are parted.
 */
export function createProjectionRuntime(options: ProjectionRuntimeOptions): ProjectionRuntime {
  const { leases, shards, projections } = options;
  const parted = leases === undefined || shards === undefined ? [] : projections.filter(isParted);
  if (parted.length === 0) return new WholeRuntime(options);
  const whole = new WholeRuntime({ ...options, projections: projections.filter((one) => !isParted(one)) });
  return bothRuntimes(
    whole,
    createShardedProjections({ ...options, leases: leases!, shards: shards!, projections: parted }),
    parted,
  );
}

const isParted = ({ parted }: AnyProjection): boolean => parted !== undefined;
