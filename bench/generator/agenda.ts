/** What is to happen when: the stories that go on, each to be taken up again at a moment of its own. */

/** A story yields how long it waits, in ms, before it goes on. */
export type Story = Generator<number, void, void>;

interface Entry {
  readonly at: number;
  /** Of two at the same moment the one that was noted first comes first. */
  readonly order: number;
  readonly story: Story;
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap. */
export class Agenda {
  readonly #heap: Entry[] = [];
  #noted = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** When the next goes on, in ms since 1970; Infinity without one. */
  get next(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  note(at: number, story: Story): void {
    this.#noted += 1;
    this.#heap.push({ at, order: this.#noted, story });
    let child = this.#heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isBefore(this.#heap[child]!, this.#heap[parent]!)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** The next story, which is taken out. */
  take(): Story {
    const [first] = this.#heap;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first!.story;
  }

  #sink(): void {
    for (let parent = 0; ; ) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < this.#heap.length && isBefore(this.#heap[child]!, this.#heap[least]!)) least = child;
      if (least === parent) return;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!];
  }
}
