import { backOff, pause } from '../backOff.js';
import { messageOf } from '../messageOf.js';
import type { Clock } from '../ports/clock.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import {
  type EventMark,
  type EventStore,
  type LogPlace,
  markOf,
  type Position,
  type RecordedEvent,
  type Subscription,
} from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { ViewBeingBuilt } from '../projections/documentReads.js';
import { seen } from '../projections/projection.js';
import { isStoreFailure } from '../storeFailures.js';
import type { AnyProcessor, NewTask, ProcessorContext, ProcessorMetrics, ProcessorStatus } from './processor.js';
import { untilFreed } from './processorStops.js';
import type { Shard } from './shard.js';
import type { Sharding } from './shards.js';
import { type Noted, newTask, originOf } from './tasks/taskDocuments.js';
import type { Troubles } from './troubles.js';

export interface LogReaderParts extends Pick<Troubles, 'trouble' | 'waitsFor' | 'answered'> {
  readonly processor: AnyProcessor;
  readonly sharding: Sharding;
  readonly work: DocumentStore;
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: ProcessorMetrics;
  /** Makes the context of a handler whose tasks go to several shards. */
  contextOf(signal: AbortSignal, isHere: (key: string) => boolean): ProcessorContext;
  /** Returns due times of tasks that are due at once. */
  readonly nextDue: () => number;
}

export interface LogReaderOwner {
  /** Called when a shard cannot continue yet. It has left the reader, so that it delays no other shard. */
  stumbled(shard: Shard, error: unknown): void;
  /** Called after a batch has been noted. */
  taken(): void;
}

type On = (event: object, context: ProcessorContext) => readonly NewTask[] | Promise<readonly NewTask[]>;

/** Attempts to handle an event before its shard stops there, over some 15 s. Failures of a store are not counted. */
const TRIES = 5;
const RESUBSCRIBE_MS = 1000;
/** Time between two checks of a read model that is being built, in ms. */
const VIEW_MS = 1000;
/** Time to gather events under load, in ms. Processors need not react faster. */
const GATHER_MS = 20;
/** Maximum number of tasks noted at once. A longer batch of events is noted in several steps. */
const TASKS_AT_ONCE = 500;

/** An event that its processor cannot handle. The shard stops there: a pending effect is never skipped silently. */
class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;
  constructor(event: RecordedEvent, cause: unknown) {
    super(`cannot handle ${event.type} ${event.id}: ${messageOf(cause)}`, { cause });
    this.event = event;
  }
}

/**
 * Follows the log for shards at the same place, and turns events into tasks, until it is stopped. A shard that cannot
 * continue leaves the reader. A reader of one shard `alone` waits with it, and stops at an event that the processor
 * cannot handle until that event is skipped.
 */
export class LogReader {
  readonly shards: Map<number, Shard>;
  readonly #parts: LogReaderParts;
  readonly #owner: LogReaderOwner;
  readonly #isAlone: boolean;
  readonly #handlers: Readonly<Record<string, On | undefined>>;
  readonly #derivable: ReadonlySet<string>;
  readonly #aborting = new AbortController();
  readonly #context: ProcessorContext;
  readonly #reading: Promise<void>;
  #place: LogPlace;
  #reached: Position;
  #subscription: Subscription | undefined;
  #failure: ProcessorStatus['failure'];
  /** Tasks of the current batch that are not noted yet. */
  #unnoted = new Map<Shard, Noted[]>();
  #unnotedTasks = 0;

  constructor(parts: LogReaderParts, owner: LogReaderOwner, shards: readonly Shard[], how: 'together' | 'alone') {
    this.#parts = parts;
    this.#owner = owner;
    this.#isAlone = how === 'alone';
    this.#handlers = parts.processor.on as Readonly<Record<string, On | undefined>>;
    this.#derivable = new Set(parts.processor.derivable ?? []);
    this.shards = new Map(shards.map((one) => [one.shard, one]));
    this.#context = parts.contextOf(this.#signal, (key) => this.#isHere(key));
    const places = shards.map(({ ledger }) => ledger.noted());
    this.#place = places.reduce((a, b) => (b.position < a.position ? b : a));
    this.#reached = this.#place.position;
    this.#reading = this.#read();
  }

  /** Place up to which everything is noted for each of its shards. */
  get place(): LogPlace {
    return this.#place;
  }

  /** Position up to which it has begun to read. A shard that has reached it can join without missing an event. */
  get reached(): Position {
    return this.#reached;
  }

  /** Event at which it stopped, if any. */
  get failure(): ProcessorStatus['failure'] {
    return this.#failure;
  }

  /** Adds shards that have reached at least `reached`. */
  adopt(shards: readonly Shard[]): void {
    for (const one of shards) this.shards.set(one.shard, one);
  }

