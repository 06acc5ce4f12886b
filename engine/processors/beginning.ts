import { placeInLog, REPLICA_MS } from '../logPlaces.js';
import type { Claimed, DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../ports/eventStore.js';
import type { AnyProcessor } from './processor.js';
import { type Origin, readOrigin } from './workOrigin.js';
import { type WorkPlace, wholeOf } from './workPlaces.js';

/** Where a processor goes on. */
export interface Beginning {
  readonly from: LogPlace;
  /** The checkpoint that stands. */
  readonly stored: Position;
  /** Up to here nothing is owed but what is derived again. */
  readonly settledUpTo: Position;
}

const tasksOf = ({ collection, shard }: WorkPlace): readonly Claimed[] =>
  shard === undefined ? [collection] : [{ collection, where: { shard } }];

interface BeginningParts {
  readonly work: DocumentStore;
  readonly eventStore: EventStore;
  /** Where it is asked for many at once. */
  readonly origin?: () => Promise<Origin | undefined>;
}

/** A new one begins at the store's beginning, or with `from: 'now'` at its end; behind what was settled, if anything was. */
export async function beginningOf(
  processor: AnyProcessor,
  { work, eventStore, origin: asked = () => readOrigin(work) }: BeginningParts,
  fence: number | undefined,
  place: WorkPlace = wholeOf(processor.name),
  claimed: readonly Claimed[] = tasksOf(place),
): Promise<Beginning> {
  const { checkpoint: name, shard } = place;
  const mine = fence === undefined ? undefined : { name, fence };
  const stored = mine ? await work.claim(mine, claimed) : await work.checkpoint(name);
  const origin = await asked();
  const settled = origin?.kind === 'settled' ? origin.place : undefined;
  const settledUpTo = settled?.position ?? BEFORE_ALL;
  if (stored !== BEFORE_ALL) {
    const found = await placeInLog(
      eventStore,
      { position: stored, mark: (await work.marks([name])).get(name) },
      REPLICA_MS,
    );
    if (!found.holds) throw new Error(`${name} stands at an event that the log does not hold: is it an older log?`);
    return { from: found.from, stored, settledUpTo };
  }
  if (settled !== undefined && processor.derivable === undefined) return { from: settled, stored, settledUpTo };
  const start = { from: { position: BEFORE_ALL }, stored, settledUpTo };
  // A shard begins where the whole was parted.
  if (shard !== undefined) return start;
  // A second name marks that the beginning was chosen: in an empty store both places are the same.
  const begun = `${name}_begun`;
  if (processor.from !== 'now' || (await work.checkpoint(begun)) !== BEFORE_ALL) return start;
  const head = await eventStore.head();
  if (head !== BEFORE_ALL) await work.write({}, { name, position: head, ...mine });
  await work.write({}, { name: begun, position: 0 });
  return { ...start, from: { position: head }, stored: head };
}
