import { placeInLog, REPLICA_MS } from '../logPlaces.js';
import type { Claimed, DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../ports/eventStore.js';
import type { AnyProcessor } from './processor.js';
import { type Origin, readOrigin } from './tasks/workOrigin.js';
import { tasksCollection, wholeOf } from './tasks/workPlaces.js';

/** Where a processor goes on. */
export interface Beginning {
  readonly from: LogPlace;
  /** The checkpoint that stands. */
  readonly stored: Position;
  /** Up to here nothing is owed but what is derived again. */
  readonly settledUpTo: Position;
}

interface BeginningParts {
  readonly work: DocumentStore;
  readonly eventStore: EventStore;
}

/** Where the whole of a processor goes on: a new one at the store's beginning, or with `from: 'now'` at its end. */
export async function beginningOf(
  processor: AnyProcessor,
  { work, eventStore }: BeginningParts,
  fence: number | undefined,
  claimed: readonly Claimed[] = [tasksCollection(processor.name)],
): Promise<Beginning> {
  const { checkpoint: name } = wholeOf(processor.name);
  const mine = fence === undefined ? undefined : { name, fence };
  const stored = mine ? await work.claim(mine, claimed) : await work.checkpoint(name);
  const origin = await readOrigin(work);
  const mark = stored === BEFORE_ALL ? undefined : (await work.marks([name])).get(name);
  const beginning = await goingOn(processor, eventStore, { name, place: { position: stored, mark }, origin });
  if (stored !== BEFORE_ALL || beginning.from.position !== BEFORE_ALL) return beginning;
  // A second name marks that the beginning was chosen: in an empty store both places are the same.
  const begun = `${name}_begun`;
  if (processor.from !== 'now' || (await work.checkpoint(begun)) !== BEFORE_ALL) return beginning;
  const head = await eventStore.head();
  if (head !== BEFORE_ALL) await work.write({}, { name, position: head, ...mine });
  await work.write({}, { name: begun, position: 0 });
  return { ...beginning, from: { position: head }, stored: head };
}

/** Behind its checkpoint, once the log is seen to hold that; behind what was settled, where there is none. */
export async function goingOn(
  processor: AnyProcessor,
  eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>,
  at: { readonly name: string; readonly place: LogPlace; readonly origin: Origin | undefined },
): Promise<Beginning> {
  const { name, place, origin } = at;
  const stored = place.position;
  const settled = origin?.kind === 'settled' ? origin.place : undefined;
  const settledUpTo = settled?.position ?? BEFORE_ALL;
  if (stored !== BEFORE_ALL) {
    const found = await placeInLog(eventStore, place, REPLICA_MS);
    if (!found.holds) throw new Error(`${name} stands at an event that the log does not hold: is it an older log?`);
    return { from: found.from, stored, settledUpTo };
  }
  const from = settled !== undefined && processor.derivable === undefined ? settled : { position: BEFORE_ALL };
  return { from, stored, settledUpTo };
}
