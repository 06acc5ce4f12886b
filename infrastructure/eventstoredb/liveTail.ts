import { setTimeout as wait } from 'node:timers/promises';
import {
  type EventMark,
  markOf,
  type Position,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import { firstAfter } from '../placeInLog.js';
import type { Connection, OpenCall } from './connection.js';
import { failureOf, Passing, reasonOf } from './failures.js';
import { type Passes, serverFilter } from './filters.js';
import type { Page } from './logFeed.js';
import { subscribeRequest, type Window } from './protocol.js';
import { TailEvent } from './tailEvent.js';

/** Events kept: enough for followers that are a few batches apart. */
const MOST_EVENTS = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** Only system events are left out here: there is no hurry to hear of them. */
const WINDOW: Window = { events: 500, checkpointEvery: 4 };
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;
/** After so long without a word it is looked whether there was something to say; what was written meanwhile may be on its way so long. */
const SILENT_MS = 2_000;
const UNDER_WAY_MS = 500;
/** Failures in a row before it is said again that there are some. */
const SAY_EVERY = 60;

/** What a follower asks for. */
export interface Question {
  readonly passes: Passes;
  readonly wants: SubscribeOptions['wants'] | undefined;
}

/**
 * The newest events, by one live subscription for all who follow in this thread: an event crosses the wire once, however many
 * wait for it, and is parsed once, if any of them asks for it. It never holds the server up, so the server has no reason to cut it; when it does, or
 * the connection breaks, the tail goes on after the last event it has seen, and its followers notice nothing.
 */
export class LiveTail {
  readonly #connection: Connection;
  readonly #newest: () => Promise<Position>;
  readonly #log: Log | undefined;
  /** Everything in (after, through] is kept. */
  #after: Position;
  #through: Position;
  #events: TailEvent[] = [];
  #bytes = 0;
  #call: OpenCall | undefined;
  #stopped = false;
  #failures = 0;
  /** When the server said something, or was found to have nothing to say: `performance.now()`. */
  #heard = 0;
  #looking = false;
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

  /** Everything up to here was in the log before this was asked. */
  get through(): Position {
    return this.#through;
  }

  /** What follows a position, or undefined: so far back it is not kept. */
  read(after: Position, { passes, wants }: Question, limit: number): Page | undefined {
    if (after < this.#after) return undefined;
    const events: RecordedEvent[] = [];
    for (let i = firstAfter(this.#events, after); i < this.#events.length; i += 1) {
      const one = this.#events[i]!;
      if (!passes(one.stream, one.type) || wants?.(one.key) === false) continue;
      const { event } = one;
      if (event === undefined) continue;
      events.push(event);
      if (events.length === limit) return { events, through: event.position, last: markOf(event) };
    }
    return { events, through: Math.max(after, this.#through), last: this.#lastMark() };
  }

  /** What others wrote, and the port does not show, tells nothing of the log. */
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
        this.#watch = setInterval(() => void this.#lookWhenSilent(reject), SILENT_MS / 4);
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
   * A node may forget who listens, as one that led, lost the others and leads again: its connection stands, it answers whatever else it is
   * asked, and says nothing here for ever. So where the log has gone on and nothing of it has come, this calls `leave`.
   */
  async #lookWhenSilent(leave: (reason: Error) => void): Promise<void> {
    const heard = this.#heard;
    if (this.#looking || performance.now() - heard < SILENT_MS) return;
    this.#looking = true;
    try {
      const isBehind = (await this.#newest()) > this.#through;
      if (isBehind) await wait(UNDER_WAY_MS, undefined, { signal: this.#aborting.signal });
      if (this.#heard !== heard) return;
      this.#heard = performance.now();
      if (isBehind) leave(new Passing('the log has gone on, and the server has told nothing of it'));
    } catch {
      // Whoever does not answer this either is left by others (leaderWatch.ts).
    } finally {
      this.#looking = false;
    }
  }

  /** A reader that was only too slow goes on at once; the rest waits longer each time. */
  async #pause(failure: Error): Promise<void> {
    const ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    if (this.#failures % SAY_EVERY === 1)
      this.#log?.warn(
        { reason: reasonOf(failure), failures: this.#failures },
        'the live events of EventStoreDB are cut off',
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
    // Twice as many as kept, so that moving them is rare.
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
