/** Start places of a processor's work, for all shards of an instance at once. */
import { placeInLog, REPLICA_MS } from '../logPlaces.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace } from '../ports/eventStore.js';
import type { AnyProcessor } from './processor.js';
import { skippedNow } from './processorStops.js';
import type { Shard, ShardStart } from './shard.js';
import { type Origin, readOrigin } from './tasks/workOrigin.js';
import { wholeOf } from './tasks/workPlaces.js';

interface Parts {
  readonly work: DocumentStore;
  readonly eventStore: EventStore;
}

/**
 * Claims the tasks of these shards, and returns the start of each. Shards with a newer owner are fenced and left out.
 * Rejects if the log lacks events that a shard has read.
 */
export async function shardStarts(
  processor: AnyProcessor,
  { work, eventStore }: Parts,
  shards: readonly Shard[],
): Promise<Map<Shard, ShardStart>> {
  const names = shards.map(({ place }) => place.checkpoint);
  // Checkpoints are read first: a previous owner may still be writing, and writes tasks before it moves a checkpoint
  // past them.
  const [positions, marks] = await Promise.all([work.checkpoints(names), work.marks(names)]);
  const isEmpty = await claimTasks(work, shards);
  const [origin, skipped, head] = await Promise.all([
    readOrigin(work),
    skippedNow(eventStore, processor.name),
    eventStore.head(),
  ]);
  const known = new Map<string, Promise<Pick<ShardStart, 'from' | 'stored' | 'settledUpTo'>>>();
  const placeOf = (name: string) => {
    const place: LogPlace = { position: positions.get(name) ?? BEFORE_ALL, mark: marks.get(name) };
    const key = `${place.position} ${place.mark?.id}`;
    const found = known.get(key) ?? goOnAt(processor, eventStore, { name, place, origin });
    known.set(key, found);
    return found;
  };
  const starts = await Promise.all(
    shards.map(async (shard) => {
      const start = await placeOf(shard.place.checkpoint);
      // A previous owner may later write tasks of events up to the head that were performed here. If they are
      // written here too, they do not reappear.
      const writeUpTo = shard.fence === undefined ? BEFORE_ALL : head;
      return [shard, { ...start, skipped, writeUpTo, isEmpty }] as const;
    }),
  );
  return new Map(starts.filter(([shard]) => !shard.isEnded));
}

/** Claims the stored tasks for the new owner. True if no shard has any. */
async function claimTasks(work: DocumentStore, shards: readonly Shard[]): Promise<boolean> {
  const { collection } = shards[0]!.place;
  if ((await work.find(collection, { limit: 1 })).length === 0) return true;
  await Promise.all(
    shards.map(async (one) => {
      const { place, fence } = one;
      if (fence === undefined) return;
      try {
        await work.claim({ name: place.owned, fence }, [{ collection, where: { shard: one.shard } }]);
      } catch (error) {
        if (!(error instanceof Fenced)) throw error;
        one.fenced();
      }
    }),
  );
  return false;
}

/**
 * Returns the place after the checkpoint once the log is verified to have it. Without a checkpoint: the place after
 * settled events.
 */
async function goOnAt(
  processor: AnyProcessor,
  eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>,
  at: { readonly name: string; readonly place: LogPlace; readonly origin: Origin | undefined },
): Promise<Pick<ShardStart, 'from' | 'stored' | 'settledUpTo'>> {
  const { name, place, origin } = at;
  const stored = place.position;
  const settled = origin?.kind === 'settled' ? origin.place : undefined;
  const settledUpTo = settled?.position ?? BEFORE_ALL;
  if (stored !== BEFORE_ALL) {
    const found = await placeInLog(eventStore, place, REPLICA_MS);
    if (!found.isValid)
      throw new Error(`the checkpoint of ${name} is at an event that is not in the log. Is this an older log?`);
    return { from: found.from, stored, settledUpTo };
  }
  const from = settled !== undefined && processor.derivable === undefined ? settled : { position: BEFORE_ALL };
  return { from, stored, settledUpTo };
}

/**
 * Writes the checkpoint of a new processor with `from: 'now'`: the head of the log. Does nothing for other processors.
 */
export async function writeFirstCheckpoint(
  processor: AnyProcessor,
  { work, eventStore }: Parts,
  fence?: number,
): Promise<void> {
  if (processor.from !== 'now') return;
  const { checkpoint: name } = wholeOf(processor.name);
  // A second checkpoint marks that the place was chosen, since both places are the same in an empty log.
  const startKey = `${name}_begun`;
  const positions = await work.checkpoints([name, startKey]);
  if ([...positions.values()].some((position) => position !== BEFORE_ALL)) return;
  const isSettled = (await readOrigin(work))?.kind === 'settled';
  if (isSettled && processor.derivable === undefined) return;
  const position = await eventStore.head();
  if (position !== BEFORE_ALL) await work.write({}, { name, position, ...(fence !== undefined && { fence }) });
  await work.write({}, { name: startKey, position: 0 });
}
