import { IDLE_MS } from '../../engine/idle.js';
import { LateCache } from '../../engine/lateCache.js';
import type { SteadyClock } from '../../engine/ports/clock.js';

/** Reports changes that make cached values invalid. */
export interface Watched {
  /** Returns the current moment. Call it before a load. */
  now(): number;
  changedSince(moment: number): boolean;
}

interface CachedValue<V> {
  readonly value: Promise<V | undefined>;
  /** Time of the last confirmation, by the steady clock. `moment`: same, for `Watched`. */
  at: number;
  moment: number;
}

/**
 * Caches the results of `load` for `freshMs`, counted from the start of the load. Concurrent callers share one load. A `watched` value is
 * valid for another `freshMs` each time that it has not changed by then.
 *
 * The size is bounded, with LRU eviction. Missing values have a cache of their own, so that a flood of made-up names cannot evict existing
 * ones.
 */
export class BriefCache<V> {
  readonly #clock: SteadyClock;
  readonly #freshMs: number;
  readonly #max: number;
  readonly #watched: Watched | undefined;
  /** Loads in progress. They are not in the caches, since the library refills all its places when its last entry is deleted. */
  readonly #loading = new Map<string, { readonly value: Promise<V | undefined>; readonly start: number }>();
  readonly #found: LateCache<CachedValue<V>>;
  readonly #missing: LateCache<Promise<V | undefined>>;

  constructor(clock: SteadyClock, freshMs: number, max: number, watched?: Watched) {
    this.#clock = clock;
    this.#freshMs = freshMs;
    this.#max = max;
    this.#watched = watched;
    // The library counts a value whose age equals its ttl as fresh, and this cache does not.
    const bounds = { max, ttl: freshMs - 1, ttlResolution: 0, perf: clock };
    this.#found = new LateCache(watched === undefined ? bounds : { max, ttl: IDLE_MS, idle: true, perf: clock });
    this.#missing = new LateCache(bounds);
  }

  /** Returns the cached value, or loads it. Failed loads are not cached. */
  get(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const found = this.#found.get(name);
    if (found !== undefined && this.#counts(found)) return found.value;
    return this.#missing.get(name) ?? this.#underWay(name) ?? this.#load(name, load);
  }

  /** Removes the value. A load in progress is not cached. */
  drop(name: string): void {
    this.#loading.delete(name);
    this.#found.delete(name);
    this.#missing.delete(name);
  }

  /** Removes all values. Loads in progress are not cached. */
  clear(): void {
    this.#loading.clear();
    this.#found.clear();
    this.#missing.clear();
  }

  /** Number of entries, fresh or not. */
  get size(): number {
    return this.#loading.size + this.#found.size + this.#missing.size;
  }

  #counts(retained: CachedValue<V>): boolean {
    const now = this.#clock.now();
    if (now - retained.at < this.#freshMs) return true;
    if (this.#watched === undefined || this.#watched.changedSince(retained.moment)) return false;
    retained.at = now;
    retained.moment = this.#watched.now();
    return true;
  }

  #underWay(name: string): Promise<V | undefined> | undefined {
    const one = this.#loading.get(name);
    return one !== undefined && this.#clock.now() - one.start < this.#freshMs ? one.value : undefined;
  }

  #load(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const start = this.#clock.now();
    const moment = this.#watched?.now() ?? 0;
    const value = load();
    if (this.#loading.has(name) || this.#loading.size < this.#max) this.#loading.set(name, { value, start });
    // The load may have been dropped meanwhile.
    const leave = (): boolean => this.#loading.get(name)?.value === value && this.#loading.delete(name);
    value.then(
      (answer) => {
        if (!leave()) return;
        if (answer !== undefined) this.#found.set(name, { value, at: start, moment });
        else {
          this.#found.delete(name);
          this.#missing.set(name, value, { start });
        }
      },
      () => leave(),
    );
    return value;
  }
}
