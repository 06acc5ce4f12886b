import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import {
  type EventFilter,
  type EventMark,
  type Position,
  type RecordedEvent,
  StoreUnavailable,
  type SubscribeOptions,
  type Subscriber,
  type Subscription,
} from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { failureOf, Passing } from './failures.js';
import { localFilter } from './filters.js';
import type { LiveTail, Question } from './liveTail.js';
import type { LogFeed } from './logFeed.js';

const DEFAULT_BATCH = 500;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;
/** Tries without a step forward to reach a server that answers, before the subscription ends: its position is not in this log. */
const MOST_REFUSALS = 20;
/** So many batches within as many times the wait come often; a wait that saves fewer costs more than it saves. */
const OFTEN = 6;
/** Failures in a row between two log lines. */
const SAY_EVERY = 60;

export interface LogSubscriptionSource {
  /** The tail that all followers share. Rejects when the server cannot be reached. */
  tail(): Promise<LiveTail>;
  feed(after: Position, filter: EventFilter): Promise<LogFeed>;
  readonly log: Log | undefined;
}

/** An error of the subscriber itself, which ends the subscription. */
class HandlerFailed extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super('the handler failed');
    this.reason = reason;
  }
}

/**
 * Catches up by a subscription of its own, filtered by the server and paused while the handler is busy; then follows the shared tail. A
 * broken connection, or a server that drops a slow reader, causes a new subscription after the last handled event.
 */
export class LogSubscription implements Subscription {
  readonly ended: Promise<void>;
  readonly #source: LogSubscriptionSource;
  readonly #subscriber: Subscriber;
  readonly #filter: EventFilter;
  readonly #question: Question;
  readonly #batch: number;
  readonly #gatherMs: number;
  /** When the newest batches were delivered, the oldest of them first. */
  #deliveredAt: number[] = [];
  #through: Position;
  #caughtUp = false;
  #stopped = false;
  #failures = 0;
  #feed: LogFeed | undefined;
  #wake: () => void = () => {};
  readonly #aborting = new AbortController();

  constructor(
    source: LogSubscriptionSource,
    after: Position,
    filter: EventFilter,
    subscriber: Subscriber,
    { batch = DEFAULT_BATCH, accepts, gatherMs = 0 }: SubscribeOptions = {},
  ) {
    this.#source = source;
    this.#subscriber = subscriber;
    this.#filter = filter;
    this.#question = { passes: localFilter(filter), accepts };
    this.#batch = batch;
    this.#gatherMs = gatherMs;
    this.#through = after;
    this.ended = this.#run();
    // The owner may look at `ended` late or never; its failure must not end the process by itself.
    this.ended.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#aborting.abort();
    this.#feed?.close();
    this.#wake();
    await this.ended.catch(() => {});
  }

  async #run(): Promise<void> {
    // Nothing is delivered before subscribe() has returned.
    await turn();
    while (!this.#stopped) {
      try {
        const tail = await this.#catchUp();
        if (tail !== undefined) await this.#follow(tail);
      } catch (error) {
        if (error instanceof HandlerFailed) throw error.reason;
        if (!this.#stopped) await this.#recover(failureOf(error));
      }
    }
  }

  /** Answers the tail when there is nothing between what was delivered and what the tail keeps. */
  async #catchUp(): Promise<LiveTail | undefined> {
    const tail = await this.#unlessStopped(this.#source.tail());
    if (tail === undefined) return undefined;
    // Read before the feed is opened: the feed covers everything up to here.
    const goal = tail.through;
    const opening = this.#source.feed(this.#through, this.#filter);
    const feed = await this.#unlessStopped(opening);
    if (feed === undefined) {
      opening.then(
        (late) => late.close(),
        () => {},
      );
      return undefined;
    }
    this.#feed = feed;
    try {
      while (!this.#stopped) {
        const done = feed.caughtUp;
        const { events, through } = feed.take(this.#batch);
        await this.#deliver(events, done && feed.waiting === 0 ? Math.max(through, goal) : through);
        if (feed.waiting > 0) continue;
        if (done || this.#through >= goal) break;
        await feed.more();
      }
      this.#reportCaughtUp();
      return this.#stopped ? undefined : tail;
    } finally {
      this.#feed = undefined;
      feed.close();
    }
  }

  /** Until the follower stops, or has fallen so far back that the tail has let go of what it needs. */
  async #follow(tail: LiveTail): Promise<void> {
    while (!this.#stopped) {
      const page = tail.read(this.#through, this.#question, this.#batch);
      if (page === undefined) return;
      if (page.through > this.#through) await this.#deliver(page.events, page.through, page.last);
      else await this.#newEvents(tail);
    }
  }

  /** Under load a batch costs more than the few events in it. */
  async #newEvents(tail: LiveTail): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      tail.beyond(this.#through, resolve);
    });
    if (this.#stopped || !this.#isOften()) return;
    await wait(this.#gatherMs, undefined, { signal: this.#aborting.signal }).catch(() => {});
  }

  #isOften(): boolean {
    const { length, 0: oldest } = this.#deliveredAt;
    return length === OFTEN && performance.now() - oldest! < OFTEN * this.#gatherMs;
  }

  /** A server that is silent does not hold up the stop. */
  #unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    const { signal } = this.#aborting;
    return new Promise((resolve, reject) => {
      const stopped = (): void => resolve(undefined);
      if (signal.aborted) stopped();
      signal.addEventListener('abort', stopped, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stopped));
    });
  }

  async #deliver(events: readonly RecordedEvent[], through: Position, last?: EventMark): Promise<void> {
    if (through <= this.#through || this.#stopped) return;
    try {
      await this.#subscriber.batch(events, through, last);
    } catch (error) {
      throw new HandlerFailed(error);
    }
    this.#failures = 0;
    this.#through = through;
    if (this.#gatherMs > 0) this.#deliveredAt = [...this.#deliveredAt.slice(1 - OFTEN), performance.now()];
  }

  #reportCaughtUp(): void {
    if (this.#caughtUp || this.#stopped) return;
    this.#caughtUp = true;
    try {
      this.#subscriber.caughtUp?.();
    } catch (error) {
      throw new HandlerFailed(error);
    }
  }

  async #recover(failure: Error): Promise<void> {
    if (!(failure instanceof Passing || failure instanceof StoreUnavailable)) throw failure;
    if (this.#failures >= MOST_REFUSALS && failure.message.startsWith('UNKNOWN'))
      throw new StoreUnavailable(
        `EventStoreDB cannot resume from position ${this.#through}. Is it a different log? It reported: ${failure.message}`,
      );
    const ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    if (this.#failures % SAY_EVERY === 3)
      this.#source.log?.warn(
        { reason: failure.message, position: this.#through, failures: this.#failures },
        'EventStoreDB subscription cannot be resumed, retrying',
      );
    await wait(ms, undefined, { signal: this.#aborting.signal }).catch(() => {});
  }
}
