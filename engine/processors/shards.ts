/**
 * A processor's work in parts: each task belongs to one shard, by the store that it is about, and each shard has one owner. How
 * many there are is fixed when a processor's work is parted first, since a lane must never have two owners.
 */
import type { RecordedEvent } from '../ports/eventStore.js';
import { shardKeyOf, shardOf } from '../shards.js';
import type { NewTask } from './processor.js';

export { SHARDS, shardName, shardOf } from '../shards.js';

/** What a task goes by that was stored before there were shards. */
function keyOfTask({ payload, lane }: NewTask): string {
  const { workspaceId } = (payload ?? {}) as { readonly workspaceId?: unknown };
  return typeof workspaceId === 'string' ? workspaceId : lane;
}

/** How a processor's tasks are parted. */
export interface Sharding {
  readonly count: number;
  of(key: string): number;
  /** The shard of all that an event leads to; undefined: its tasks go each its own way. */
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
