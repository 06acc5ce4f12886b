/** Compares the events of a log with their leaves in the tree: changed, removed, added and reordered events. */

import type { Position } from '../../engine/ports/eventStore.js';
import type { Hash } from '../../engine/proofs/hashing.js';
import type { AuditFaults } from './faults.js';
import type { Times } from './times.js';

/** Facts about an event. */
export interface Found {
  readonly hash: Hash;
  readonly position: Position;
  /** Its time, and that of the first head that covers it, in microseconds since 1970. */
  readonly time: number;
  readonly signedAt: number | undefined;
}

/** One that is not as it should be. */
interface Odd {
  readonly hash: Hash;
  readonly position: Position;
  /** Fault of its time; absent: none. */
  readonly dated: string | undefined;
}

export interface Leaf {
  readonly hash: Hash;
  readonly position: Position;
}

/** So far is looked for the place where both go on alike. */
const WINDOW = 512;
/** Differences whose hashes are stored, to detect reordered events. */
const KEPT = 10_000;

export interface Describe {
  /** Names the event at a position, which is there. */
  event(position: Position): Promise<string>;
  /** Sentence with the streams that have gaps now, appended to removed events. */
  lacking(): Promise<string>;
}

/**
 * Takes both as they come, in their order, and pairs them by their hashes. Memory: a window of each, and the differences. What
 * is given must be looked at as soon as there is `WINDOW` of both.
 */
export class LeafComparison {
  readonly #leaves: Leaf[] = [];
  readonly #found: Found[] = [];
  readonly #missing: Leaf[] = [];
  readonly #strange: Odd[] = [];
  /** They are what the tree has, and their time is wrong. */
  readonly #dated: Odd[] = [];
  readonly #times: Times;
  readonly #last: Position;
  /** Differences beyond the limit. */
  #more = 0;

  /** `last`: position up to which the tree knows the log. */
  constructor(times: Times, last: Position) {
    this.#times = times;
    this.#last = last;
  }

  /** True if there is no difference so far. */
  get alike(): boolean {
    return this.#missing.length === 0 && this.#strange.length === 0 && this.#more === 0;
  }

  /** Those that wait for others: nothing else is to be looked at. */
  get waiting(): { readonly leaves: number; readonly found: number } {
    return { leaves: this.#leaves.length, found: this.#found.length };
  }

  expect(leaf: Leaf): void {
    this.#leaves.push(leaf);
  }

  find(found: Found): void {
    this.#found.push(found);
  }

  /** Sources that have ended. */
  advance(ended: { readonly leaves: boolean; readonly found: boolean }): void {
    const [leaves, found] = [this.#leaves, this.#found];
    let [l, f] = [0, 0];
    const isEnough = (): boolean =>
      (ended.leaves && l === leaves.length) ||
      ((ended.leaves || leaves.length - l >= WINDOW) && (ended.found || found.length - f >= WINDOW));
    while (l < leaves.length || f < found.length) {
      const [leaf, one] = [leaves[l], found[f]];
      const isAlike = leaf !== undefined && leaf.hash === one?.hash;
      if (!isAlike && !isEnough()) break;
      if (isAlike) l += 1;
      if (isAlike || (leaf === undefined && one!.position > this.#last)) {
        this.#alike(one!);
        f += 1;
        continue;
      }
      const { missing, strange } = this.#nextAlike(l, f);
      for (const each of leaves.slice(l, l + missing)) this.#retain(this.#missing, each);
      // Nothing is measured by what is not what was written.
      for (const { hash, position, time, signedAt } of found.slice(f, f + strange))
        this.#retain(this.#strange, { hash, position, dated: this.#times.fault(time, signedAt) });
      l += missing;
      f += strange;
    }
    leaves.splice(0, l);
    found.splice(0, f);
  }

  #alike({ hash, position, time, signedAt }: Found): void {
    const dated = this.#times.next(time, signedAt);
    if (dated !== undefined) this.#retain(this.#dated, { hash, position, dated });
  }

  #retain<T>(list: T[], one: T): void {
    if (list.length < KEPT) list.push(one);
    else this.#more += 1;
  }

  /** How many of each are passed over until both go on alike. */
  #nextAlike(l: number, f: number): { missing: number; strange: number } {
    const leaves = this.#leaves.slice(l, l + WINDOW);
    const found = this.#found.slice(f, f + WINDOW);
    const places = new Map(leaves.map(({ hash }, i) => [hash, i]));
    let best = { missing: leaves.length, strange: found.length };
    for (const [strange, { hash }] of found.entries()) {
      if (strange >= best.missing + best.strange) break;
      const missing = places.get(hash);
      if (missing !== undefined && missing + strange < best.missing + best.strange) best = { missing, strange };
    }
    return best;
  }

  /** Reports the differences. Once, at the end. */
  async report(faults: AuditFaults, describe: Describe): Promise<void> {
    const missing = new Map(this.#missing.map((leaf) => [leaf.hash, leaf]));
    const elsewhere = this.#strange.filter(({ hash }) => missing.has(hash));
    const strange = this.#strange.filter(({ hash }) => !missing.has(hash));
    const named = async (position: Position): Promise<string> => (faults.full ? '' : describe.event(position));
    for (const { hash, position } of elsewhere) {
      const verified = missing.get(hash)!.position;
      missing.delete(hash);
      faults.add('reordered', await named(position), `it was at position ${verified} when the tree was built`);
    }
    const gone = new Set([...missing.values()].map(({ position }) => position));
    for (const { position, dated } of strange) {
      const was = gone.delete(position);
      const place = await named(position);
      if (dated !== undefined)
        faults.add(
          'backdated',
          place,
          `${dated}; it is ${was ? 'another event than' : 'none that'} the tree has there`,
        );
      else if (was) faults.add('changed', place, 'it differs from the event in the tree');
      else faults.add('added', place, 'the tree has no such event');
    }
    const lacking = gone.size === 0 ? '' : await describe.lacking();
    for (const position of gone) faults.add('removed', `position ${position}`, `the tree has an event there${lacking}`);
    for (const { position, dated } of this.#dated) faults.add('backdated', await named(position), dated!);
    faults.count += this.#more;
  }
}
