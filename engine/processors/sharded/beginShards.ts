/** Where shards of a processor go on, asked for all of them at once. */
import { type DocumentStore, Fenced } from '../../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace } from '../../ports/eventStore.js';
import { type Beginning, goingOn } from '../beginning.js';
import type { AnyProcessor } from '../processor.js';
import { skippedNow } from '../stops.js';
import { readOrigin } from '../tasks/workOrigin.js';
import type { ShardBeginning, WorkedShard } from './shard.js';

interface Parts {
  readonly work: DocumentStore;
  readonly eventStore: EventStore;
}

/**
 * The names of these shards are claimed. Those that another has claimed since are told so, and are not in the answer. Rejects
 * where the log does not hold what one of them has read.
 */
export async function beginShards(
  processor: AnyProcessor,
  { work, eventStore }: Parts,
  shards: readonly WorkedShard[],
): Promise<Map<WorkedShard, ShardBeginning>> {
  const names = shards.map(({ place }) => place.checkpoint);
  // The checkpoints first: an owner before may be writing, and writes tasks before it moves a checkpoint past them.
  const [positions, marks] = await Promise.all([work.checkpoints(names), work.marks(names)]);
  const isEmpty = await takeTasks(work, shards);
  const [origin, skipped, writeUpTo] = await Promise.all([
    readOrigin(work),
    skippedNow(eventStore, processor.name),
    // That owner may write tasks of events that it knew; what is written here too it cannot bring back.
    eventStore.head(),
  ]);
  const known = new Map<string, Promise<Beginning>>();
  const begins = (name: string): Promise<Beginning> => {
    const place: LogPlace = { position: positions.get(name) ?? BEFORE_ALL, mark: marks.get(name) };
    const key = `${place.position} ${place.mark?.id}`;
    const found = known.get(key) ?? goingOn(processor, eventStore, { name, place, origin });
    known.set(key, found);
    return found;
  };
  const found = await Promise.all(
    shards.map(async (one) => {
      const beginning = await begins(one.place.checkpoint);
      return [one, { beginning, skipped, writeUpTo, isEmpty }] as const;
    }),
  );
  return new Map(found.filter(([one]) => !one.context.signal.aborted));
}

/** Marks the stored tasks as the new owner's; true where there are none of any shard. */
async function takeTasks(work: DocumentStore, shards: readonly WorkedShard[]): Promise<boolean> {
  const { collection } = shards[0]!.place;
  if ((await work.find(collection, { limit: 1 })).length === 0) return true;
  await Promise.all(
    shards.map(async ({ shard, place, fence, fenced }) => {
      try {
        await work.claim({ name: place.owned, fence }, [{ collection, where: { shard } }]);
      } catch (error) {
        if (!(error instanceof Fenced)) throw error;
        fenced();
      }
    }),
  );
  return false;
}
