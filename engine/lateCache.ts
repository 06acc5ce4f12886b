/** A bounded memory of what was used last, laid out with its first entry. */
import { LRUCache } from 'lru-cache';

export interface LateCacheOptions {
  /** Entries; beyond, the least recently used goes. */
  readonly max: number;
  /** ms that an entry counts; for ever when absent. */
  readonly ttl?: number;
  readonly ttlResolution?: number;
  /** What `ttl` is counted by. */
  readonly perf?: { now(): number };
}

/**
 * As the library's, which makes all its places at once: for 50,000 of them that takes more than a millisecond, and a start makes a dozen
 * such memories, most of which it does not use.
 */
export class LateCache<V extends object | string | true> {
  readonly #options: LateCacheOptions;
  #entries: LRUCache<string, V> | undefined;

  constructor(options: LateCacheOptions) {
    this.#options = options;
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
    this.#entries ??= new LRUCache<string, V>({ ...this.#options });
    this.#entries.set(name, value, options);
  }

  delete(name: string): void {
    this.#entries?.delete(name);
  }

  clear(): void {
    this.#entries?.clear();
  }
}
