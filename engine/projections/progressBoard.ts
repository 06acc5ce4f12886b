import { BEFORE_ALL, type Position } from '../ports/eventStore.js';

interface Waiter {
  readonly names: readonly string[];
  readonly position: Position;
  /** When it began, in ms of any clock. */
  readonly since: number;
  done(reached: boolean): void;
}

/** Maximum number of concurrent waits. Further ones resolve to false, as after a timeout. */
const MOST_WAITS = 20_000;

/** Progress of each projection's current build, and its waiters. Reported progress wakes them. */
export class ProgressBoard {
  readonly #now: () => number;
  readonly #positions = new Map<string, Position>();
  readonly #stopped = new Set<string>();
  readonly #waiters = new Set<Waiter>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  moved(positions: Readonly<Record<string, Position>>): void {
    // Never goes back: queries show forever what they have shown once, also while a new owner catches up.
    for (const [name, position] of Object.entries(positions))
      if (position > (this.#positions.get(name) ?? BEFORE_ALL)) this.#positions.set(name, position);
    this.#wake();
  }

  /** Sets the names that do not move until they are started again. Waits for them resolve to false. */
  setStopped(names: readonly string[]): void {
    this.#stopped.clear();
    for (const name of names) this.#stopped.add(name);
    this.#wake();
  }

  /** Returns true if all have passed `position` (inclusive), as far as known here. */
  passed(names: readonly string[], position: Position): boolean {
    for (const name of names) if (this.#isBehind(name, position)) return false;
    return true;
  }

  /**
   * Resolves to true when all have passed `position` (inclusive). Resolves to false after `timeoutMs`, or when one of
   * them has stopped before it.
   */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    const known = this.#verdict(names, position);
    if (known !== undefined) return Promise.resolve(known);
    if (this.#waiters.size >= MOST_WAITS) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.done(false), timeoutMs);
      const waiter: Waiter = {
        names,
        position,
        since: this.#now(),
        done: (reached) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  /** Number of waiters. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Returns the names that are awaited and still behind, each with the start of its oldest wait. */
  awaited(): Map<string, number> {
    const names = new Map<string, number>();
    // Waiters are in the order in which they began.
    for (const waiter of this.#waiters)
      for (const name of waiter.names)
        if (!names.has(name) && this.#isBehind(name, waiter.position)) names.set(name, waiter.since);
    return names;
  }

  /** Resolves all waits to false. */
  close(): void {
    for (const waiter of [...this.#waiters]) waiter.done(false);
  }

  #isBehind(name: string, position: Position): boolean {
    return (this.#positions.get(name) ?? BEFORE_ALL) < position;
  }

  #verdict(names: readonly string[], position: Position): boolean | undefined {
    let behind = false;
    for (const name of names) {
      if (!this.#isBehind(name, position)) continue;
      if (this.#stopped.has(name)) return false;
      behind = true;
    }
    return behind ? undefined : true;
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      const verdict = this.#verdict(waiter.names, waiter.position);
      if (verdict !== undefined) waiter.done(verdict);
    }
  }
}
