import { placeInLog, REPLICA_MS } from '../logPlaces.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../ports/eventStore.js';
import type { AnyProcessor } from './processor.js';
import { checkpointName, tasksCollection } from './taskDocuments.js';
import { readOrigin } from './workOrigin.js';

/** Where a processor goes on. */
export interface Beginning {
  readonly from: LogPlace;
  /** The checkpoint that stands. */
  readonly stored: Position;
  /** Up to here nothing is owed but what is derived again. */
  readonly settledUpTo: Position;
}

/** A new one begins at the store's beginning, or with `from: 'now'` at its end; behind what was settled, if anything was. */
export async function beginningOf(
  processor: AnyProcessor,
  { work, eventStore }: { readonly work: DocumentStore; readonly eventStore: EventStore },
  fence: number | undefined,
): Promise<Beginning> {
  const name = checkpointName(processor.name);
  const mine = fence === undefined ? undefined : { name, fence };
  const stored = mine ? await work.claim(mine, [tasksCollection(processor.name)]) : await work.checkpoint(name);
  const origin = await readOrigin(work);
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
  // A second name marks that the beginning was chosen: in an empty store both places are the same.
  const begun = `${name}_begun`;
  if (processor.from !== 'now' || (await work.checkpoint(begun)) !== BEFORE_ALL) return start;
  const head = await eventStore.head();
  if (head !== BEFORE_ALL) await work.write({}, { name, position: head, ...mine });
  await work.write({}, { name: begun, position: 0 });
  return { ...start, from: { position: head }, stored: head };
}
