import { IDLE_MS } from '../../engine/idle.js';
import { LateCache } from '../../engine/lateCache.js';
import type { SteadyClock } from '../../engine/ports/clock.js';

/** Tells whether what was loaded may be otherwise by now. */
export interface Watched {
  /** To be taken before a load. */
  now(): number;
  changedSince(moment: number): boolean;
}

interface Kept<V> {
  readonly value: Promise<V | undefined>;
  /** When it was so, last, by the steady clock; and the same for `Watched`. */
  at: number;
  moment: number;
}

/**
 * Remembers what `load` answered for `freshMs`, counted from the asking, and lets everyone who asks meanwhile wait for
 * the same load. What is `watched` counts as long again each time that it has not changed by then. Bounded: the least recently used goes
 * first. That something does not exist is remembered apart, so that a flood of made-up names cannot push out the real ones.
 */
export class BriefCache<V> {
  readonly #clock: SteadyClock;
  readonly #freshMs: number;
  readonly #max: number;
  readonly #watched: Watched | undefined;
  /** Apart, since the library fills all its places anew when its last entry is deleted. */
  readonly #loading = new Map<string, { readonly value: Promise<V | undefined>; readonly start: number }>();
  readonly #found: LateCache<Kept<V>>;
  readonly #missing: LateCache<Promise<V | undefined>>;

  constructor(clock: SteadyClock, freshMs: number, max: number, watched?: Watched) {
    this.#clock = clock;
    this.#freshMs = freshMs;
    this.#max = max;
    this.#watched = watched;
    // The library takes what is exactly as old as its ttl for fresh, and this does not.
    const bounds = { max, ttl: freshMs - 1, ttlResolution: 0, perf: clock };
    this.#found = new LateCache(watched === undefined ? bounds : { max, ttl: IDLE_MS, idle: true, perf: clock });
    this.#missing = new LateCache(bounds);
  }

  /** A failed load is not remembered. */
  get(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const found = this.#found.get(name);
    if (found !== undefined && this.#counts(found)) return found.value;
    return this.#missing.get(name) ?? this.#underWay(name) ?? this.#load(name, load);
  }

  /** A load that is under way is not remembered. */
  drop(name: string): void {
    this.#loading.delete(name);
    this.#found.delete(name);
    this.#missing.delete(name);
  }

  /** Loads that are under way are not remembered. */
  clear(): void {
    this.#loading.clear();
    this.#found.clear();
    this.#missing.clear();
  }

  /** Entries remembered now, fresh or not. */
  get size(): number {
    return this.#loading.size + this.#found.size + this.#missing.size;
  }

  #counts(kept: Kept<V>): boolean {
    const now = this.#clock.now();
    if (now - kept.at < this.#freshMs) return true;
    if (this.#watched === undefined || this.#watched.changedSince(kept.moment)) return false;
    kept.at = now;
    kept.moment = this.#watched.now();
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
    // One that was dropped meanwhile is not there any more.
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
