/** A bounded memory of what was used last, laid out as it fills. */
import { LRUCache } from 'lru-cache';

export interface LateCacheOptions {
  /** Entries; beyond, the least recently used goes. */
  readonly max: number;
  /** ms that an entry counts; for ever when absent. */
  readonly ttl?: number;
  /** `ttl` is counted from an entry's last use: memory follows what is going on, and is not filled to its bound by what was. */
  readonly idle?: boolean;
  readonly ttlResolution?: number;
  /** What `ttl` is counted by. */
  readonly perf?: { now(): number };
}

/** For `idle`: what is not used for so long, ms, is looked up again, which takes a moment. */
export const IDLE_MS = 3 * 60_000;
/** ms between two looks for what counts no more. */
const SWEEP_MS = 10_000;

/** Places that are laid out with the first entry; all of them once more are needed. */
const FIRST = 1_000;

/**
 * As the library's, which makes all its places at once: for 50,000 of them that takes some milliseconds, and a start makes a dozen
 * such memories, most of which it does not use, or for a few entries.
 */
export class LateCache<V extends object | string | true> {
  readonly #options: Omit<LateCacheOptions, 'idle'> & { readonly updateAgeOnGet?: true };
  #entries: LRUCache<string, V> | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor({ idle = false, ...options }: LateCacheOptions) {
    this.#options = idle ? { ...options, updateAgeOnGet: true, ttlResolution: 0 } : options;
  }

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  get(name: string): V | undefined {
    return this.#entries?.get(name);
  }

  has(name: string): boolean {
    return this.#entries?.has(name) === true;
  }

  /** `ttl`: of this entry, in ms; `start`: from when on it is counted, by `perf`. */
  set(name: string, value: V, options?: { readonly ttl?: number; readonly start?: number }): void {
    const { max } = this.#options;
    let entries = this.#entries ?? this.#laidOut(Math.min(max, FIRST));
    if (entries.size === entries.max && entries.max < max && !entries.has(name)) entries = this.#whole(entries);
    entries.set(name, value, options);
    this.#entries = entries;
    this.#sweep(entries);
  }

  delete(name: string): void {
    this.#entries?.delete(name);
  }

  clear(): void {
    this.#entries?.clear();
  }

  /** What is not asked for again would otherwise stay until others need its place. */
  #sweep(entries: LRUCache<string, V>): void {
    const { ttl, perf = performance } = this.#options;
    if (ttl === undefined) return;
    const now = perf.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    entries.purgeStale();
  }

  #laidOut(max: number): LRUCache<string, V> {
    return new LRUCache<string, V>({ ...this.#options, max });
  }

  /** With room for all, and what was there: its order, and how long each counts. */
  #whole(before: LRUCache<string, V>): LRUCache<string, V> {
    const whole = this.#laidOut(this.#options.max);
    for (const [name, value] of before.rentries() as Iterable<[string, V]>) {
      const ttl = before.getRemainingTTL(name);
      whole.set(name, value, ttl === Number.POSITIVE_INFINITY ? {} : { ttl });
    }
    return whole;
  }
}
