/**
 * Shards: what belongs to a store, by number. Each has one owner among the instances that share engines, whether it is the work of
 * processors or the documents of read models. How many there are is fixed once work or documents are parted.
 */
import { hashOf } from './hash.js';

/** How many there are: 32 instances own two each. */
export const SHARDS = 64;

/** Shard of a key, from 0. What is stored depends on it, so it is never changed. */
export const shardOf = (key: string, count: number): number => hashOf(key) % count;

/** Two digits at least, so that names are listed in order. */
export const shardName = (shard: number): string => String(shard).padStart(2, '0');

interface Keyed {
  readonly stream: string;
  readonly meta: { readonly workspaceId?: string } | undefined;
}

/** What an event goes by: its store, or its stream where it belongs to none. */
export const shardKeyOf = ({ meta, stream }: Keyed): string =>
  meta?.workspaceId ?? stream.slice(stream.indexOf('-') + 1);
