import { randomUUID } from 'node:crypto';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type Expected, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type Answered, correlationOf, outcomeOf } from './appendAnswers.js';
import type { Connection, OpenAppendCall } from './connection.js';
import { failureOf, Passing, Unfit } from './failures.js';
import { type AppendRequest, appendRequest, type ProposedEvent } from './protocol.js';

/** Appends that wait for an answer; more are turned away at once. */
const QUEUE_APPENDS = 10_000;
const QUEUE_BYTES = 64 * 1024 * 1024;
/** Timeouts that an append may wait behind others that are being answered. */
const LONGEST_QUEUE = 4;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;

interface Waiting {
  readonly stream: string;
  readonly expected: Expected;
  readonly request: AppendRequest;
  readonly bytes: number;
  /** `performance.now()` in ms. */
  readonly since: number;
  sent: boolean;
  resolve(answered: Answered): void;
  reject(error: Error): void;
}

/**
 * All appends of this thread are sent over one call, in order, and answered on it by their ids. When the call breaks, appends that expect a
 * revision are sent once more in the same order: the server recognises those that it has written. Appends that expect nothing are returned
 * to the caller, since the server forgets those when it restarts. On a new call one append goes first: a server that is not quite ready
 * would refuse some appends and write the ones behind them.
 */
export class AppendPipe {
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<string, Waiting>();
  #call: OpenAppendCall | undefined;
  /** When the call was opened: `performance.now()`. */
  #calledAt = 0;
  /** The server has taken an append on this call, or judged one. */
  #proven = false;
  /** Why appends were turned away, while they are. */
  #refused: string | undefined;
  #opening = false;
  #bytes = 0;
  #heard = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closing = false;
  #idle: () => void = () => {};

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
    connection.watchAppends(() => this.#unanswered());
  }

