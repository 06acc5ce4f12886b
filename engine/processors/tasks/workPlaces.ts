/** Under which names a processor's work is stored, as a whole or by shards. */
import { shardName } from '../shards.js';

const TASKS = 'tasks_';
const PARTED = /^tasks_(.+)_by(\d+)$/;

/** The tasks of a processor that is not parted; the name stands for `partedCollection` where it is. */
export const tasksCollection = (processor: string): string => `${TASKS}${processor}`;
export const partedCollection = (processor: string, count: number): string => `${TASKS}${processor}_by${count}`;
/** The place in the log up to which a processor's tasks are noted. */
export const checkpointName = (processor: string): string => `processor_${processor}`;

/** Where the work of a processor, or of one of its shards, is stored. */
export interface WorkPlace {
  readonly processor: string;
  readonly shard?: number;
  readonly collection: string;
  readonly checkpoint: string;
  /** Under which its owner's number is claimed: one name for a shard of all processors. */
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
  collection: partedCollection(processor, count),
  checkpoint: `${checkpointName(processor)}_${shardName(shard)}`,
  owned: ownedShard(shard),
});

/** The processor whose tasks a collection holds; undefined for other collections. */
export const processorOf = (collection: string): string | undefined =>
  PARTED.exec(collection)?.[1] ?? (collection.startsWith(TASKS) ? collection.slice(TASKS.length) : undefined);

/** A processor's work as a store holds it. */
export interface StoredWork {
  readonly processor: string;
  readonly collection: string;
  /** One, or one a shard. */
  readonly places: readonly WorkPlace[];
}

/** All processors' work among the collections of a store, by name; of one that is just being parted both. */
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
