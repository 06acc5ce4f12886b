import { LRUCache } from 'lru-cache';

/** What the cache needs to know of an entry. */
export interface Weighed {
  /** Estimated bytes. */
  readonly weight: number;
}

/** Keeps what was used last within a bound of bytes. The newest entry stays, however heavy it is. */
export class WarmCache<Entry extends Weighed> {
  readonly #entries: LRUCache<string, Entry>;

  constructor(mostBytes: number) {
    this.#entries = new LRUCache({
      maxSize: mostBytes,
      // The library refuses what is heavier than the bound, and weighs in whole numbers from 1.
      sizeCalculation: ({ weight }) => Math.min(mostBytes, Math.max(1, Math.ceil(weight))),
    });
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
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
