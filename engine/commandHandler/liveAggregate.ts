import type { Aggregate, Decision, DomainEvent, EventMeta, EvolvedEvents, WithMeta } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import {
  type Appended,
  type EventData,
  type EventStore,
  PayloadTooLarge,
  type Position,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../ports/eventStore.js';
import { appendSurely, metaOf, storedAsSent, toEventData } from './appending.js';
import type { CommandContext, Decided } from './commands.js';
import type { Loaded } from './loading.js';

/** The command was decided on an outdated state: load and decide again. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** Maximum number of events in one append (engine/ports/eventStore.ts). */
const MOST_EVENTS = 500;
/** Maximum number of events before a state is weighed again. A short stream is weighed when it has grown by half. */
const WEIGH_EVERY = 64;
const DEFAULT_WEIGHT = 2_000;
/** Bytes of overhead per state: this object, its stream's name, its cache entry. Measured. */
const OWN_WEIGHT = 500;

/** The events of one command that wait to be written. */
interface Work {
  readonly events: readonly EventData[];
  /** True if no other call decides under the ids of these events. */
  readonly isDrawn: boolean;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

/** A state captured for a snapshot, with the last event in it, and the chunks to write. */
export interface CapturedState {
  readonly revision: number;
  readonly event: string | undefined;
  readonly chunks: Iterable<object>;
}

// biome-ignore lint/suspicious/noExplicitAny: states of all aggregates; the stream's name identifies the type
export type AnyLive = LiveAggregate<any, any>;

/** Context shared by all states of a handler, of which there may be a hundred thousand. */
export interface Surroundings {
  readonly eventStore: EventStore;
  readonly evolved: EvolvedEvents;
  readonly now: () => number;
  /** Other processes write to the store as well. */
  readonly sharedStore: boolean;
  /** Called when the state is invalid. */
  discard(live: AnyLive): void;
  /** Called when the state's weight has changed. */
  grown(live: AnyLive): void;
  appended(live: AnyLive, events: number, ms: number): void;
  conflict(live: AnyLive): void;
}

/**
 * A state in memory, and its commands that wait to be written.
 *
 * Commands are decided at once, one after another, each on the state with the events of those before it. While an
 * append is pending, the events of further commands gather and go together in the next one, so a busy stream needs one
 * commit for many commands. An append is never sent before the one it builds on is confirmed: another writer's event at
 * the expected revision could otherwise let the second append through after the first had failed, and its events would
 * rest on a state that never existed. If an append fails, every command decided on top of it is decided again.
 *
 * An append that the store only recognised by its ids confirms nothing by itself. Another process, or an earlier
 * attempt, may have decided other data under the same command: a random key, a time, a secret. So the stored events are
 * compared with the decided ones. If they differ, the state is loaded and the command decided again, so that callers
 * always receive the stored data.
 */
export class LiveAggregate<S, E extends DomainEvent> {
  /** Estimated bytes. */
  weight: number;
  /** Revision of the newest snapshot that is written or being written. */
  snapshot: number;
  readonly aggregate: Aggregate<S, E>;
  readonly stream: string;
  readonly #around: Surroundings;
  #state: S;
  /** Revision of the state, including pending events; `#confirmed` is the stream's confirmed revision. */
  #revision: number;
  #confirmed: number;
  /** Id of the last event in the state; undefined if there is none. */
  #event: string | undefined;
  /** Position of the last confirmed event; undefined if the stream does not exist. */
  #position: Position | undefined;
  #queue: Work[] = [];
  #sending = false;
  #oneByOne = false;
  #discarded = false;
  #unweighed = 0;
  /** Settles with the last pending command. */
  #tail: Promise<Position> | undefined;

  constructor(aggregate: Aggregate<S, E>, stream: string, loaded: Loaded<S>, around: Surroundings) {
    this.aggregate = aggregate;
    this.stream = stream;
    this.#around = around;
    this.#state = loaded.state;
    this.#revision = loaded.revision;
    this.#confirmed = loaded.revision;
    this.#event = loaded.event;
    this.#position = loaded.position;
    this.snapshot = loaded.snapshot;
    this.weight = this.#weigh();
  }

  /** Confirmed revision of the stream. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /**
   * Decides and appends. Rejects with Outdated if the command must be decided again on a fresh state. Synchronous up to
   * the append, so no other command comes between the decision and its events.
   */
  async decide(context: CommandContext, decision: Decision<S, E>): Promise<Decided<E>> {
    if (this.#discarded) throw new Outdated();
    let events: readonly E[];
    try {
      events = decision(this.#state);
    } catch (refusal) {
      await this.#written();
      throw refusal;
    }
    if (events.length === 0) return this.#unchanged();
    if (events.length > MOST_EVENTS)
      throw new RangeError(
        `a decision on ${this.stream} returned ${events.length} events; the maximum is ${MOST_EVENTS}`,
      );
    const meta = metaOf(context, this.#around.now());
    const revision = this.#evolve(events, meta);
    const written = toEventData(context.commandId, this.stream, events, meta, this.#around.evolved);
    this.#event = written.at(-1)!.id;
    const position = await this.#enqueue(written, context.isDrawn === true);
    return { events, revision, position };
  }

  /**
   * Returns the outcome of a decision without events: with the position of the last event it depends on, possibly one
   * that another command has just written.
   */
  async #unchanged(): Promise<Decided<E>> {
    const revision = this.#revision;
    const position = await this.#written();
    return { events: [], revision, ...defined({ position }) };
  }

  /** Reads the state. Resolves once all events in it have been written. */
  async read<R>(read: (state: S, revision: number) => R): Promise<R> {
    if (this.#discarded) throw new Outdated();
    const seen = read(this.#state, this.#revision);
    await this.#written();
    return seen;
  }

  /** Captures the current state with `hold`. Resolves once all its events are stored; undefined if they will not be. */
  async capture(hold: (state: S) => Iterable<object>): Promise<CapturedState | undefined> {
    if (this.#discarded) return undefined;
    const [revision, event] = [this.#revision, this.#event];
    const chunks = hold(this.#state);
    try {
      await this.#tail;
    } catch {
      return undefined;
    }
    return { revision, event, chunks };
  }

  /**
   * Waits until all pending events are written, and no other process has written to the stream since. Returns the
   * position of the last stored event.
   */
  async #written(): Promise<Position | undefined> {
    const position = await this.#pending();
    // A pending append may have been stored before the call, and an event of another process after it.
    if (this.#around.sharedStore) await this.#verify();
    return position ?? this.#position;
  }

  /** Waits until the events that are pending now are written. Returns undefined if there are none. */
  async #pending(): Promise<Position | undefined> {
    return this.#tail?.catch(() => {
      throw new Outdated();
    });
  }

  /** Throws Outdated if another process has written to the stream. */
  async #verify(): Promise<void> {
    const [last] = await this.#around.eventStore.readStream(this.stream, { direction: 'backwards', limit: 1 });
    const head = last?.revision ?? -1;
    // Events beyond the confirmed revision may be our own, appended meanwhile.
    while (head > this.#confirmed) {
      if (this.#tail === undefined) {
        this.#discard();
        throw new Outdated();
      }
      await this.#pending();
    }
  }

  /** Applies the events to the state. Returns the revision after them. */
  #evolve(events: readonly E[], meta: EventMeta): number {
    try {
      for (const { type, data } of events)
        this.#state = this.aggregate.evolve(this.#state, { type, data, meta } as WithMeta<E>);
    } catch (error) {
      // Only some of the events are in the state, so it must not be used.
      this.#discard();
      throw error;
    }
    this.#revision += events.length;
    this.#unweighed += events.length;
    if (this.#unweighed >= Math.min((this.#revision + 1) / 2, WEIGH_EVERY)) {
      this.#unweighed = 0;
      this.weight = this.#weigh();
      this.#around.grown(this);
    }
    return this.#revision;
  }

  #weigh(): number {
    return OWN_WEIGHT + (this.aggregate.weigh?.(this.#state) ?? DEFAULT_WEIGHT);
  }

  #enqueue(events: readonly EventData[], isDrawn: boolean): Promise<Position> {
    const done = new Promise<Position>((resolve, reject) => this.#queue.push({ events, isDrawn, resolve, reject }));
    this.#tail = done;
    if (!this.#sending) void this.#sendAll();
    return done;
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    while (this.#queue.length > 0) await this.#send(this.#nextGroup());
    this.#sending = false;
    this.#oneByOne = false;
    this.#tail = undefined;
  }

  #nextGroup(): Work[] {
    let events = 0;
    let count = 0;
    for (const work of this.#queue) {
      events += work.events.length;
      if (count > 0 && (events > MOST_EVENTS || this.#oneByOne)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #send(group: Work[]): Promise<void> {
    const events = group.length === 1 ? group[0]!.events : group.flatMap((work) => work.events);
    const since = performance.now();
    try {
      const appended = await appendSurely(this.#around.eventStore, this.stream, this.#confirmed, events);
      if (this.#mayBeOthers(group, appended)) await this.#compare(group, events, appended);
      else this.#confirm(group, appended);
    } catch (error) {
      if (error instanceof PayloadTooLarge && group.length > 1) {
        // Too large together, but perhaps not one by one.
        this.#oneByOne = true;
        this.#queue.unshift(...group);
      } else this.#fail(group, error);
      return;
    }
    this.#around.appended(this, events.length, performance.now() - since);
  }

  #confirm(group: readonly Work[], { revision, position }: Appended): void {
    this.#confirmed = revision;
    this.#position = position;
    for (const work of group) work.resolve(position);
  }

  #mayBeOthers(group: readonly Work[], { repeated }: Appended): boolean {
    return repeated ?? (this.#around.eventStore.reportsRepeats !== true && group.some(({ isDrawn }) => !isDrawn));
  }

  /** Confirms commands whose events are stored as decided. The others are decided again on the stored state. */
  async #compare(group: readonly Work[], events: readonly EventData[], appended: Appended): Promise<void> {
    const { count, hasSameMeta } = await storedAsSent(this.#around.eventStore, this.stream, appended, events);
    if (count === events.length && hasSameMeta) return this.#confirm(group, appended);
    let end = 0;
    const differing = group.findIndex((work) => {
      end += work.events.length;
      return end > count;
    });
    const confirmed = differing === -1 ? group : group.slice(0, differing);
    // Also a conflict if only metadata differ, such as a time: the state then differs from the log.
    this.#around.conflict(this);
    this.#fail(group.slice(confirmed.length), new Outdated());
    for (const work of confirmed) work.resolve(appended.position);
  }

  /**
   * Rejects the commands of a failed append. Later commands were decided on its events, so they are decided again. If
   * the store is unavailable, they fail with the same error.
   */
  #fail(group: readonly Work[], error: unknown): void {
    const own = error instanceof WrongExpectedRevision ? new Outdated() : error;
    const later = error instanceof StoreUnavailable ? error : new Outdated();
    if (error instanceof WrongExpectedRevision) this.#around.conflict(this);
    this.#discard();
    for (const work of group) work.reject(own);
    for (const work of this.#queue.splice(0)) work.reject(later);
  }

  #discard(): void {
    this.#discarded = true;
    this.#around.discard(this);
  }
}
