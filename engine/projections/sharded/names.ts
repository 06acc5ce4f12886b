/** Under which names the places and owners of a read model's shards are stored and waited for. */
import { shardName } from '../../shards.js';

/** How far the documents of one shard of a build are. Bears no fence: see docs/concepts/scaling.md. */
export const shardCheckpoint = (physical: string, shard: number): string => `${physical}_${shardName(shard)}`;

/** What the owner of a shard of all read models claims. */
export const shardRight = (shard: number): string => `views_${shardName(shard)}`;

/** Up to where queries on any parted read model show everything of a shard, as its owner says now and then. */
export const shardPassed = (shard: number): string => `passed_${shardName(shard)}`;

/** Counts how often it was changed which builds of a read model there are. */
export const buildsCount = (projection: string): string => `builds_${projection}`;

/** A lease is held for each. */
export const shardLease = (shard: number): string => `views:${shardName(shard)}`;

/** What is waited for: one shard of a read model. The name alone stands for all of them. */
export const shardKey = (projection: string, shard: number): string => `${projection}/${shardName(shard)}`;

/** The read model and the shard that a key stands for; no shard: the whole. */
export function parsedKey(key: string): { readonly projection: string; readonly shard?: number } {
  const slash = key.indexOf('/');
  return slash < 0 ? { projection: key } : { projection: key.slice(0, slash), shard: Number(key.slice(slash + 1)) };
}
