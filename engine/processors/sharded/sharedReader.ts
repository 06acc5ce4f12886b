/** Reads the log once for several shards of a processor that stand at one place of it. */
import type { Clock } from '../../ports/clock.js';
import {
  type EventMark,
  type EventStore,
  type LogPlace,
  markOf,
  type Position,
  type RecordedEvent,
  type Subscription,
} from '../../ports/eventStore.js';
import { ViewBeingBuilt } from '../../projections/documentReads.js';
import { isStoreFailure } from '../../storeFailures.js';
import { backOff, pause } from '../backOff.js';
import { type On, viewOf } from '../follower.js';
import type { AnyProcessor, NewTask, ProcessorContext } from '../processor.js';
import type { Sharding } from '../shards.js';
import type { Ledger } from '../tasks/ledger.js';
import { type Noted, newTask, originOf } from '../tasks/taskDocuments.js';
import type { Troubles } from '../troubles.js';

/** A shard as its reader knows it. */
export interface ReadShard {
  readonly shard: number;
  readonly context: ProcessorContext;
  readonly ledger: Pick<Ledger, 'note' | 'noted' | 'passed'>;
  /** Ids of the events that are passed over. */
  readonly skipped: ReadonlySet<string>;
  /** Up to here nothing is owed but what the processor derives again. */
  readonly settledUpTo: Position;
}

export interface SharedReader<S extends ReadShard> {
  readonly shards: ReadonlyMap<number, S>;
  /** All that stands up to here is taken over for each of its shards. */
  place(): LogPlace;
  /** How far it has begun to read: who stands there can be taken in without missing anything. */
  reached(): Position;
  /** Takes in shards that have come at least to `reached`. */
  adopt(shards: readonly S[]): void;
  /** Lets one go, which stands at `place` then, or a little further. */
  release(shard: S): void;
  /** Ends; resolves when nothing is being noted any more. */
  stop(): Promise<void>;
}

interface Parts<S extends ReadShard> extends Pick<Troubles, 'trouble' | 'answered'> {
  readonly processor: AnyProcessor;
  readonly sharding: Sharding;
  readonly eventStore: EventStore;
  readonly clock: Clock;
  /** For a processor whose tasks go each their own way. */
  contextOf(signal: AbortSignal, isHere: (key: string) => boolean): ProcessorContext;
  readonly nextDue: () => number;
  readonly from: LogPlace;
  /** What the shard makes of the next event is not known yet: it is to be read for it alone, and holds up no other. */
  stumbled(shard: S, error: unknown): void;
  /** A batch has been taken over. */
  taken(): void;
}

const RESUBSCRIBE_MS = 1000;
/** Nobody waits for what a processor does: under load events gather for so long, in ms. */
const GATHER_MS = 20;
/** Tasks that are noted at once; a longer batch of events is noted in several. */
const TASKS_AT_ONCE = 500;

