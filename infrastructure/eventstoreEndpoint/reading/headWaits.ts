import type { HeadWatch } from '../../sqlite/eventStore/notices.js';
import type { RawLog } from '../../sqlite/eventStore/rawLog.js';
import type { ReaderStream } from './readerStream.js';

/**
 * The log's head, and those who wait for it to move: one entry at the watch for all of them, so that who stops waiting
 * leaves nothing behind.
 */
export class HeadWaits {
  readonly #watch: HeadWatch;
  readonly #log: RawLog;
  readonly #waiting = new Set<() => void>();
  #head: number;

  constructor(watch: HeadWatch, log: RawLog) {
    this.#watch = watch;
    this.#log = log;
    this.#head = log.head();
    this.#listen();
  }

  /** Position of the newest event that a notice has reported; the log may be further already. */
  get head(): number {
    return this.#head;
  }

  /**
   * Resolves when the head has moved beyond `position`; false: the reader is gone. Rejects with the watch's failure when
   * no further event will be heard of.
   */
  async beyond(position: number, reader: ReaderStream): Promise<boolean> {
    while (this.#head <= position && !reader.gone) {
      if (this.#watch.failure !== undefined) throw this.#watch.failure;
      await this.#next(reader);
    }
    return !reader.gone;
  }

  async #next(reader: ReaderStream): Promise<void> {
    let leave: () => void = () => {};
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      const stay = reader.onWake(resolve);
      leave = () => {
        this.#waiting.delete(resolve);
        stay();
      };
    });
    leave();
  }

  #listen(): void {
    this.#watch.beyond(Number.MAX_SAFE_INTEGER, () => {
      const ended = this.#watch.failure !== undefined;
      if (!ended) this.#head = this.#log.head();
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const wake of waiting) wake();
      if (!ended) this.#listen();
    });
  }
}
