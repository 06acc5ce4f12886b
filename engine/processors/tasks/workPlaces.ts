/** Names of the collections and checkpoints that store a processor's work, as a whole or by shard. */
import { shardName } from '../shards.js';

const TASKS = 'tasks_';
const PARTED = /^tasks_(.+)_by(\d+)$/;

/** Returns the collection of unpartitioned tasks. For partitioned work the name is an alias of `partitionedCollection`. */
export const tasksCollection = (processor: string): string => `${TASKS}${processor}`;
export const partitionedCollection = (processor: string, count: number): string => `${TASKS}${processor}_by${count}`;
/** Returns the checkpoint name: the place in the log up to which a processor's tasks are noted. */
export const checkpointName = (processor: string): string => `processor_${processor}`;

/** Storage names for the work of a processor, or of one of its shards. */
export interface WorkPlace {
  readonly processor: string;
  readonly shard?: number;
  readonly collection: string;
  readonly checkpoint: string;
  /** Name under which the owner claims its fence. All processors share the name of a shard. */
  readonly owned: string;
}

export const wholeOf = (processor: string): WorkPlace => ({
  processor,
  collection: tasksCollection(processor),
  checkpoint: checkpointName(processor),
  owned: checkpointName(processor),
});

export const ownedShard = (shard: number): string => `shard_${shardName(shard)}`;

export const partOf = (processor: string, shard: number, count: number): WorkPlace => ({
  processor,
  shard,
  collection: partitionedCollection(processor, count),
  checkpoint: `${checkpointName(processor)}_${shardName(shard)}`,
  owned: ownedShard(shard),
});

/** Returns the processor whose tasks are in a collection; undefined for other collections. */
export const processorOf = (collection: string): string | undefined =>
  PARTED.exec(collection)?.[1] ?? (collection.startsWith(TASKS) ? collection.slice(TASKS.length) : undefined);

/** A processor's work as it is stored. */
export interface StoredWork {
  readonly processor: string;
  readonly collection: string;
  /** One place, or one per shard. */
  readonly places: readonly WorkPlace[];
}

/** Returns all stored work by name. While a processor is being partitioned, it has both entries. */
export const workIn = (collections: readonly string[]): StoredWork[] =>
  collections
    .flatMap((collection) => {
      const processor = processorOf(collection);
      if (processor === undefined) return [];
      const count = Number(PARTED.exec(collection)?.[2] ?? 0);
      const places =
        count === 0 ? [wholeOf(processor)] : Array.from({ length: count }, (_, i) => partOf(processor, i, count));
      return [{ processor, collection, places }];
    })
    .sort((a, b) => (a.collection < b.collection ? -1 : 1));
