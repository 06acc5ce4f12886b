/**
 * Shards partition the data of stores. Each shard has one owner among the instances that share engines, both for
 * processor work and for read model documents. The number of shards is fixed once work or documents are partitioned.
 */
import { hashOf } from './hash.js';

/** Number of shards. With 32 instances, each owns two. */
export const SHARDS = 64;

/** Returns the shard of a key, from 0. Stored data depends on the result, so it never changes. */
export const shardOf = (key: string, count: number): number => hashOf(key) % count;

/** Returns the number with at least two digits, so that names sort in order. */
export const shardName = (shard: number): string => String(shard).padStart(2, '0');

interface Keyed {
  readonly stream: string;
  readonly meta: { readonly workspaceId?: string } | undefined;
}

/** Returns the sharding key of an event: its store, or the id of its stream if it belongs to no store. */
export const shardKeyOf = ({ meta, stream }: Keyed): string =>
  meta?.workspaceId ?? stream.slice(stream.indexOf('-') + 1);
