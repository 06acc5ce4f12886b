/**
 * Partitioning of a processor's work. Each task belongs to one shard, by its store, and each shard has one owner. The
 * number of shards is fixed when the work is first partitioned, since a lane must never have two owners.
 */
import type { RecordedEvent } from '../ports/eventStore.js';
import { shardKeyOf, shardOf } from '../shards.js';
import type { NewTask } from './processor.js';

export { SHARDS, shardName, shardOf } from '../shards.js';

/** Returns the sharding key of a task that was stored before there were shards. */
function keyOfTask({ payload, lane }: NewTask): string {
  const { workspaceId } = (payload ?? {}) as { readonly workspaceId?: unknown };
  return typeof workspaceId === 'string' ? workspaceId : lane;
}

/** Assignment of a processor's tasks to shards. */
export interface Sharding {
  readonly count: number;
  of(key: string): number;
  /** Returns the shard of all tasks of an event; undefined if its tasks belong to different shards. */
  ofEvent(event: Pick<RecordedEvent, 'meta' | 'stream'>): number | undefined;
  ofTask(task: NewTask): number;
}

export function shardingOf(spread: ((task: NewTask<never>) => string) | undefined, count: number): Sharding {
  const of = (key: string): number => shardOf(key, count);
  return {
    count,
    of,
    ofEvent: (event) => (spread === undefined ? of(shardKeyOf(event)) : undefined),
    ofTask: (task) => of(spread === undefined ? keyOfTask(task) : spread(task as NewTask<never>)),
  };
}
