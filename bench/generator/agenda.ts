/** Schedule of the running stories, each with the time at which it continues. */
import { type Entry, Heap } from '../../harness/chance/heap.js';

/** A story yields how long it waits, in ms, before it goes on. */
export type Story = Generator<number, void, void>;

interface Noted extends Entry {
  readonly story: Story;
}

export class Agenda {
  readonly #heap = new Heap<Noted>();
  #noted = 0;

  get size(): number {
    return this.#heap.size;
  }

  /** When the next goes on, in ms since 1970; Infinity without one. */
  get next(): number {
    return this.#heap.first?.at ?? Number.POSITIVE_INFINITY;
  }

  note(at: number, story: Story): void {
    this.#noted += 1;
    this.#heap.push({ at, seq: this.#noted, story });
  }

  /** The next story, which is taken out; there must be one. */
  take(): Story {
    return this.#heap.pop()!.story;
  }
}
