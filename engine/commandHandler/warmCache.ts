import { LRUCache } from 'lru-cache';
import { FROM_LAST_USE, IDLE_MS, Sweeps } from '../idle.js';
import { type SteadyClock, steadyClock } from '../ports/clock.js';

/** Part of an entry that the cache uses. */
export interface Weighed {
  /** Estimated bytes. */
  readonly weight: number;
}

/** Estimated bytes from which an entry is slow to load, and does not expire: a large catalog. */
export const HEAVY = 256 * 1024;

/**
 * LRU cache with a maximum size in bytes. Light entries expire when they are idle. The newest entry stays, however
 * heavy it is.
 */
export class WarmCache<Entry extends Weighed> {
  readonly #entries: LRUCache<string, Entry>;
  readonly #sweeps: Sweeps;

  /** `clock`: must never go back. */
  constructor(mostBytes: number, clock: Pick<SteadyClock, 'now' | 'isSteady'> = steadyClock) {
    this.#sweeps = new Sweeps(clock);
    this.#entries = new LRUCache({
      maxSize: mostBytes,
      ttl: IDLE_MS,
      ...FROM_LAST_USE,
      perf: clock,
      // The library refuses entries heavier than the bound, and accepts only whole weights from 1.
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

  /** Updates the weight of an entry. */
  reweigh(key: string, entry: Entry): void {
    // Removed and put back, since the library weighs an entry only once.
    if (this.remove(key, entry)) this.put(key, entry);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Removes the key if its entry is this one. */
  remove(key: string, entry: Entry): boolean {
    return this.#entries.peek(key) === entry && this.#entries.delete(key);
  }
}
