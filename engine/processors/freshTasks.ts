import type { Position } from '../ports/eventStore.js';
import type { OwedTask } from './taskDocuments.js';

/** A task of an event, with the position that was noted before the event: going on from there notes it again. */
export interface Noted {
  readonly task: OwedTask;
  readonly before: Position;
}

interface Fresh extends Noted {
  /** ms since 1970. */
  readonly since: number;
}

/** Tasks that are in a lane and not stored. */
export class FreshTasks {
  readonly #tasks = new Map<string, Fresh>();

  get size(): number {
    return this.#tasks.size;
  }

  has(id: string): boolean {
    return this.#tasks.has(id);
  }

  add({ task, before }: Noted, now: number): void {
    this.#tasks.set(task.id, { task, before, since: now });
  }

  /** It is done, or stored from now on. */
  take(id: string): Noted | undefined {
    const one = this.#tasks.get(id);
    this.#tasks.delete(id);
    return one;
  }

  takeAll(): OwedTask[] {
    const all = [...this.#tasks.values()].map(({ task }) => task);
    this.#tasks.clear();
    return all;
  }

  /**
   * Those that stand here since `since` or longer, and all whose events come before theirs, so that no stored task's event
   * is after the checkpoint.
   */
  takeOld(since: number): OwedTask[] {
    let until = Number.NEGATIVE_INFINITY;
    for (const one of this.#tasks.values()) if (one.since <= since) until = Math.max(until, one.before);
    const old = [...this.#tasks.values()].filter(({ before }) => before <= until).map(({ task }) => task);
    for (const { id } of old) this.#tasks.delete(id);
    return old;
  }

  /** How far a checkpoint may go that is to lead to each of them again; `noted` when there is none. */
  least(noted: Position): Position {
    let least = noted;
    for (const { before } of this.#tasks.values()) least = Math.min(least, before);
    return least;
  }
}
