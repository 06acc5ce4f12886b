/** Where processors have stopped, kept for whoever asks: also when none runs, and on other instances. */
import type { CollectionDefinition, DocumentStore, Fence } from '../ports/documents.js';
import type { EventStore, Position, RecordedEvent } from '../ports/eventStore.js';
import { processorSkips, readSkips, skippedBy } from '../skipping/skippedEvents.js';
import { checkpointName, processorOf, tasksCollection } from './taskDocuments.js';

/** One document a processor that has ever stopped: the last event that it stopped at. */
export const stopsDefinition: CollectionDefinition = { name: 'processorStops', keys: {}, indexes: [] };
const { name: collection } = stopsDefinition;

export interface StoppedAt {
  readonly eventId: string;
  readonly type: string;
  readonly stream: string;
  readonly position: Position;
  readonly error: string;
}

/** Notes that a processor stopped at this event; its owner's number goes with it where there may be others. */
export async function noteStop(
  work: DocumentStore,
  processor: string,
  { event, error }: { readonly event: RecordedEvent; readonly error: string },
  fence?: number,
): Promise<void> {
  const { id: eventId, type, stream, position } = event;
  const body: StoppedAt = { eventId, type, stream, position, error };
  const fences: Fence[] = fence === undefined ? [] : [{ name: checkpointName(processor), fence }];
  await work.open(stopsDefinition);
  await work.write({ [collection]: { put: [{ id: processor, revision: position, keys: {}, body }] } }, ...fences);
}

/** Ids of the events that a processor passes over, as the log says now. */
export const skippedNow = async (
  eventStore: Pick<EventStore, 'readStream'>,
  processor: string,
): Promise<ReadonlySet<string>> => skippedBy(await readSkips(eventStore, processorSkips, processor));

/** A processor as its documents and the log tell of it, whichever instance runs it, and also when none does. */
export interface ProcessorAtRest {
  readonly name: string;
  /** `stopped`: it stands at an event (see `stop`); what was owed before that is still performed. */
  readonly state: 'running' | 'stopped';
  /** Its checkpoint: what every event up to here led to is done or written. */
  readonly position: Position;
  readonly head: Position;
  /** Tasks that are stored and not done, timers included; counted to 10,000. */
  readonly owed: number;
  /** Events that an operator lets it pass over. */
  readonly skipped: number;
  readonly stop?: StoppedAt;
}

const MOST_OWED = 10_000;

/** All processors that have begun, by name. */
export async function processorsAtRest(
  eventStore: Pick<EventStore, 'readStream' | 'head'>,
  work: DocumentStore,
): Promise<ProcessorAtRest[]> {
  await work.open(stopsDefinition);
  const names = (await work.list()).flatMap((name) => processorOf(name) ?? []).sort();
  const [head, positions, stops] = await Promise.all([
    eventStore.head(),
    work.checkpoints(names.map(checkpointName)),
    work.getMany<StoppedAt>(collection, names),
  ]);
  return Promise.all(
    names.map(async (name) => {
      const position = positions.get(checkpointName(name))!;
      const skipped = await skippedNow(eventStore, name);
      const stop = stops.get(name)?.body;
      // One that lies behind it was passed since, by a mended handler.
      const stands = stop !== undefined && stop.position > position && !skipped.has(stop.eventId);
      return {
        name,
        state: stands ? 'stopped' : 'running',
        position,
        head,
        owed: await work.count(tasksCollection(name), {}, MOST_OWED),
        skipped: skipped.size,
        ...(stands && { stop }),
      } satisfies ProcessorAtRest;
    }),
  );
}
