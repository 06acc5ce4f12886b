import { LRUCache } from 'lru-cache';
import { IDLE_MS } from '../lateCache.js';

/** What the cache needs to know of an entry. */
export interface Weighed {
  /** Estimated bytes. */
  readonly weight: number;
}

/** Estimated bytes from which on it takes more than a moment, and stays: a large catalog. */
export const HEAVY = 256 * 1024;
const SWEEP_MS = 10_000;

/**
 * Keeps what was used last within a bound of bytes, and what is not heavy for as long as it is used. The newest entry stays, however heavy it is.
 */
export class WarmCache<Entry extends Weighed> {
  readonly #entries: LRUCache<string, Entry>;
  readonly #clock: { now(): number };
  #sweptAt: number;

  /** `clock`: ms that only grow. */
  constructor(mostBytes: number, clock: { now(): number } = performance) {
    this.#clock = clock;
    this.#sweptAt = clock.now();
    this.#entries = new LRUCache({
      maxSize: mostBytes,
      ttl: IDLE_MS,
      ttlResolution: 0,
      updateAgeOnGet: true,
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
    const now = this.#clock.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    this.#entries.purgeStale();
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
