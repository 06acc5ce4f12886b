import { LateCache } from '../../engine/lateCache.js';
import type { Clock } from '../../engine/ports/clock.js';

/**
 * Remembers what `load` answered for `freshMs`, counted from the asking, and lets everyone who asks meanwhile wait for
 * the same load. Bounded: the least recently used goes first. That something does not exist is remembered apart, so that
 * a flood of made-up names cannot push out the real ones.
 */
export class BriefCache<V> {
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #max: number;
  /** Apart, since the library fills all its places anew when its last entry is deleted. */
  readonly #loading = new Map<string, { readonly value: Promise<V | undefined>; readonly start: number }>();
  readonly #found: LateCache<Promise<V | undefined>>;
  readonly #missing: LateCache<Promise<V | undefined>>;

  constructor(clock: Clock, freshMs: number, max: number) {
    this.#clock = clock;
    this.#freshMs = freshMs;
    this.#max = max;
    // The library takes what is exactly as old as its ttl for fresh, and this does not.
    const bounds = { max, ttl: freshMs - 1, ttlResolution: 0, perf: clock };
    this.#found = new LateCache(bounds);
    this.#missing = new LateCache(bounds);
  }

  /** A failed load is not remembered. */
  get(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    return this.#found.get(name) ?? this.#missing.get(name) ?? this.#underWay(name) ?? this.#load(name, load);
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

  #underWay(name: string): Promise<V | undefined> | undefined {
    const one = this.#loading.get(name);
    return one !== undefined && this.#clock.now() - one.start < this.#freshMs ? one.value : undefined;
  }

  #load(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const start = this.#clock.now();
    const value = load();
    if (this.#loading.has(name) || this.#loading.size < this.#max) this.#loading.set(name, { value, start });
    // One that was dropped meanwhile is not there any more.
    const leave = (): boolean => this.#loading.get(name)?.value === value && this.#loading.delete(name);
    value.then(
      (answer) => {
        if (leave()) (answer === undefined ? this.#missing : this.#found).set(name, value, { start });
      },
      () => leave(),
    );
    return value;
  }
}
