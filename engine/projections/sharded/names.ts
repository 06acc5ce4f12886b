/** Names of the stored places, rights and leases of a read model's shards. */
import { shardName } from '../../shards.js';

/** Checkpoint of the documents of one shard of a build. Has no fence: see docs/concepts/scaling.md. */
export const shardCheckpoint = (physical: string, shard: number): string => `${physical}_${shardName(shard)}`;

/** Right that the owner of a shard of all read models claims. */
export const shardRight = (shard: number): string => `views_${shardName(shard)}`;

/**
 * Place up to which queries on every partitioned read model show everything of a shard. Its owner publishes it
 * regularly.
 */
export const shardProgress = (shard: number): string => `passed_${shardName(shard)}`;

/** Counter of changes to the builds of a read model. */
export const buildsCount = (projection: string): string => `builds_${projection}`;

/** Lease of a shard. */
export const shardLease = (shard: number): string => `views:${shardName(shard)}`;

/** Key of one shard of a read model, for waiters. The name alone means all shards. */
export const shardKey = (projection: string, shard: number): string => `${projection}/${shardName(shard)}`;

/** Returns the read model and the shard of a key; no shard: the whole read model. */
export function parsedKey(key: string): { readonly projection: string; readonly shard?: number } {
  const slash = key.indexOf('/');
  return slash < 0 ? { projection: key } : { projection: key.slice(0, slash), shard: Number(key.slice(slash + 1)) };
}
