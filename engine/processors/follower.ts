import { messageOf } from '../messageOf.js';
import type { Clock } from '../ports/clock.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import {
  type EventMark,
  type EventStore,
  markOf,
  type Position,
  type RecordedEvent,
  type Subscriber,
  type Subscription,
} from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { ViewBeingBuilt } from '../projections/documentReads.js';
import { isStoreFailure } from '../storeFailures.js';
import { backOff, pause } from './backOff.js';
import type { AnyProcessor, NewTask, ProcessorContext, ProcessorMetrics, ProcessorStatus } from './processor.js';
import type { Sharding } from './shards.js';
import { untilFreed } from './stops.js';
import type { Ledger } from './tasks/ledger.js';
import { type Noted, newTask, originOf } from './tasks/taskDocuments.js';
import type { WorkPlace } from './tasks/workPlaces.js';
import type { Troubles } from './troubles.js';

/** Times that a processor tries to understand one event before it stops: over some 15 s. Failures of a store are not counted. */
const TRIES = 5;
/** Tasks that are noted at once; a longer batch of events is noted in several. */
const TASKS_AT_ONCE = 500;
const RESUBSCRIBE_MS = 1000;
/** Between two looks at a view that is being built. */
const VIEW_MS = 1000;

export interface Follower {
  /** The event that it stands at, if any. */
  failure(): ProcessorStatus['failure'];
  /** Once the context's signal is aborted: resolves when no event is being noted any more. */
  stop(): Promise<void>;
}

interface Parts extends Pick<Troubles, 'trouble' | 'waitsFor' | 'answered'> {
  readonly processor: AnyProcessor;
  readonly context: ProcessorContext;
  readonly work: DocumentStore;
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: ProcessorMetrics;
  readonly ledger: Pick<Ledger, 'note' | 'noted' | 'passed' | 'saveSoon'>;
  readonly place: WorkPlace;
  /** Due times of what is due at once. */
  readonly nextDue: () => number;
  /** Takes in a shard alone, and is told when a batch has been taken in. */
  readonly part?: { readonly shard: number; readonly sharding: Sharding; taken(): void };
  /** Ids of the events that are passed over. */
  readonly skipped: ReadonlySet<string>;
  /** Up to here nothing is owed but what the processor derives again. */
  readonly settledUpTo: Position;
  /** Goes with every write, where there may be other owners. */
  readonly fence: number | undefined;
  /** There is a newer owner. */
  fenced(): void;
}

/** An event that its processor cannot handle. It stops there: an owed effect is never skipped silently. */
class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;
  constructor(event: RecordedEvent, cause: unknown) {
    super(`cannot handle ${event.type} ${event.id}: ${messageOf(cause)}`, { cause });
    this.event = event;
  }
}

export type On = (event: object, context: ProcessorContext) => readonly NewTask[] | Promise<readonly NewTask[]>;

/** An event as a processor's handler sees it. Member by member: one that is added behind a spread takes as long as five copies. */
export const viewOf = ({ id, type, data, meta, stream, revision, position }: RecordedEvent) => ({
  id,
  type,
  data,
  meta,
  stream,
  revision,
  position,
  streamId: stream.slice(stream.indexOf('-') + 1),
});

/**
 * Follows the log from where the ledger stands, turning events into tasks, until the context's signal is aborted; stands
 * at an event that cannot be handled until that is skipped.
 */
