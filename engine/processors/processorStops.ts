/**
 * Events at which processors have stopped because they cannot handle them. Stored for other instances, and for when no
 * processor runs, until an operator skips the event.
 */
import { defined } from '../../domain/defined.js';
import { pause } from '../backOff.js';
import type { Clock } from '../ports/clock.js';
import { type CollectionDefinition, type DocumentStore, type Fence, Fenced } from '../ports/documents.js';
import type { EventStore, Position, RecordedEvent } from '../ports/eventStore.js';
import { processorSkips, readSkips, retriesOf, skippedBy } from '../skipping/skippedEvents.js';
import { shardName } from './shards.js';
import { type StoredWork, type WorkPlace, workIn } from './tasks/workPlaces.js';

/** One document for each processor or shard that ever stopped: the last event at which it stopped. */
const stopsDefinition: CollectionDefinition = { name: 'processorStops', keys: {}, indexes: [] };
const { name: collection } = stopsDefinition;

export interface StoppedAt {
  readonly eventId: string;
  readonly type: string;
  readonly stream: string;
  readonly position: Position;
  readonly error: string;
}

/** Returns the document id for the stop of a processor or of one of its shards. */
const stopId = ({ processor, shard }: WorkPlace): string =>
  shard === undefined ? processor : `${processor}/${shardName(shard)}`;

/** Records that a processor stopped at this event. `fence`: of the owner, if there may be other owners. */
export async function noteStop(
  work: DocumentStore,
  place: WorkPlace,
  { event, error }: { readonly event: RecordedEvent; readonly error: string },
  fence?: number,
): Promise<void> {
  const { id: eventId, type, stream, position } = event;
  const body: StoppedAt = { eventId, type, stream, position, error };
  const fences: Fence[] = fence === undefined ? [] : [{ name: place.owned, fence }];
  await work.open(stopsDefinition);
  await work.write({ [collection]: { put: [{ id: stopId(place), revision: position, keys: {}, body }] } }, ...fences);
}

/** Reads from the log the ids of the events that a processor skips. */
export const skippedNow = async (
  eventStore: Pick<EventStore, 'readStream'>,
  processor: string,
): Promise<ReadonlySet<string>> => skippedBy(await readSkips(eventStore, processorSkips, processor));

interface StopContext {
  readonly place: WorkPlace;
  readonly work: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly fence: number | undefined;
  fenced(): void;
  trouble(error: unknown, againInMs: number): void;
}

const LOOK_MS = 1000;

/**
 * Records the stop, and checks every second whether the event is to be skipped or retried. Resolves with all skipped
 * events, or undefined when the work has ended.
 */
export async function untilFreed(
  { place, work, eventStore, clock, signal, fence, fenced, trouble }: StopContext,
  at: { readonly event: RecordedEvent; readonly error: string },
): Promise<ReadonlySet<string> | undefined> {
  let isNoted = false;
  /** Number of retries requested before this stop. */
  let before: number | undefined;
  while (!signal.aborted) {
    try {
      before ??= await retriesOf(eventStore, place.processor, at.event.id);
      if (!isNoted) await noteStop(work, place, at, fence);
      isNoted = true;
      const skipped = await skippedNow(eventStore, place.processor);
      if (skipped.has(at.event.id)) return skipped;
      if ((await retriesOf(eventStore, place.processor, at.event.id)) > before) return skipped;
    } catch (error) {
      if (error instanceof Fenced) fenced();
      else trouble(error, LOOK_MS);
    }
    await pause(clock.steady, LOOK_MS, signal);
  }
  return undefined;
}

/** State of a processor according to its documents and the log, whether or not an instance runs it. */
export interface ProcessorAtRest {
  readonly name: string;
  /** `stopped`: it has stopped at an event (see `stop`). Earlier pending tasks are still performed. */
  readonly state: 'running' | 'stopped';
  /** Its checkpoint: all effects of events up to here are done or written. */
  readonly position: Position;
  readonly head: Position;
  /** Number of stored, unfinished tasks including timers, counted up to 10,000. */
  readonly owed: number;
  /** Due time of the earliest of these, in ms since 1970. It is late if in the past. */
  readonly firstDueAt?: number;
  /** Number of events that an operator had it skip. */
  readonly skipped: number;
  readonly stop?: StoppedAt;
}

const MOST_OWED = 10_000;

/** Returns all processors that have begun, by name. Changes nothing: the documents may be open for reading only. */
export async function processorsAtRest(
  eventStore: Pick<EventStore, 'readStream' | 'head'>,
  work: DocumentStore,
): Promise<ProcessorAtRest[]> {
  const collections = await work.list();
  const head = await eventStore.head();
  // The collection is created when the first processor stops.
  const haveStopped = collections.includes(collection);
  return Promise.all(workIn(collections).map((one) => atRest(eventStore, work, one, { head, haveStopped })));
}

/** Returns the due time of each processor's earliest stored task, in ms since 1970. Includes timers and late tasks. */
export async function firstDue(work: DocumentStore): Promise<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  for (const { processor, collection: tasks, places } of workIn(await work.list())) {
    const [task] = await work.find(tasks, { ...inShards(places), sort: ['dueAt'], limit: 1 });
    const dueAt = task?.keys.dueAt as number | undefined;
    if (dueAt !== undefined) first.set(processor, Math.min(dueAt, first.get(processor) ?? dueAt));
  }
  return first;
}

/** The index begins with the shard if the work is partitioned. */
function inShards(places: readonly WorkPlace[]) {
  const shards = places.flatMap(({ shard }) => shard ?? []);
  return shards.length === 0 ? {} : { where: { shard: { in: shards } } };
}

async function atRest(
  eventStore: Pick<EventStore, 'readStream'>,
  work: DocumentStore,
  { processor: name, collection: tasks, places }: StoredWork,
  { head, haveStopped }: { readonly head: Position; readonly haveStopped: boolean },
): Promise<ProcessorAtRest> {
  const [positions, stops, skipped, pendingTasks, [first]] = await Promise.all([
    work.checkpoints(places.map(({ checkpoint }) => checkpoint)),
    haveStopped ? work.getMany<StoppedAt>(collection, places.map(stopId)) : new Map<string, never>(),
    skippedNow(eventStore, name),
    work.count(tasks, {}, MOST_OWED),
    work.find(tasks, { ...inShards(places), sort: ['dueAt'], limit: 1 }),
  ]);
  const existing = places.flatMap((place) => {
    const stop = stops.get(stopId(place))?.body;
    // A stop before the checkpoint is over: a fixed handler has passed it since.
    const isStopped =
      stop !== undefined && stop.position > positions.get(place.checkpoint)! && !skipped.has(stop.eventId);
    return isStopped ? [stop] : [];
  });
  const [stop] = existing.sort((a, b) => a.position - b.position);
  return {
    name,
    state: stop === undefined ? 'running' : 'stopped',
    position: Math.min(...positions.values()),
    head,
    owed: pendingTasks,
    ...defined({ firstDueAt: first?.keys.dueAt as number | undefined, stop }),
    skipped: skipped.size,
  };
}
