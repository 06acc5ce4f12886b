/**
 * Where processors stand at an event that they cannot handle: noted for whoever asks, also when none runs and on other
 * instances, until an operator has the event skipped.
 */
import type { Clock } from '../ports/clock.js';
import { type CollectionDefinition, type DocumentStore, type Fence, Fenced } from '../ports/documents.js';
import type { EventStore, Position, RecordedEvent } from '../ports/eventStore.js';
import { processorSkips, readSkips, skippedBy } from '../skipping/skippedEvents.js';
import { pause } from './backOff.js';
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

interface Standing {
  readonly processor: string;
  readonly work: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly fence: number | undefined;
  fenced(): void;
  trouble(error: unknown): void;
}

const LOOK_MS = 1000;

/**
 * A processor stands at this event: notes that for whoever asks, and looks each second whether it is skipped. Resolves to all
 * events that are skipped then, or to undefined when the work has ended.
 */
export async function untilSkipped(
  { processor, work, eventStore, clock, signal, fence, fenced, trouble }: Standing,
  at: { readonly event: RecordedEvent; readonly error: string },
): Promise<ReadonlySet<string> | undefined> {
  let isNoted = false;
  while (!signal.aborted) {
    try {
      if (!isNoted) await noteStop(work, processor, at, fence);
      isNoted = true;
      const skipped = await skippedNow(eventStore, processor);
      if (skipped.has(at.event.id)) return skipped;
    } catch (error) {
      if (error instanceof Fenced) fenced();
      else trouble(error);
    }
    await pause(clock, LOOK_MS, signal);
  }
  return undefined;
}

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
  /** When the earliest of these is due, in ms since 1970: in the past, it is late. */
  readonly firstDueAt?: number;
  /** Events that an operator lets it pass over. */
  readonly skipped: number;
  readonly stop?: StoppedAt;
}

const MOST_OWED = 10_000;

/** All processors that have begun, by name. Changes nothing: the documents may have been opened for reading only. */
export async function processorsAtRest(
  eventStore: Pick<EventStore, 'readStream' | 'head'>,
  work: DocumentStore,
): Promise<ProcessorAtRest[]> {
  const collections = await work.list();
  const names = collections.flatMap((name) => processorOf(name) ?? []).sort();
  const [head, positions, stops] = await Promise.all([
    eventStore.head(),
    work.checkpoints(names.map(checkpointName)),
    // Made when one stops for the first time.
    collections.includes(collection) ? work.getMany<StoppedAt>(collection, names) : new Map<string, never>(),
  ]);
  return Promise.all(
    names.map(async (name) => {
      const position = positions.get(checkpointName(name))!;
      const skipped = await skippedNow(eventStore, name);
      const stop = stops.get(name)?.body;
      // One that lies behind it was passed since, by a mended handler.
      const stands = stop !== undefined && stop.position > position && !skipped.has(stop.eventId);
      const [first] = await work.find(tasksCollection(name), { sort: ['dueAt'], limit: 1 });
      return {
        name,
        state: stands ? 'stopped' : 'running',
        position,
        head,
        owed: await work.count(tasksCollection(name), {}, MOST_OWED),
        ...(first !== undefined && { firstDueAt: first.keys.dueAt as number }),
        skipped: skipped.size,
        ...(stands && { stop }),
      } satisfies ProcessorAtRest;
    }),
  );
}