  /**
   * Takes its place in the order before it returns. Rejects with WrongExpectedRevision, PayloadTooLarge, Passing (an append that expects
   * nothing: check whether it is stored, then repeat it), or StoreUnavailable when the server has been silent for the timeout.
   */
  append(stream: string, expected: Expected, events: readonly ProposedEvent[], bytes: number): Promise<Answered> {
    if (this.#closing) return Promise.reject(new StoreUnavailable('the event store is closing'));
    if (this.#waiting.size >= QUEUE_APPENDS || (this.#bytes > 0 && this.#bytes + bytes > QUEUE_BYTES))
      return Promise.reject(new StoreUnavailable('too many appends are waiting; try again in a few seconds'));
    const correlation = randomUUID();
    const request = appendRequest(correlation, stream, expected, events);
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const waiting: Waiting = { stream, expected, request, bytes, since, sent: false, resolve, reject };
      this.#waiting.set(correlation, waiting);
      this.#bytes += bytes;
      this.#timer ??= setTimeout(() => this.#giveUpLate(), this.#timeoutMs);
      if (this.#call !== undefined) {
        if (this.#proven || this.#waiting.size === 1) this.#send(this.#call, waiting);
      } else if (this.#retry === undefined) void this.#open();
    });
  }

  /** Ends when all is answered, or after `graceMs`: then what waits is rejected, its outcome unknown. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    if (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
        setTimeout(resolve, graceMs).unref();
      });
    }
    clearTimeout(this.#retry);
    this.#rejectAll(
      new StoreUnavailable('the event store was closed before the append was answered: its outcome is unknown'),
    );
    this.#call?.cancel();
    this.#call = undefined;
  }

  async #open(): Promise<void> {
    if (this.#opening) return;
    this.#opening = true;
    this.#retry = undefined;
    let broken = false;
    try {
      const call = await this.#connection.batchAppend({
        message: (answer) => this.#hear(answer),
        ended: (error) => {
          broken = true;
          this.#call = undefined;
          this.#lost(error ?? new Passing('the server has ended the call'));
        },
      });
      if (!broken) {
        this.#call = call;
        this.#calledAt = performance.now();
        this.#proven = false;
        for (const waiting of this.#waiting.values()) waiting.sent = false;
        const [first] = this.#waiting.values();
        if (first !== undefined) this.#send(call, first);
      }
    } catch (error) {
      this.#lost(error as Error);
    } finally {
      this.#opening = false;
    }
  }

  #send(call: OpenAppendCall, waiting: Waiting): void {
    waiting.sent = true;
    call.write(waiting.request);
  }

  #hear(answer: BatchAppendResp): void {
    this.#heard = performance.now();
    const correlation = correlationOf(answer);
    const waiting = this.#waiting.get(correlation);
    // Late, or the second answer to one append.
    if (waiting === undefined) return;
    const outcome = outcomeOf(answer, waiting.stream, waiting.expected);
    if (outcome instanceof Unfit) {
      this.#unfit(outcome);
      return;
    }
    if (!(outcome instanceof Passing)) {
      this.#refused = undefined;
      this.#failures = 0;
      this.#call?.heard();
    }
    this.#prove();
    if (outcome instanceof Error) this.#settle(correlation, waiting, this.#connection.explained(outcome));
    else {
      this.#forget(correlation, waiting);
      waiting.resolve(outcome);
    }
  }

  /** Sends the appends that have waited for the first answer. */
  #prove(): void {
    if (this.#proven || this.#call === undefined) return;
    this.#proven = true;
    for (const waiting of this.#waiting.values()) if (!waiting.sent) this.#send(this.#call, waiting);
  }

  /** The node takes no appends now. All keep their places, for it or for another one. */
  #unfit(reason: Unfit): void {
    const call = this.#call;
    this.#refused = reason.message;
    call?.unfit(reason);
    // Where there is no other node the call goes on, and more of it would be refused.
    if (call !== undefined && this.#call === call) this.#renew(call, reason);
  }

  /** Sends the waiting appends once more, over a new call. */
  #renew(call: OpenAppendCall, reason: Passing): void {
    this.#call = undefined;
    call.cancel();
    this.#lost(reason);
  }

  /** A node may forget a call and still answer others: then nothing on the forgotten call is ever answered. */
  #leaveSilent(): void {
    const isSilent = performance.now() - Math.max(this.#calledAt, this.#heard) >= this.#timeoutMs;
    if (this.#call !== undefined && isSilent) this.#renew(this.#call, new Passing('the call got no response'));
  }

  /** For how many ms nothing has been answered while something waits for it; 0: nothing waits. */
  #unanswered(): number {
    const [oldest] = this.#waiting.values();
    return oldest === undefined ? 0 : performance.now() - Math.max(oldest.since, this.#heard);
  }

  #lost(error: Error): void {
    const failure = failureOf(error);
    if (!(failure instanceof Passing)) this.#rejectAll(failure);
    for (const [correlation, waiting] of this.#waiting)
      if (waiting.sent && waiting.expected === 'any') this.#settle(correlation, waiting, failure);
    if (this.#waiting.size === 0 || this.#retry !== undefined) return;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#open(), wait);
  }

  /** They were sent in the order of their time: the oldest come first. */
  #giveUpLate(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [correlation, waiting] of this.#waiting) {
      const left = this.#lastMoment(waiting) - now;
      if (left > 0) {
        this.#timer = setTimeout(() => this.#giveUpLate(), left + 1);
        break;
      }
      const why = this.#refused === undefined ? '' : ` (${this.#refused})`;
      const text = `EventStoreDB has not answered an append within ${this.#timeoutMs} ms${why}: its outcome is unknown`;
      this.#settle(correlation, waiting, new StoreUnavailable(text));
      // Where the first of a call is never answered, the others have waited for it long enough.
      this.#prove();
      void this.#connection.suspect();
    }
    this.#leaveSilent();
  }

  /** A long queue is no silence: while others are answered an append may wait, but not for ever. */
  #lastMoment({ since }: Waiting): number {
    const patient = Math.min(Math.max(since, this.#heard) + this.#timeoutMs, since + LONGEST_QUEUE * this.#timeoutMs);
    return Math.max(since + this.#timeoutMs, patient);
  }

  #settle(correlation: string, waiting: Waiting, error: Error): void {
    this.#forget(correlation, waiting);
    waiting.reject(error);
  }

  #forget(correlation: string, { bytes }: Waiting): void {
    this.#waiting.delete(correlation);
    this.#bytes -= bytes;
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#idle();
  }

  #rejectAll(error: Error): void {
    for (const [correlation, waiting] of this.#waiting) this.#settle(correlation, waiting, error);
  }
}
