import { LRUCache } from 'lru-cache';
import { FROM_LAST_USE, IDLE_MS, Sweeps } from '../idle.js';
import { type SteadyClock, steadyClock } from '../ports/clock.js';

/** What the cache needs to know of an entry. */
export interface Weighed {
  /** Estimated bytes. */
  readonly weight: number;
}

/** Estimated bytes from which on it takes more than a moment, and stays: a large catalog. */
export const HEAVY = 256 * 1024;

/**
 * Keeps what was used last within a bound of bytes, and what is not heavy for as long as it is used. The newest entry stays, however heavy it is.
 */
export class WarmCache<Entry extends Weighed> {
  readonly #entries: LRUCache<string, Entry>;
  readonly #sweeps: Sweeps;

  /** `clock`: ms that only grow. */
  constructor(mostBytes: number, clock: Pick<SteadyClock, 'now' | 'isSteady'> = steadyClock) {
    this.#sweeps = new Sweeps(clock);
    this.#entries = new LRUCache({
      maxSize: mostBytes,
      ttl: IDLE_MS,
      ...FROM_LAST_USE,
      perf: clock,
      // The library refuses what is heavier than the bound, and weighs in whole numbers from 1.
      sizeCalculation: ({ weight }) => Math.min(mostBytes, Math.max(1, Math.ceil(weight))),
    });
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  put(key: string, entry: Entry): void {
    this.#entries.set(key, entry, { ttl: entry.weight < HEAVY ? IDLE_MS : 0 });
    this.#sweeps.over(this.#entries);
  }

  /** Takes note that an entry's weight has changed. */
  reweigh(key: string, entry: Entry): void {
    // Put in anew, since the library weighs an entry once.
    if (this.remove(key, entry)) this.put(key, entry);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Removes the key when it is this entry that is kept. */
  remove(key: string, entry: Entry): boolean {
    return this.#entries.peek(key) === entry && this.#entries.delete(key);
  }
}
