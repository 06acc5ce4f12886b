/** Scheduled entries, earliest first; at the same time, in the order of insertion. */
export interface Entry {
  /** ms. */
  readonly at: number;
  readonly seq: number;
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.seq < b.seq);

/** A binary heap. */
export class Heap<T extends Entry> {
  readonly #entries: T[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** The next, which stays. */
  get first(): T | undefined {
    return this.#entries[0];
  }

  push(entry: T): void {
    const entries = this.#entries;
    let place = entries.length;
    entries.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(entry, entries[parent]!)) break;
      entries[place] = entries[parent]!;
      place = parent;
    }
    entries[place] = entry;
  }

  pop(): T | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined || entries.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && isBefore(entries[child + 1]!, entries[child]!)) child++;
      if (!isBefore(entries[child]!, last)) break;
      entries[place] = entries[child]!;
      place = child;
    }
    entries[place] = last;
    return first;
  }
}