  /** Removes a shard, which is then at `place` or a little further. */
  release(shard: Shard): void {
    if (this.#has(shard)) this.shards.delete(shard.shard);
    shard.ledger.passed(this.#place);
  }

  /** Stops; resolves when no more events are being noted. */
  async stop(): Promise<void> {
    this.#aborting.abort();
    await Promise.all([this.#subscription?.stop(), this.#reading]);
  }

  get #signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** True for a reader of one shard that has a newer owner. */
  get #isOver(): boolean {
    return this.#isAlone && [...this.shards.values()].every(({ isEnded }) => isEnded);
  }

  #isHere(key: string): boolean {
    return this.shards.has(this.#parts.sharding.of(key));
  }

  #has(shard: Shard): boolean {
    return this.shards.get(shard.shard) === shard;
  }

  async #read(): Promise<void> {
    const { processor, sharding, eventStore } = this.#parts;
    const filter = { categories: processor.categories, types: Object.keys(processor.on) };
    // With `spread`, the shard depends on the task, so events cannot be filtered by shard.
    const isFiltered = sharding.count > 1 && processor.spread === undefined;
    const options = { gatherMs: GATHER_MS, ...(isFiltered && { accepts: (key: string) => this.#isHere(key) }) };
    const subscriber = {
      batch: (events: readonly RecordedEvent[], through: Position, last?: EventMark) =>
        this.#batch(events, through, last),
      passed: (through: Position, last?: EventMark) => this.#passed(through, last),
    };
    while (!this.#signal.aborted) {
      try {
        this.#subscription = eventStore.subscribe(this.#place.position, filter, subscriber, options);
        await this.#subscription.ended;
        return;
      } catch (error) {
        if (this.#signal.aborted || this.#isOver) return;
        await (error instanceof PoisonEvent ? this.#stopAt(error) : this.#tryLater(error));
      }
    }
  }

  #tryLater(error: unknown): Promise<void> {
    const { trouble, clock } = this.#parts;
    if (!(error instanceof Fenced)) trouble(error, RESUBSCRIBE_MS);
    return pause(clock.steady, RESUBSCRIBE_MS, this.#signal);
  }

  /** Waits until the event is skipped or to be retried, or the work ends. */
  async #stopAt({ event, message }: PoisonEvent): Promise<void> {
    const { processor, work, eventStore, clock, log, metrics, trouble } = this.#parts;
    const [shard] = this.shards.values();
    if (shard === undefined) return;
    const { id, type, stream, revision, position } = event;
    const about = { processor: processor.name };
    this.#failure = { message, event: { id, type, stream, revision, position } };
    metrics?.stopped(processor.name);
    log.error({ ...about, ...this.#failure }, 'processor stopped at an event that it cannot handle');
    const { place, fence } = shard;
    const skipped = await untilFreed(
      { place, work, eventStore, clock, signal: this.#signal, fence, fenced: () => shard.fenced(), trouble },
      { event, error: message },
    );
    if (skipped === undefined) return;
    for (const one of skipped) shard.skipped.add(one);
    this.#failure = undefined;
    log.info(
      { ...about, event: id },
      shard.skipped.has(id) ? 'processor resumed after a skipped event' : 'processor retries an event',
    );
  }

  #passed(through: Position, last: EventMark | undefined): void {
    this.#reached = through;
    this.#place = { position: through, mark: last ?? this.#place.mark };
    this.#owner.taken();
  }

  async #batch(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> {
    this.#reached = through;
    let before = this.#place;
    this.#unnoted = new Map();
    this.#unnotedTasks = 0;
    for (const event of events) {
      await this.#take(event, before);
      before = { position: event.position, mark: markOf(event) };
      if (this.#unnotedTasks >= TASKS_AT_ONCE) await this.#noteAll(before);
      this.#signal.throwIfAborted();
    }
    const upTo = { position: through, mark: last ?? before.mark };
    await this.#noteAll(upTo);
    this.#place = upTo;
    this.#owner.taken();
  }

  async #take(event: RecordedEvent, before: LogPlace): Promise<void> {
    const handler = this.#handlers[event.type];
    if (handler === undefined) return;
    const shard = this.#parts.sharding.ofEvent(event);
    if (shard === undefined) return this.#spread(event, handler, before);
    const one = this.shards.get(shard);
    if (this.#needs(one, event)) await this.#takeFor(one, event, handler, before);
  }

  #needs(one: Shard | undefined, event: RecordedEvent): one is Shard {
    return (
      one !== undefined &&
      this.#has(one) &&
      event.position > one.ledger.noted().position &&
      !one.skipped.has(event.id) &&
      (event.position > one.settledUpTo || this.#derivable.has(event.type))
    );
  }

  /** Handles an event whose tasks all belong to one shard. */
  async #takeFor(one: Shard, event: RecordedEvent, handler: On, before: LogPlace): Promise<void> {
    const tasks = await this.#tasksFor(one, event, handler, before);
    if (tasks !== undefined) this.#collect(one, event, tasks, before);
  }

  /** Handles an event whose tasks may belong to several shards: once for all, or once per shard if that fails. */
  async #spread(event: RecordedEvent, handler: On, before: LogPlace): Promise<void> {
    const able = [...this.shards.values()].filter((one) => this.#needs(one, event));
    if (able.length === 0) return;
    const ofAll = able.length === 1 ? undefined : await this.#tasksForAll(event, handler, before);
    const found: (readonly [Shard, readonly NewTask[]])[] = [];
    for (const one of able) {
      const tasks = ofAll ?? (await this.#tasksFor(one, event, handler, before));
      const isOwn = (task: NewTask): boolean => this.#parts.sharding.ofTask(task) === one.shard;
      if (tasks !== undefined) found.push([one, tasks.filter(isOwn)]);
    }
    for (const [one, tasks] of found) this.#collect(one, event, tasks, before);
  }

  /** Returns undefined if the tasks of some shard cannot be determined yet. */
  async #tasksForAll(event: RecordedEvent, handler: On, before: LogPlace) {
    try {
      return await this.#tasksOf(event, handler, this.#context, before);
    } catch {
      this.#signal.throwIfAborted();
      return undefined;
    }
  }

  /**
   * Returns undefined if the shard has left the reader because its handler failed. Throws the error to a reader of one
   * shard.
   */
  async #tasksFor(one: Shard, event: RecordedEvent, handler: On, before: LogPlace) {
    try {
      return await this.#tasksOf(event, handler, one.context, before);
    } catch (error) {
      this.#signal.throwIfAborted();
      const tasks = this.#unnoted.get(one) ?? [];
      this.#unnoted.delete(one);
      await this.#noteFor(one, tasks, before);
      if (this.#isAlone) throw error;
      if (!this.#has(one)) return undefined;
      this.shards.delete(one.shard);
      this.#owner.stumbled(one, error);
      return undefined;
    }
  }

  /**
   * Calls the handler for an event. While a store fails, it retries, since all shards of the reader would meet the same
   * failure. Rejects if the handler itself fails or waits for a read model. A reader of one shard retries these too,
   * and throws PoisonEvent after `TRIES` failures.
   */
  async #tasksOf(event: RecordedEvent, handler: On, by: ProcessorContext, before: LogPlace) {
    for (let failures = 0, waits = 1; ; waits++) {
      try {
        const tasks = await handler(seen(event), by);
        this.#parts.answered();
        return tasks;
      } catch (error) {
        this.#signal.throwIfAborted();
        if (by.signal.aborted) throw error;
        if (!this.#isAlone && (error instanceof ViewBeingBuilt || !isStoreFailure(error))) throw error;
        if (isStoreFailure(error)) await this.#noteAll(before);
        else failures += 1;
        if (failures === TRIES) throw new PoisonEvent(event, error);
        await this.#beforeRetry(error, waits);
      }
    }
  }

  async #beforeRetry(error: unknown, waits: number): Promise<void> {
    const { waitsFor, trouble, clock } = this.#parts;
    const isBuilding = error instanceof ViewBeingBuilt;
    if (isBuilding) waitsFor(error);
    else trouble(error);
    await pause(clock.steady, isBuilding ? VIEW_MS : backOff(waits), this.#signal);
    this.#signal.throwIfAborted();
  }

  #collect(one: Shard, event: RecordedEvent, tasks: readonly NewTask[], before: LogPlace): void {
    if (tasks.length === 0) return;
    const { clock, nextDue } = this.#parts;
    const collected = this.#unnoted.get(one) ?? [];
    this.#unnoted.set(one, collected);
    const origin = originOf(event, one.place.shard);
    for (const task of tasks) collected.push({ task: newTask(task, clock.now(), nextDue(), origin), before });
    this.#unnotedTasks += tasks.length;
  }

  async #noteAll(through: LogPlace): Promise<void> {
    const all = this.#unnoted;
    this.#unnoted = new Map();
    this.#unnotedTasks = 0;
    await Promise.all([...all].map(([one, tasks]) => this.#noteFor(one, tasks, through)));
  }

  async #noteFor(one: Shard, tasks: readonly Noted[], through: LogPlace): Promise<void> {
    if (!this.#has(one)) return;
    try {
      await one.ledger.note(tasks, through);
    } catch (error) {
      // A shard that has ended has another owner, which notes these tasks too.
      if (!one.context.signal.aborted) throw error;
    }
  }
}
