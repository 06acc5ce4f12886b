import { defined } from '../../../domain/defined.js';
import type { Position } from '../../ports/eventStore.js';
import type { Build } from '../build.js';
import type { AnyProjection } from '../projection.js';
import type { ProjectionStatus } from '../status.js';

/** Partitioned read model on an instance: its builds, and the parts of them that are owned here. */
export interface SharedReadModel {
  readonly projection: AnyProjection;
  /** Known ids of skipped events. */
  readonly skipped: Set<string>;
  readonly parts: Set<Build>;
  /** The collection that queries read; undefined before the first build. */
  served?: string | undefined;
  /** True if queries read a build of another version, which folds no events. */
  frozen?: boolean;
  /** Build that will replace it. */
  filling?: string | undefined;
  /** Value of `buildsCount` at which its builds were last read. */
  changes?: Position;
  /** True if its builds, or the shards that are owned here, have changed since. */
  stale: boolean;
  handlersChanged?: true;
}

export const newSharedReadModel = (projection: AnyProjection): SharedReadModel => ({
  projection,
  skipped: new Set(),
  parts: new Set(),
  stale: true,
});

/** Returns the shards of a build that some part here has. */
export function shardsIn({ parts }: SharedReadModel, physical: string): Set<number> {
  const found = new Set<number>();
  for (const part of parts) if (part.physical === physical) for (const shard of part.shards.keys()) found.add(shard);
  return found;
}

const isStopped = (part: Build): boolean => part.poison !== undefined || part.shards.stopped().length > 0;

const poisonOf = (part: Build): ProjectionStatus['poison'] =>
  part.poison ?? [...part.shards.values()].find(({ stopped }) => stopped !== undefined)?.stopped?.poison;

const least = (positions: readonly number[]): number | undefined =>
  positions.length === 0 ? undefined : Math.min(...positions);

/** Returns the status of the shards that are owned here; undefined if none has begun. */
export function statusOfShared(
  one: SharedReadModel,
  head: Position,
  isLive: (part: Build) => boolean,
): ProjectionStatus | undefined {
  const inWork = one.filling ?? one.served;
  const parts = [...one.parts].filter(({ physical }) => physical === inWork);
  const position = least(parts.map((part) => part.position));
  if (position === undefined) return undefined;
  const poison = [...one.parts].map(poisonOf).find((found) => found !== undefined);
  const current = [...one.parts].filter(({ physical }) => physical === one.served);
  const goesOn = one.filling !== undefined && one.served !== undefined && !one.frozen && !current.some(isStopped);
  const hasStopped = parts.some(isStopped) && !goesOn;
  const state = hasStopped
    ? 'stopped'
    : one.filling !== undefined
      ? 'rebuilding'
      : parts.every(isLive)
        ? 'live'
        : 'catching_up';
  const rates = parts.map((part) => part.rate.perSecond());
  const events = rates.reduce((sum, rate) => sum + rate.events, 0);
  const speed = Math.max(0, ...rates.map((rate) => rate.positions));
  const lag = Math.max(0, head - position);
  const served = least(current.map((part) => part.position));
  return {
    name: one.projection.name,
    version: one.projection.version,
    position,
    head,
    eventsPerSecond: Math.round(events),
    state,
    lag,
    shards: parts.reduce((sum, part) => sum + part.shards.size, 0),
    ...(state !== 'stopped' && lag > 0 && speed > 0 && { etaMs: Math.round((lag / speed) * 1000) }),
    ...defined({ served, poison, trouble: [...one.parts].find((part) => part.trouble !== undefined)?.trouble }),
    skipped: one.skipped.size,
    ...(one.handlersChanged && { handlersChanged: true as const }),
  };
}
