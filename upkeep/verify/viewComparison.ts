/** Compares documents of the served read models with those of a fresh fold. */
import { pagesOf } from '../../engine/collections.js';
import type { DocumentStore, StoredDocument } from '../../engine/ports/documents.js';
import { judge, type Pair, type Places } from '../../engine/projections/comparison.js';
import type { Faults } from './faults.js';

const PAGE = 200;

/** Both sides. */
interface Parts {
  readonly views: DocumentStore;
  /** Store of the fresh fold. */
  readonly scratch: DocumentStore;
  /** Defined: somebody keeps the views just now. */
  readonly livePositions?: unknown;
}

/** All documents of both sides, by id in the order of UTF-8. */
export async function* pairs(views: DocumentStore, scratch: DocumentStore, name: string): AsyncGenerator<Pair> {
  const [left, right] = [documents(views, name), documents(scratch, name)];
  let [is, fresh] = [await left.next(), await right.next()];
  while (!is.done || !fresh.done) {
    const order = is.done ? 1 : fresh.done ? -1 : Buffer.compare(Buffer.from(is.value.id), Buffer.from(fresh.value.id));
    const pair = {
      id: order <= 0 ? is.value!.id : fresh.value!.id,
      is: order <= 0 ? is.value! : undefined,
      fresh: order >= 0 ? fresh.value! : undefined,
    };
    yield pair;
    if (order <= 0) is = await left.next();
    if (order >= 0) fresh = await right.next();
  }
}

async function* documents(store: DocumentStore, name: string): AsyncGenerator<StoredDocument, undefined> {
  for await (const page of pagesOf(store, name)) yield* page;
  return undefined;
}

/** Compares read model by read model. Memory: a page of each side, and the ids of documents that moved. */
export class ViewComparison {
  equal = 0;
  behind = 0;
  /** Ids of documents that changed during the comparison, by name. */
  moving = new Map<string, string[]>();
  readonly #parts: Parts;
  readonly #faults: Faults;

  constructor(parts: Parts, faults: Faults) {
    this.#parts = parts;
    this.#faults = faults;
  }

  async all(name: string, places: Places, signal: AbortSignal): Promise<void> {
    for await (const pair of pairs(this.#parts.views, this.#parts.scratch, name)) {
      signal.throwIfAborted();
      this.#take(name, pair, places, false);
    }
  }

  /** Those that moved, once more. */
  async again(placesOf: (name: string) => Promise<Places>): Promise<void> {
    const { views, scratch } = this.#parts;
    const before = this.moving;
    this.moving = new Map();
    for (const [name, ids] of before) {
      const places = await placesOf(name);
      for (const pair of await pairsOf(views, scratch, name, ids)) this.#take(name, pair, places, true);
    }
  }

  #take(name: string, pair: Pair, places: Places, again: boolean): void {
    const verdict = judge(pair, places);
    if (verdict === 'equal') this.equal += 1;
    // Where somebody writes, what looks wrong may have been on its way.
    else if (
      verdict === 'moving' ||
      (again ? verdict === 'behind' : verdict !== 'behind' && this.#parts.livePositions !== undefined)
    )
      this.moving.set(name, [...(this.moving.get(name) ?? []), pair.id]);
    else if (verdict === 'behind') this.behind += 1;
    else this.#faults.add('projections', `${name} ${pair.id}`, verdict);
  }
}

export async function pairsOf(
  views: DocumentStore,
  scratch: DocumentStore,
  name: string,
  ids: readonly string[],
): Promise<Pair[]> {
  const all: Pair[] = [];
  for (let i = 0; i < ids.length; i += PAGE) {
    const part = ids.slice(i, i + PAGE);
    const [is, fresh] = [await views.getMany(name, part), await scratch.getMany(name, part)];
    for (const id of part) all.push({ id, is: is.get(id), fresh: fresh.get(id) });
  }
  return all;
}
