/**
 * A processor's work in parts: each task belongs to one shard, by the store that it is about, and each shard has one owner. How
 * many there are is fixed when a processor's work is parted first, since a lane must never have two owners.
 */
import { hashOf } from '../hash.js';
import type { RecordedEvent } from '../ports/eventStore.js';
import type { NewTask } from './processor.js';

/** Shards of every processor: 32 instances own two each. */
export const SHARDS = 64;

/** Shard of a key, from 0. What is stored depends on it, so it is never changed. */
export const shardOf = (key: string, count: number): number => hashOf(key) % count;

/** Two digits at least, so that names are listed in order. */
export const shardName = (shard: number): string => String(shard).padStart(2, '0');

/** What an event's tasks go by: its store, or its stream where it belongs to none. */
const keyOfEvent = ({ meta, stream }: Pick<RecordedEvent, 'meta' | 'stream'>): string =>
  meta.workspaceId ?? stream.slice(stream.indexOf('-') + 1);

/** The same for a task that was stored before there were shards. */
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
    ofEvent: (event) => (spread === undefined ? of(keyOfEvent(event)) : undefined),
    ofTask: (task) => of(spread === undefined ? keyOfTask(task) : spread(task as NewTask<never>)),
  };
}
