import type { RawEvent, RawLog } from './rawLog.js';

/** A part of the log: all events after (exclusive) a position, through another. */
export interface Part {
  readonly after: number;
  readonly through: number;
  readonly events: readonly RawEvent[];
}

/** Limits of the cache: readers that are further behind read the log themselves. */
const MOST_EVENTS = 1_000;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The newest parts of the log, read once for all followers: a new head costs one read, however many it wakes. The first follower that needs
 * the next part triggers its read. A part never changes, so a slow reader may use one that is no longer cached.
 */
export class RawLogTail {
  readonly #log: RawLog;
  #parts: Part[] = [];
  #through: number;
  #events = 0;
  #bytes = 0;

  constructor(log: RawLog) {
    this.#log = log;
    this.#through = log.head();
  }

  /** The part that continues from `after`, which is below `head`. Undefined: it is not cached. */
  next(after: number, head: number): Part | undefined {
    if (after > this.#through) this.#beginAt(after);
    if (after === this.#through) this.#readOn(head);
    for (let i = this.#parts.length - 1; i >= 0; i--) {
      const part = this.#parts[i]!;
      if (part.after <= after) return part;
    }
    return undefined;
  }

  #readOn(head: number): void {
    const events = this.#log.events(this.#log.pageOfAll('forwards', this.#through + 1, head));
    const through = events.at(-1)?.position ?? head;
    this.#parts.push({ after: this.#through, through, events });
    this.#through = through;
    this.#events += events.length;
    this.#bytes += sizeOf(events);
    while (this.#parts.length > 1 && (this.#events > MOST_EVENTS || this.#bytes > MOST_BYTES)) this.#forgetOldest();
  }

  #beginAt(position: number): void {
    this.#parts = [];
    this.#events = 0;
    this.#bytes = 0;
    this.#through = position;
  }

  #forgetOldest(): void {
    const { events } = this.#parts.shift()!;
    this.#events -= events.length;
    this.#bytes -= sizeOf(events);
  }
}

const sizeOf = (events: readonly RawEvent[]): number =>
  events.reduce((sum, { dataBytes, metaBytes }) => sum + dataBytes + metaBytes, 0);
