import type { EventFilter, EventMark, Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Connection, OpenCall } from './connection.js';
import { Passing } from './failures.js';
import { localFilter, type Passes, serverFilter } from './filters.js';
import { positionOf } from './positions.js';
import { subscribeRequest, type Window } from './protocol.js';
import type { ReadMessage } from './readMessages.js';
import { type Decoded, decoded } from './recordedEvents.js';

/** Pages that the server reads at once, and a checkpoint every 2,000 events that a filter leaves out. */
const WINDOW: Window = { events: 500, checkpointEvery: 4 };
/** Buffer for a busy handler; the server then waits. */
const MOST_EVENTS = 2_000;
const MOST_BYTES = 8 * 1024 * 1024;
/** Time that a server which answers other calls may search for matching events, in ms, before it must have reported its progress. */
export const LONGEST_SCAN_MS = 60_000;

/** Converts a message; undefined: it is not an event. */
export type Decode<E> = (message: ReadMessage, passes: Passes) => Decoded<E> | undefined;

export interface Page<E = RecordedEvent> {
  readonly events: E[];
  readonly through: Position;
  /** As in the port's Subscriber. */
  readonly last?: EventMark | undefined;
}

/** The log from a position on, filtered by the server, in order, at the pace of who takes it; to be closed. */
export class LogFeed<E extends { readonly position: Position } = RecordedEvent> {
  readonly #passes: Passes;
  readonly #decode: Decode<E>;
  readonly #silenceMs: number;
  #call: OpenCall | undefined;
  #events: { event: E; bytes: number }[] = [];
  #taken = 0;
  #bytes = 0;
  #through: Position;
  #caughtUp = false;
  #checkpoints = 0;
  #failure: Error | undefined;
  #paused = false;
  #closed = false;
  /** Something has come that no call of `more` has answered yet. */
  #news = false;
  #wake: (() => void) | undefined;
  /** Time of the last message, and of the last sign that the server works: `performance.now()`. */
  #heard = 0;
  #alive = 0;
  #requesting = false;
  readonly #watch: NodeJS.Timeout;

  private constructor(after: Position, filter: EventFilter, silenceMs: number, decode: Decode<E>) {
    this.#through = after;
    this.#decode = decode;
    this.#passes = localFilter(filter);
    this.#silenceMs = silenceMs;
    this.#resubscribe();
    this.#watch = setInterval(() => this.#listenForSilence(), silenceMs / 4);
  }

  /**
   * `silenceMs`: how long the server may be silent while events are pending, and not answer other calls. Rejects if it cannot be reached.
   */
  static open(connection: Connection, after: Position, filter: EventFilter, silenceMs: number): Promise<LogFeed> {
    return LogFeed.of(connection, after, filter, silenceMs, decoded);
  }

  /** The same, of what `decode` makes of each message. */
  static async of<E extends { readonly position: Position }>(
    connection: Connection,
    after: Position,
    filter: EventFilter,
    silenceMs: number,
    decode: Decode<E>,
  ): Promise<LogFeed<E>> {
    const feed = new LogFeed(after, filter, silenceMs, decode);
    try {
      const call = await connection.read(subscribeRequest(after, serverFilter(filter), WINDOW), {
        message: (message) => feed.#hear(message),
        ended: (error) => feed.#end(error ?? new Passing('the server has ended the subscription')),
      });
      feed.#call = call;
      if (feed.#closed) call.cancel();
      return feed;
    } catch (error) {
      feed.close();
      throw error;
    }
  }

  /** True if everything in the log at some moment after opening has been taken or is buffered. */
  get caughtUp(): boolean {
    return this.#caughtUp;
  }

  /** Events that wait to be taken. */
  get waiting(): number {
    return this.#events.length - this.#taken;
  }

  /** No more comes until what is here has been taken. */
  get isHalted(): boolean {
    return this.#paused || this.#failure !== undefined;
  }

  /** Number of progress messages of the server; each covers some thousand scanned events. */
  get checkpoints(): number {
    return this.#checkpoints;
  }

  /**
   * Resolves when something has come since the last call: an event, a checkpoint, the end of the history. What came while nobody waited
   * counts too. Rejects when the feed broke and all that came before is taken.
   */
  async more(): Promise<void> {
    if (!this.#news && this.#failure === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#news = false;
    if (this.#failure !== undefined && this.waiting === 0) throw this.#failure;
  }

  /** Up to `limit` events, and the position up to which everything has now been taken. */
  take(limit: number): Page<E> {
    const end = Math.min(this.#events.length, this.#taken + limit);
    const events: E[] = [];
    for (let i = this.#taken; i < end; i += 1) {
      const { event, bytes } = this.#events[i]!;
      events.push(event);
      this.#bytes -= bytes;
    }
    this.#taken = end;
    if (end === this.#events.length) {
      this.#events = [];
      this.#taken = 0;
      this.#resume();
      return { events, through: this.#through };
    }
    return { events, through: events.at(-1)!.position };
  }

  close(): void {
    this.#closed = true;
    this.#call?.cancel();
    this.#end(new Passing('the subscription was closed'));
  }

  #hear(message: ReadMessage): void {
    this.#resubscribe();
    const found = this.#decode(message, this.#passes);
    if (found !== undefined) {
      this.#through = found.position;
      if (found.event === undefined) return;
      this.#events.push({ event: found.event, bytes: found.bytes });
      this.#bytes += found.bytes;
      if (this.#events.length - this.#taken >= MOST_EVENTS || this.#bytes >= MOST_BYTES) this.#pause();
      this.#stir();
      return;
    }
    const { checkpoint, caughtUp } = message;
    if (checkpoint !== undefined) {
      this.#through = Math.max(this.#through, positionOf(checkpoint.commit, checkpoint.prepare));
      this.#checkpoints += 1;
      this.#stir();
    } else if (caughtUp) {
      this.#caughtUp = true;
      this.#stir();
    }
  }

  #end(error: Error): void {
    this.#failure ??= error;
    clearInterval(this.#watch);
    this.#stir();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#call?.pause();
  }

  #resume(): void {
    this.#resubscribe();
    if (!this.#paused) return;
    this.#paused = false;
    this.#call?.resume();
  }

  #stir(): void {
    this.#news = true;
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #resubscribe(): void {
    this.#heard = performance.now();
    this.#alive = this.#heard;
  }

  #listenForSilence(): void {
    if (this.#paused || this.#caughtUp || this.#requesting || performance.now() - this.#alive < this.#silenceMs) return;
    this.#requesting = true;
    void this.#probe(this.#heard).finally(() => {
      this.#requesting = false;
    });
  }

  /** A server that looks through a long part of the log, and finds nothing that the filter lets pass, is silent and at work. */
  async #probe(heard: number): Promise<void> {
    const mayScan = performance.now() - heard < LONGEST_SCAN_MS;
    const works = mayScan && this.#call !== undefined && (await this.#call.answers());
    if (this.#heard !== heard || this.#closed) return;
    this.#alive = performance.now();
    if (works) return;
    this.#end(new Passing(`EventStoreDB has been silent for ${Math.round(this.#alive - heard)} ms`));
    this.#call?.cancel();
  }
}
