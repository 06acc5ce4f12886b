import type { Clock } from '../../engine/ports/clock.js';

interface Entry<V> {
  readonly value: Promise<V | undefined>;
  /** ms since 1970. */
  readonly until: number;
}

/**
 * Remembers what `load` answered for `freshMs`, counted from the asking, and lets everyone who asks meanwhile wait for
 * the same load. Bounded: the least recently used goes first. That something does not exist is remembered apart, so that
 * a flood of made-up names cannot push out the real ones.
 */
export class BriefCache<V> {
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #max: number;
  #found = new Map<string, Entry<V>>();
  #missing = new Map<string, Entry<V>>();

  constructor(clock: Clock, freshMs: number, max: number) {
    this.#clock = clock;
    this.#freshMs = freshMs;
    this.#max = max;
  }

  /** A failed load is not remembered. */
  get(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const now = this.#clock.now();
    return this.#fresh(this.#found, name, now) ?? this.#fresh(this.#missing, name, now) ?? this.#load(name, now, load);
  }

  /** A load that is under way is not remembered. */
  drop(name: string): void {
    this.#found.delete(name);
    this.#missing.delete(name);
  }

  clear(): void {
    // New maps: a load that is under way finds its own gone and leaves no trace.
    this.#found = new Map();
    this.#missing = new Map();
  }

  /** Entries remembered now, fresh or not. */
  get size(): number {
    return this.#found.size + this.#missing.size;
  }

  #fresh(entries: Map<string, Entry<V>>, name: string, now: number): Promise<V | undefined> | undefined {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    entries.delete(name);
    if (entry.until <= now) return undefined;
    entries.set(name, entry);
    return entry.value;
  }

  #load(name: string, now: number, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const found = this.#found;
    const missing = this.#missing;
    const value = load();
    const entry = { value, until: now + this.#freshMs };
    this.#put(missing, name, entry);
    // It counts as missing until it is found.
    const leave = (): boolean => missing.get(name) === entry && missing.delete(name);
    value.then(
      (answer) => {
        if (answer !== undefined && leave()) this.#put(found, name, entry);
      },
      () => leave(),
    );
    return value;
  }

  #put(entries: Map<string, Entry<V>>, name: string, entry: Entry<V>): void {
    entries.set(name, entry);
    if (entries.size <= this.#max) return;
    const oldest = entries.keys().next();
    if (!oldest.done) entries.delete(oldest.value);
  }
}
