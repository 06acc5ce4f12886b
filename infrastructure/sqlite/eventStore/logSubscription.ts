import { setImmediate as turn } from 'node:timers/promises';
import type { EventFilter, Position, Subscriber, Subscription } from '../../../engine/ports/eventStore.js';
import type { LogReader } from './logReader.js';
import type { HeadWatch } from './notices.js';

const DEFAULT_BATCH = 500;

type Reader = Pick<LogReader, 'readAll' | 'allLeftOut'>;

/** Catches up page by page, then waits for the head to move: nothing is polled, and nothing is read ahead of the handler. */
export class LogSubscription implements Subscription {
  readonly ended: Promise<void>;
  readonly #reader: Reader;
  readonly #heads: HeadWatch;
  readonly #subscriber: Subscriber;
  readonly #filter: EventFilter;
  readonly #batch: number;
  #through: Position;
  #caughtUp = false;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(
    source: { reader: Reader; heads: HeadWatch },
    after: Position,
    filter: EventFilter,
    subscriber: Subscriber,
    batch = DEFAULT_BATCH,
  ) {
    this.#reader = source.reader;
    this.#heads = source.heads;
    this.#subscriber = subscriber;
    this.#filter = filter;
    this.#batch = batch;
    this.#through = after;
    this.ended = this.#run();
    // The owner may look at `ended` late or never; its failure must not end the process by itself.
    this.ended.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.ended.catch(() => {});
  }

  async #run(): Promise<void> {
    // Nothing is delivered before subscribe() has returned.
    await turn();
    while (!this.#stopped) {
      if (this.#heads.failure !== undefined) throw this.#heads.failure;
      const end = await this.#deliver();
      if (end) await this.#newHead();
      else await turn();
    }
  }

  /** One page to the handler; answers whether it was the last for now. */
  async #deliver(): Promise<boolean> {
    // The waking notice carries the head; at first the head is read, since a notice may still be in transit.
    const head = this.#caughtUp ? Math.max(this.#heads.head, this.#through) : undefined;
    const page = await this.#reader.readAll(this.#through, { filter: this.#filter, limit: this.#batch }, head);
    if (this.#stopped) return true;
    if (page.through > this.#through) await this.#subscriber.batch(page.events, page.through, page.last);
    this.#through = page.through;
    if (page.end && !this.#caughtUp && !this.#stopped) {
      this.#caughtUp = true;
      this.#subscriber.caughtUp?.();
    }
    return page.end;
  }

  #newHead(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      const poll = (): void => {
        if (!this.#passBy()) resolve();
        else this.#heads.beyond(this.#through, poll);
      };
      if (this.#stopped) resolve();
      else this.#heads.beyond(this.#through, poll);
    });
  }

  /**
   * Most events of a commit do not concern a subscriber: if that is known without reading, it is notified in this very turn. False: the log
   * has to be read.
   */
  #passBy(): boolean {
    if (this.#stopped || !this.#caughtUp || this.#subscriber.passed === undefined) return false;
    if (this.#heads.failure !== undefined) return false;
    const left = this.#leftOut();
    if (left === undefined) return false;
    this.#through = left.through;
    this.#subscriber.passed(left.through, left.last);
    return true;
  }

  #leftOut(): ReturnType<LogReader['allLeftOut']> {
    try {
      return this.#reader.allLeftOut(this.#through, this.#filter, this.#heads.head);
    } catch {
      // The publisher of a new head must not fail with it: the log is read once more, and that failure ends the subscription.
      return undefined;
    }
  }
}
