import { StoreUnavailable } from '../../../engine/ports/eventStore.js';
import type { Answer, WriteRequest } from './messages.js';

/** Bounds of what waits for an answer; more is turned away at once. */
export interface QueueBounds {
  readonly requests: number;
  readonly bytes: number;
}

/**
 * Below this number of unanswered requests, new ones are sent in the turn in which they arrive. A lower threshold (16) made commits no
 * cheaper on a busy thread, and each request waited for an answer that was read a long turn later.
 */
const FEW_AWAITED = 256;

interface Pending {
  readonly weight: number;
  settle(answer: Answer | StoreUnavailable): void;
}

/** The side of the writing thread that another thread sees: a bounded queue of requests, answered in order. */
export class AppendQueue {
  readonly #post: (requests: readonly WriteRequest[]) => void;
  readonly #bounds: QueueBounds;
  readonly #pending = new Map<number, Pending>();
  #outgoing: WriteRequest[] = [];
  #bytes = 0;
  #seq = 0;
  /** Requests that the writer has and has not answered. */
  #awaited = 0;
  #failure: StoreUnavailable | undefined;

  constructor(bounds: QueueBounds, post: (requests: readonly WriteRequest[]) => void) {
    this.#bounds = bounds;
    this.#post = post;
  }

  /** Requests that wait for their answer. */
  waiting(): number {
    return this.#pending.size;
  }

  /** A number for the next request. */
  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /**
   * The request has its place in the order when this returns; `settle` is called once, later. Throws StoreUnavailable
   * when too many wait or the queue has failed.
   */
  submit(request: WriteRequest, settle: (answer: Answer | StoreUnavailable) => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#pending.size >= this.#bounds.requests || this.#bytes + request.weight > this.#bounds.bytes)
      throw new StoreUnavailable('too many appends are waiting; try again in a few seconds');
    this.#bytes += request.weight;
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(request);
    this.#pending.set(request.seq, { weight: request.weight, settle });
  }

  hear(answers: readonly Answer[]): void {
    for (const answer of answers) {
      const pending = this.#pending.get(answer.seq);
      if (pending === undefined) continue;
      this.#pending.delete(answer.seq);
      this.#bytes -= pending.weight;
      this.#awaited -= 1;
      pending.settle(answer);
    }
    this.#flush();
  }

  /** Hands over what has been submitted so far. */
  send(): void {
    if (this.#outgoing.length === 0) return;
    this.#awaited += this.#outgoing.length;
    this.#post(this.#outgoing);
    this.#outgoing = [];
  }

  /** No answer will arrive any more: rejects all waiting and future appends. */
  fail(failure: StoreUnavailable): void {
    this.#failure ??= failure;
    for (const pending of this.#pending.values()) pending.settle(failure);
    this.#pending.clear();
    this.#outgoing = [];
  }

  /**
   * One message carries all that was submitted while many are unanswered: when the disk is busy the next commit gathers,
   * and neither thread is woken for each append.
   */
  #flush(): void {
    if (this.#awaited < FEW_AWAITED) this.send();
  }
}
