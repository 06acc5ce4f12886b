import { setTimeout as wait } from 'node:timers/promises';
import {
  type EventMark,
  markOf,
  type Position,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { firstAfter } from '../positionSearch.js';
import type { Connection, OpenCall } from './connection.js';
import { failureOf, Passing, reasonOf } from './failures.js';
import { type Passes, serverFilter } from './filters.js';
import type { Page } from './logFeed.js';
import { subscribeRequest, type Window } from './protocol.js';
import { TailEvent } from './tailEvent.js';

/** Cached events: enough for followers that are a few batches apart. */
const MOST_EVENTS = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** Only system events are left out here: there is no hurry to hear of them. */
const WINDOW: Window = { events: 500, checkpointEvery: 4 };
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;
/** After this silence a check finds out whether events were missed; events written meanwhile may still be in flight for the second time. */
const SILENT_MS = 2_000;
const UNDER_WAY_MS = 500;
/** Failures in a row between two log lines. */
const SAY_EVERY = 60;

/** Filter of a follower. */
export interface Question {
  readonly passes: Passes;
  readonly accepts: SubscribeOptions['accepts'] | undefined;
}

/**
 * The newest events, by one live subscription for all followers in this thread: an event crosses the wire once, however many wait for it,
 * and is parsed at most once. The tail never slows the server down, so the server has no reason to drop it. When the connection breaks, the
 * tail continues after the last event it has seen, unnoticed by its followers.
 */
export class LiveTail {
  readonly #connection: Connection;
  readonly #newest: () => Promise<Position>;
  readonly #log: Log | undefined;
  /** Everything in (after, through] is cached. */
  #after: Position;
  #through: Position;
  #events: TailEvent[] = [];
  #bytes = 0;
  #call: OpenCall | undefined;
  #stopped = false;
  #failures = 0;
  /** Time of the last message, or of the last check that found nothing missed: `performance.now()`. */
  #heard = 0;
  #checking = false;
  #watch: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];
  #waking = false;
  readonly #aborting = new AbortController();

  /** Begins behind what is the newest position now, and at once. Rejects as `newest` does. */
  static async open(connection: Connection, newest: () => Promise<Position>, log: Log | undefined): Promise<LiveTail> {
    return new LiveTail(connection, newest, await newest(), log);
  }

  private constructor(connection: Connection, newest: () => Promise<Position>, head: Position, log: Log | undefined) {
    this.#connection = connection;
    this.#newest = newest;
    this.#after = head;
    this.#through = head;
    this.#log = log;
    void this.#run();
  }

  /** Everything up to this position is in the log at the time of the call. */
  get through(): Position {
    return this.#through;
  }

  /** The events after a position, or undefined: they are no longer cached. */
  read(after: Position, { passes, accepts }: Question, limit: number): Page | undefined {
    if (after < this.#after) return undefined;
    const events: RecordedEvent[] = [];
    for (let i = firstAfter(this.#events, after); i < this.#events.length; i += 1) {
      const one = this.#events[i]!;
      if (!passes(one.stream, one.type) || accepts?.(one.key) === false) continue;
      const { event } = one;
      if (event === undefined) continue;
      events.push(event);
      if (events.length === limit) return { events, through: event.position, last: markOf(event) };
    }
    return { events, through: Math.max(after, this.#through), last: this.#lastMark() };
  }

  /** Foreign events, which the port does not show, cannot serve as marks. */
  #lastMark(): EventMark | undefined {
    const event = this.#events.findLast((one) => one.event !== undefined)?.event;
    return event && markOf(event);
  }

  /** Calls `wake` once, when there is something beyond `position` or the tail has stopped; never at once. */
  beyond(position: Position, wake: () => void): void {
    this.#waiting.push(wake);
    if (this.#through > position || this.#stopped) this.#stir();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#watch);
    this.#aborting.abort();
    this.#call?.cancel();
    this.#stir();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#listen();
      } catch (error) {
        if (this.#stopped) return;
        await this.#pause(failureOf(error));
      }
    }
  }

  /** Until the subscription ends: always by an error. */
  async #listen(): Promise<void> {
    let call: OpenCall | undefined;
    let over = false;
    const ended = new Promise<never>((_, reject) => {
      const opening = this.#connection.read(subscribeRequest(this.#through, serverFilter({}), WINDOW), {
        message: (message) => {
          this.#heard = performance.now();
          call?.heard();
          if (message.event !== undefined) this.#add(new TailEvent(message.event));
        },
        ended: (error) => reject(error ?? new Passing('the server has ended the subscription')),
      });
      opening.then((opened) => {
        if (over || this.#stopped) {
          opened.cancel();
          return reject(new Passing('stopped'));
        }
        call = opened;
        this.#call = opened;
        this.#heard = performance.now();
        this.#watch = setInterval(() => void this.#checkWhenSilent(reject), SILENT_MS / 4);
      }, reject);
    });
    try {
      await ended;
    } finally {
      over = true;
      clearInterval(this.#watch);
      call?.cancel();
    }
  }

  /**
   * A node may forget its subscribers, such as a leader that lost the others and leads once more: its connection is open and it answers
   * other calls, but sends nothing here. So if the log has grown and nothing has arrived, this calls `leave`.
   */
  async #checkWhenSilent(leave: (reason: Error) => void): Promise<void> {
    const heard = this.#heard;
    if (this.#checking || performance.now() - heard < SILENT_MS) return;
    this.#checking = true;
    try {
      const isBehind = (await this.#newest()) > this.#through;
      if (isBehind) await wait(UNDER_WAY_MS, undefined, { signal: this.#aborting.signal });
      if (this.#heard !== heard) return;
      this.#heard = performance.now();
      if (isBehind) leave(new Passing('the log has new events, but the subscription did not deliver them'));
    } catch {
      // A node that does not answer this either is left by leaderWatch.ts.
    } finally {
      this.#checking = false;
    }
  }

  /** A reader that was only too slow goes on at once; the rest waits longer each time. */
  async #pause(failure: Error): Promise<void> {
    const ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    if (this.#failures % SAY_EVERY === 1)
      this.#log?.warn(
        { reason: reasonOf(failure), failures: this.#failures },
        'EventStoreDB subscription lost, retrying',
      );
    this.#failures += 1;
    await wait(ms, undefined, { signal: this.#aborting.signal }).catch(() => {});
  }

  #add(found: TailEvent): void {
    if (found.position <= this.#through) return;
    this.#failures = 0;
    this.#through = found.position;
    this.#events.push(found);
    this.#bytes += found.bytes;
    // Twice the limit, so that moving them is rare.
    if (this.#events.length > 2 * MOST_EVENTS || this.#bytes > 2 * MOST_BYTES) this.#shorten();
    this.#stir();
  }

  #shorten(): void {
    let from = 0;
    while (this.#events.length - from > MOST_EVENTS || this.#bytes > MOST_BYTES) {
      this.#bytes -= this.#events[from]!.bytes;
      this.#after = this.#events[from]!.position;
      from += 1;
    }
    this.#events = this.#events.slice(from);
  }

  /** Once for all that has come in this turn of the event loop. */
  #stir(): void {
    if (this.#waking || this.#waiting.length === 0) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    });
  }
}
