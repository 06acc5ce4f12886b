import { LRUCache } from 'lru-cache';
import type { Clock } from '../../engine/ports/clock.js';

/**
 * Remembers what `load` answered for `freshMs`, counted from the asking, and lets everyone who asks meanwhile wait for
 * the same load. Bounded: the least recently used goes first. That something does not exist is remembered apart, so that
 * a flood of made-up names cannot push out the real ones.
 */
export class BriefCache<V> {
  readonly #clock: Clock;
  readonly #found: LRUCache<string, Promise<V | undefined>>;
  readonly #missing: LRUCache<string, Promise<V | undefined>>;

  constructor(clock: Clock, freshMs: number, max: number) {
    this.#clock = clock;
    // The library takes what is exactly as old as its ttl for fresh, and this does not.
    const bounds = { max, ttl: freshMs - 1, ttlResolution: 0, perf: clock };
    this.#found = new LRUCache(bounds);
    this.#missing = new LRUCache(bounds);
  }

  /** A failed load is not remembered. */
  get(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    return this.#found.get(name) ?? this.#missing.get(name) ?? this.#load(name, load);
  }

  /** A load that is under way is not remembered. */
  drop(name: string): void {
    this.#found.delete(name);
    this.#missing.delete(name);
  }

  /** Loads that are under way are not remembered. */
  clear(): void {
    this.#found.clear();
    this.#missing.clear();
  }

  /** Entries remembered now, fresh or not. */
  get size(): number {
    return this.#found.size + this.#missing.size;
  }

  #load(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const asked = { start: this.#clock.now() };
    const value = load();
    // It counts as missing until it is found; one that was dropped meanwhile is not there any more.
    this.#missing.set(name, value, asked);
    const leave = (): boolean => this.#missing.peek(name) === value && this.#missing.delete(name);
    value.then(
      (answer) => {
        if (answer !== undefined && leave()) this.#found.set(name, value, asked);
      },
      () => leave(),
    );
    return value;
  }
}
