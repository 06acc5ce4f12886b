/** What the cache needs to know of an entry. */
export interface Weighed {
  /** Estimated bytes. */
  readonly weight: number;
}

/** Keeps what was used last within a bound of bytes. The newest entry stays, however heavy it is. */
export class WarmCache<Entry extends Weighed> {
  readonly #most: number;
  /** In order of use, the latest at the end. */
  readonly #entries = new Map<string, { readonly entry: Entry; weight: number }>();
  #total = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  get bytes(): number {
    return this.#total;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Entry | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, kept);
    return kept.entry;
  }

  put(key: string, entry: Entry): void {
    this.remove(key);
    this.#entries.set(key, { entry, weight: entry.weight });
    this.#total += entry.weight;
    this.#shrink();
  }

  /** Takes note that an entry's weight has changed. */
  reweigh(key: string, entry: Entry): void {
    const kept = this.#entries.get(key);
    if (kept?.entry !== entry) return;
    this.#total += entry.weight - kept.weight;
    kept.weight = entry.weight;
    this.#shrink();
  }

  /** Removes the key; with `entry` only when it is that one that is kept. */
  remove(key: string, entry?: Entry): void {
    const kept = this.#entries.get(key);
    if (kept === undefined || (entry !== undefined && kept.entry !== entry)) return;
    this.#entries.delete(key);
    this.#total -= kept.weight;
  }

  #shrink(): void {
    for (const key of this.#entries.keys()) {
      if (this.#total <= this.#most || this.#entries.size <= 1) return;
      this.remove(key);
    }
  }
}
