/**
 * Partitions a processor's work into shards, once. Work that `suuq move` copied from an installation without shards is
 * stored as a whole: its tasks get their shards, and each shard begins at the checkpoint of the whole. One instance
 * does this, under a lease.
 */
import type { Lease } from '../ownership/lease.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../ports/eventStore.js';
import type { AnyProcessor } from './processor.js';
import { writeFirstCheckpoint } from './shardStarts.js';
import type { Sharding } from './shards.js';
import { partitionedDefinition, taskDocument, taskOf } from './tasks/taskDocuments.js';
import { partitionedCollection, partOf, tasksCollection, wholeOf } from './tasks/workPlaces.js';

interface Parts {
  readonly work: DocumentStore;
  readonly eventStore: EventStore;
}

const PAGE = 500;

/** True if the work is partitioned into `count` shards. Throws if it has another number of shards. */
export async function isPartitioned(
  work: DocumentStore,
  { name }: AnyProcessor,
  { count }: Sharding,
): Promise<boolean> {
  const collection = await work.resolve(tasksCollection(name));
  if (collection === partitionedCollection(name, count)) return true;
  if (collection === tasksCollection(name)) return false;
  throw new Error(`the tasks of ${name} (${collection}) are not partitioned into ${count} shards`);
}

/**
 * Does nothing if the work is partitioned, and can be repeated after an interruption. At the end the collection's name
 * becomes an alias of the partitioned collection, and the shards begin. Rejects with `Fenced` if there is a newer
 * owner.
 */
export async function partitionWork(
  processor: AnyProcessor,
  parts: Parts,
  lease: Lease,
  sharding: Sharding,
): Promise<void> {
  const { work } = parts;
  const { name } = processor;
  if (await isPartitioned(work, processor, sharding)) return;
  const { checkpoint, collection } = wholeOf(name);
  const isThere = (await work.list()).includes(collection);
  await work.claim({ name: checkpoint, fence: lease.fence }, isThere ? [collection] : []);
  await writeFirstCheckpoint(processor, parts, lease.fence);
  await work.open(partitionedDefinition(name, sharding.count));
  if (isThere) await moveTasks(work, name, lease, sharding);
  const position = await work.checkpoint(checkpoint);
  const mark = (await work.marks([checkpoint])).get(checkpoint);
  const places = Array.from({ length: sharding.count }, (_, shard) => partOf(name, shard, sharding.count));
  if (position !== BEFORE_ALL)
    await work.write({}, ...places.map((place) => ({ name: place.checkpoint, position, mark })));
  if (!lease.valid()) throw new Fenced(`this instance no longer owns '${name}', so it must not partition it`);
  if (isThere) await work.drop(collection);
  await work.setAlias(collection, partitionedCollection(name, sharding.count));
}

async function moveTasks(work: DocumentStore, name: string, { fence }: Lease, sharding: Sharding): Promise<void> {
  const { checkpoint, collection } = wholeOf(name);
  for (let after: string | undefined; ; ) {
    const page = await work.find(collection, { limit: PAGE, ...(after !== undefined && { after: [after] }) });
    const put = page.map(taskOf).map((task) => taskDocument({ ...task, shard: sharding.ofTask(task) }));
    if (put.length > 0)
      await work.write({ [partitionedCollection(name, sharding.count)]: { put } }, { name: checkpoint, fence });
    after = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}
