import { setImmediate as turn } from 'node:timers/promises';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream, StatusObject } from '@grpc/grpc-js';
import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { refusalOf, toStatus, unavailable } from '../refusal.js';

export type ReadCall = ServerWritableStream<ReadReq, Buffer>;

/** The way to one reader. At most a few messages wait for him; who writes waits for the rest. */
export class ReaderStream {
  readonly #call: ReadCall;
  #gone = false;
  #full = false;
  readonly #wakeups = new Set<() => void>();

  constructor(call: ReadCall) {
    this.#call = call;
    const leave = (): void => {
      this.#gone = true;
      this.#wake();
    };
    call.on('cancelled', leave);
    call.on('close', leave);
    call.on('drain', () => {
      this.#full = false;
      this.#wake();
    });
  }

  /** The call is over: cancelled, past its deadline, or cut off. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Every write is followed by `room()` before the next when it answers false. */
  write(message: Buffer): boolean {
    if (this.#gone) return false;
    this.#full = !this.#call.write(message);
    return !this.#full;
  }

  /** Resolves when there is room for more, or the reader is gone: answers whether he is still there. */
  async room(): Promise<boolean> {
    while (this.#full && !this.#gone) await new Promise<void>((resolve) => this.onWake(resolve));
    return !this.#gone;
  }

  /** Lets others have the thread; answers whether the reader is still there. */
  async turn(): Promise<boolean> {
    await turn();
    return this.room();
  }

  /** Calls `wake` once, when there is room again or the reader is gone. Answers how to take that back. */
  onWake(wake: () => void): () => void {
    this.#wakeups.add(wake);
    if (this.#gone) this.#wake();
    return () => this.#wakeups.delete(wake);
  }

  end(): void {
    if (!this.#gone) this.#call.end();
  }

  /** Ends the call with the status of an error. */
  fail(error: unknown): void {
    if (!this.#gone) this.#call.emit('error', statusOf(error));
  }

  #wake(): void {
    const waiting = [...this.#wakeups];
    this.#wakeups.clear();
    for (const wake of waiting) wake();
  }
}

function statusOf(error: unknown): StatusObject {
  if (error instanceof StoreUnavailable) return toStatus(unavailable(`${error.message}: try again soon`));
  return toStatus(refusalOf(error));
}