export function createSharedReader<S extends ReadShard>(parts: Parts<S>, first: readonly S[]): SharedReader<S> {
  const { processor, sharding, eventStore, clock, nextDue } = parts;
  const handlers = processor.on as Readonly<Record<string, On | undefined>>;
  const derivable = new Set(processor.derivable ?? []);
  const shards = new Map(first.map((one) => [one.shard, one]));
  const aborting = new AbortController();
  const { signal } = aborting;
  const isHere = (key: string): boolean => shards.has(sharding.of(key));
  const context = parts.contextOf(signal, isHere);
  let place = parts.from;
  let reached = place.position;
  let subscription: Subscription | undefined;
  /** What the batch under way has led to and is not noted. */
  let noted = new Map<S, Noted[]>();
  let waiting = 0;

  const isOf = (one: S | undefined, event: RecordedEvent): one is S =>
    one !== undefined &&
    shards.get(one.shard) === one &&
    event.position > one.ledger.noted().position &&
    !one.skipped.has(event.id) &&
    (event.position > one.settledUpTo || derivable.has(event.type));

  async function noteFor(one: S, tasks: readonly Noted[], through: LogPlace): Promise<void> {
    if (shards.get(one.shard) !== one) return;
    try {
      await one.ledger.note(tasks, through);
    } catch (error) {
      // It has ended: who owns it next notes that again.
      if (!one.context.signal.aborted) throw error;
    }
  }

  async function noteAll(through: LogPlace): Promise<void> {
    const all = noted;
    noted = new Map();
    waiting = 0;
    await Promise.all([...all].map(([one, tasks]) => noteFor(one, tasks, through)));
  }

  async function letGo(one: S, before: LogPlace, error: unknown): Promise<void> {
    const tasks = noted.get(one) ?? [];
    noted.delete(one);
    await noteFor(one, tasks, before);
    if (shards.get(one.shard) !== one) return;
    shards.delete(one.shard);
    parts.stumbled(one, error);
  }

  function owe(one: S, event: RecordedEvent, tasks: readonly NewTask[], before: LogPlace): void {
    if (tasks.length === 0) return;
    const owed = noted.get(one) ?? [];
    noted.set(one, owed);
    const origin = originOf(event, one.shard);
    for (const task of tasks) owed.push({ task: newTask(task, clock.now(), nextDue(), origin), before });
    waiting += tasks.length;
  }

  /**
   * Asks the handler what the event leads to, for as long as a store does not answer: all shards of the reader would meet the
   * same. Rejects where the handler itself does not understand the event, or waits for a view.
   */
  async function tasksOf(event: RecordedEvent, handler: On, by: ProcessorContext, before: LogPlace) {
    for (let failures = 1; ; failures++) {
      try {
        const tasks = await handler(viewOf(event), by);
        parts.answered();
        return tasks;
      } catch (error) {
        signal.throwIfAborted();
        if (by.signal.aborted || error instanceof ViewBeingBuilt || !isStoreFailure(error)) throw error;
        parts.trouble(error);
        await noteAll(before);
        await pause(clock.steady, backOff(failures), signal);
        signal.throwIfAborted();
      }
    }
  }

  /** Takes in an event whose tasks are all of one shard. */
  async function takeIn(one: S, event: RecordedEvent, handler: On, before: LogPlace): Promise<void> {
    try {
      owe(one, event, await tasksOf(event, handler, one.context, before), before);
    } catch (error) {
      signal.throwIfAborted();
      await letGo(one, before, error);
    }
  }

  /** Takes in an event whose tasks go each their own way: understood once; where that fails, by each shard for itself. */
  async function spread(event: RecordedEvent, handler: On, before: LogPlace): Promise<void> {
    const able = [...shards.values()].filter((one) => isOf(one, event));
    if (able.length === 0) return;
    const ofAll = await understood(event, handler, before);
    const found: (readonly [S, readonly NewTask[]])[] = [];
    for (const one of able) {
      try {
        const tasks = ofAll ?? (await tasksOf(event, handler, one.context, before));
        found.push([one, tasks.filter((task) => sharding.ofTask(task) === one.shard)]);
      } catch (error) {
        signal.throwIfAborted();
        await letGo(one, before, error);
      }
    }
    for (const [one, tasks] of found) owe(one, event, tasks, before);
  }

  /** Undefined: somebody's part of it is not known yet. */
  async function understood(event: RecordedEvent, handler: On, before: LogPlace) {
    try {
      return await tasksOf(event, handler, context, before);
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  async function takeEvent(event: RecordedEvent, before: LogPlace): Promise<void> {
    const handler = handlers[event.type];
    if (handler === undefined) return;
    const shard = sharding.ofEvent(event);
    if (shard === undefined) return spread(event, handler, before);
    const one = shards.get(shard);
    if (isOf(one, event)) await takeIn(one, event, handler, before);
  }

  async function batch(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> {
    reached = through;
    let before = place;
    noted = new Map();
    waiting = 0;
    for (const event of events) {
      await takeEvent(event, before);
      before = { position: event.position, mark: markOf(event) };
      if (waiting >= TASKS_AT_ONCE) await noteAll(before);
      signal.throwIfAborted();
    }
    const upTo = { position: through, mark: last ?? before.mark };
    await noteAll(upTo);
    place = upTo;
    parts.taken();
  }

  async function read(): Promise<void> {
    const filter = { categories: processor.categories, types: Object.keys(processor.on) };
    // What goes each its own way says by its tasks whose it is.
    const wanted = processor.spread === undefined ? { wants: isHere } : {};
    while (!signal.aborted) {
      try {
        subscription = eventStore.subscribe(place.position, filter, { batch }, { ...wanted, gatherMs: GATHER_MS });
        await subscription.ended;
        return;
      } catch (error) {
        if (signal.aborted) return;
        parts.trouble(error, RESUBSCRIBE_MS);
        await pause(clock.steady, RESUBSCRIBE_MS, signal);
      }
    }
  }

  const reading = read();
  return {
    shards,
    place: () => place,
    reached: () => reached,
    adopt(more) {
      for (const one of more) shards.set(one.shard, one);
    },
    release(one) {
      if (shards.get(one.shard) === one) shards.delete(one.shard);
      one.ledger.passed(place);
    },
    async stop() {
      aborting.abort();
      await Promise.all([subscription?.stop(), reading]);
    },
  };
}
