/** A bounded LRU cache that allocates its memory as it fills. */
import { LRUCache } from 'lru-cache';
import { FROM_LAST_USE, Sweeps } from './idle.js';
import { type SteadyClock, steadyClock } from './ports/clock.js';

export interface LateCacheOptions {
  /** Maximum number of entries. The least recently used one is evicted. */
  readonly max: number;
  /** Lifetime of an entry in ms. Absent: unlimited. */
  readonly ttl?: number;
  /** True if `ttl` is counted from an entry's last use. */
  readonly idle?: boolean;
  readonly ttlResolution?: number;
  /** Clock that `ttl` is counted by. */
  readonly perf?: Pick<SteadyClock, 'now' | 'isSteady'>;
}

/** Slots allocated with the first entry. All `max` slots are allocated once more are needed. */
const FIRST = 1_000;

/**
 * Like lru-cache, which allocates all slots at once: some milliseconds for 50,000. A start creates a dozen such caches,
 * and most of them stay empty or small.
 */
export class LateCache<V extends object | string | true> {
  readonly #options: LateCacheOptions;
  readonly #sweeps: Sweeps | undefined;
  #entries: LRUCache<string, V> | undefined;

  constructor(options: LateCacheOptions) {
    this.#options = options;
    const { ttl, perf = steadyClock } = options;
    this.#sweeps = ttl === undefined ? undefined : new Sweeps(perf);
  }

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  get(name: string): V | undefined {
    return this.#entries?.get(name);
  }

  /** Returns the value of a name. If there is none, stores and returns the value from `make`. */
  getOrMake(name: string, make: () => V): V {
    const known = this.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.set(name, made);
    return made;
  }

  has(name: string): boolean {
    return this.#entries?.has(name) === true;
  }

  /** `ttl`: lifetime of this entry in ms. `start`: the time by `perf` at which it begins. */
  set(name: string, value: V, options?: { readonly ttl?: number; readonly start?: number }): void {
    const { max } = this.#options;
    let entries = this.#entries ?? this.#laidOut(Math.min(max, FIRST));
    if (entries.size === entries.max && entries.max < max && !entries.has(name)) entries = this.#whole(entries);
    entries.set(name, value, options);
    this.#entries = entries;
    this.#sweeps?.over(entries);
  }

  delete(name: string): void {
    this.#entries?.delete(name);
  }

  clear(): void {
    this.#entries?.clear();
  }

  #laidOut(max: number): LRUCache<string, V> {
    const { idle, ...options } = this.#options;
    return new LRUCache<string, V>({ ...options, ...(idle && FROM_LAST_USE), max });
  }

  /** Returns a cache of full size with the same entries, in the same order, each with its remaining lifetime. */
  #whole(before: LRUCache<string, V>): LRUCache<string, V> {
    const { max, idle, ttl = 0, perf = steadyClock } = this.#options;
    const whole = this.#laidOut(max);
    for (const [name, value] of before.rentries() as Iterable<[string, V]>) {
      const left = before.getRemainingTTL(name);
      if (left === Number.POSITIVE_INFINITY) whole.set(name, value);
      // Its next use restarts the full lifetime.
      else if (idle) whole.set(name, value, { start: perf.now() - (ttl - left) });
      else whole.set(name, value, { ttl: left });
    }
    return whole;
  }
}