export function followLog(parts: Parts): Follower {
  const { processor, context, eventStore, clock, log, ledger, fenced, trouble } = parts;
  const { name } = processor;
  const { signal } = context;
  const handlers = processor.on as Readonly<Record<string, On | undefined>>;
  const skipped = new Set(parts.skipped);
  const derivable = new Set(processor.derivable ?? []);
  const { nextDue, part } = parts;
  let failure: ProcessorStatus['failure'];
  let subscription: Subscription | undefined;

  const isSettled = ({ position, type }: RecordedEvent): boolean =>
    position <= parts.settledUpTo && !derivable.has(type);

  const isOfOthers = (event: RecordedEvent): boolean =>
    part !== undefined && (part.sharding.ofEvent(event) ?? part.shard) !== part.shard;
  const isMine = (event: RecordedEvent, task: NewTask): boolean =>
    part === undefined || (part.sharding.ofEvent(event) ?? part.sharding.ofTask(task)) === part.shard;

  /** Undefined for an event that leads to nothing here. */
  const handlerOf = (event: RecordedEvent): On | undefined =>
    skipped.has(event.id) || isSettled(event) || isOfOthers(event) ? undefined : handlers[event.type];

  /** Calls `held` before it waits for a store. Throws PoisonEvent where the handler itself refuses the event. */
  async function tasksOf(event: RecordedEvent, held: () => Promise<void>): Promise<readonly NewTask[]> {
    const handler = handlerOf(event);
    if (handler === undefined) return [];
    const view = viewOf(event);
    for (let failures = 0, waits = 0; ; ) {
      try {
        const tasks = await handler(view, context);
        parts.answered();
        return tasks.filter((task) => isMine(event, task));
      } catch (error) {
        signal.throwIfAborted();
        if (isStoreFailure(error)) await held();
        else failures += 1;
        if (failures === TRIES) throw new PoisonEvent(event, error);
        waits += 1;
        await beforeRetry(error, waits);
      }
    }
  }

  async function beforeRetry(error: unknown, waits: number): Promise<void> {
    const isBuilding = error instanceof ViewBeingBuilt;
    if (isBuilding) parts.waitsFor(error);
    else trouble(error);
    await pause(clock.steady, isBuilding ? VIEW_MS : backOff(waits), signal);
    signal.throwIfAborted();
  }

  /** Notes what the events lead to. Throws PoisonEvent. */
  async function batch(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> {
    let tasks: Noted[] = [];
    let before = ledger.noted();
    const noteSoFar = async (): Promise<void> => {
      const noted = tasks;
      tasks = [];
      await ledger.note(noted, before);
    };
    for (const event of events) {
      try {
        for (const task of await tasksOf(event, noteSoFar))
          tasks.push({ task: newTask(task, clock.now(), nextDue(), originOf(event, part?.shard)), before });
      } catch (error) {
        // What stands before a poison event is owed, however long it stands there.
        if (error instanceof PoisonEvent) await noteSoFar();
        throw error;
      }
      before = { position: event.position, mark: markOf(event) };
      if (tasks.length < TASKS_AT_ONCE) continue;
      await noteSoFar();
    }
    await ledger.note(tasks, { position: through, mark: last ?? before.mark });
    part?.taken();
  }

  /** What a whole processor does with an empty batch; a part says of each batch that it was taken in. */
  const passed = (through: Position, last?: EventMark): void => {
    const { mark } = ledger.noted();
    ledger.passed({ position: through, mark: last ?? mark });
    ledger.saveSoon();
  };
  const subscriber: Subscriber = part === undefined ? { batch, passed } : { batch };

  async function follow(): Promise<void> {
    const filter = { categories: processor.categories, types: Object.keys(processor.on) };
    while (!signal.aborted) {
      try {
        subscription = eventStore.subscribe(ledger.noted().position, filter, subscriber);
        await subscription.ended;
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Fenced) return fenced();
        await (error instanceof PoisonEvent ? standAt(error) : tryLater(error));
      }
    }
  }

  function tryLater(error: unknown): Promise<void> {
    trouble(error, RESUBSCRIBE_MS);
    return pause(clock.steady, RESUBSCRIBE_MS, signal);
  }

  /** Until the event is skipped or to be tried again, or the work ends. */
  async function standAt({ event, message }: PoisonEvent): Promise<void> {
    const { id, type, stream, revision, position } = event;
    failure = { message, event: { id, type, stream, revision, position } };
    parts.metrics?.stopped(name);
    log.error({ processor: name, ...failure }, 'a processor has stopped at an event that it cannot handle');
    const now = await untilFreed({ ...parts, signal }, { event, error: message });
    if (now === undefined) return;
    for (const id of now) skipped.add(id);
    failure = undefined;
    const isPassed = skipped.has(id);
    log.info(
      { processor: name, event: id },
      isPassed ? 'a processor goes on behind a skipped event' : 'a processor tries an event again',
    );
  }

  const following = follow();
  return {
    failure: () => failure,
    async stop() {
      await Promise.all([subscription?.stop(), following]);
    },
  };
}
