/** A bounded memory of what was used last, laid out as it fills. */
import { LRUCache } from 'lru-cache';
import { FROM_LAST_USE, Sweeps } from './idle.js';
import { type SteadyClock, steadyClock } from './ports/clock.js';

export interface LateCacheOptions {
  /** Entries; beyond, the least recently used goes. */
  readonly max: number;
  /** ms that an entry counts; for ever when absent. */
  readonly ttl?: number;
  /** `ttl` is counted from an entry's last use. */
  readonly idle?: boolean;
  readonly ttlResolution?: number;
  /** What `ttl` is counted by. */
  readonly perf?: Pick<SteadyClock, 'now' | 'isSteady'>;
}

/** Places that are laid out with the first entry; all of them once more are needed. */
const FIRST = 1_000;

/**
 * As the library's, which makes all its places at once: for 50,000 of them that takes some milliseconds, and a start makes a dozen
 * such memories, most of which it does not use, or for a few entries.
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

  /** The value of a name; where there is none, what `make` answers, which is kept. */
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

  /** `ttl`: of this entry, in ms; `start`: from when on it is counted, by `perf`. */
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

  /** With room for all, and what was there: its order, and how long each counts. */
  #whole(before: LRUCache<string, V>): LRUCache<string, V> {
    const { max, idle, ttl = 0, perf = steadyClock } = this.#options;
    const whole = this.#laidOut(max);
    for (const [name, value] of before.rentries() as Iterable<[string, V]>) {
      const left = before.getRemainingTTL(name);
      if (left === Number.POSITIVE_INFINITY) whole.set(name, value);
      // Its next use gives it the whole time again.
      else if (idle) whole.set(name, value, { start: perf.now() - (ttl - left) });
      else whole.set(name, value, { ttl: left });
    }
    return whole;
  }
}
