/**
 * Parses a batch (one list of many items) a portion at a time on this thread, so that other requests do not wait.
 * Invalid bodies are left to the thread for large bodies, which reports their problems.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkBodyShape, type ListWatch, mostValues } from './bodyShape.js';
import { inexactNumbers, SUSPICIOUS_NUMBER } from './exactNumbers.js';
import { SUSPICIOUS } from './input.js';

/** A portion is about so long, in bytes, and never much longer. */
const PORTION = 32_768;
/** Largest item of a batch. */
const LONGEST = 4 * PORTION;
/** Longest time at a stretch, in ms. */
const TURN_MS = 2;
/** Most values: items of a batch have far more bytes each. */
const MOST_VALUES = 65_536;

/** Positions where the list below the top may be cut, at a distance of one portion each. */
class Cuts implements ListWatch {
  readonly at: number[] = [];
  lists = 0;
  end = 0;
  readonly #portion: number;
  #next = Number.POSITIVE_INFINITY;

  constructor(portion: number) {
    this.#portion = portion;
  }

  opened(at: number): void {
    this.lists += 1;
    this.#next = at + this.#portion;
  }

  item(at: number): void {
    if (at < this.#next) return;
    this.at.push(at);
    this.#next = at + this.#portion;
  }

  closed(at: number): void {
    this.end = at;
    this.#next = Number.POSITIVE_INFINITY;
  }
}

function cutsOf(bytes: Buffer, limit: number, portion: number): Cuts | undefined {
  const cuts = new Cuts(portion);
  try {
    checkBodyShape(bytes, Math.min(MOST_VALUES, mostValues(limit)), cuts);
  } catch {
    return undefined;
  }
  return cuts.lists === 1 ? cuts : undefined;
}

/** The texts of the portions: the whole with the first items of its list, then lists of the others. */
function* portions(bytes: Buffer, { at, end }: Cuts): Generator<string> {
  const [first = end] = at;
  yield bytes.toString('utf8', 0, first) + bytes.toString('utf8', end);
  for (const [index, from] of at.entries()) yield `[${bytes.toString('utf8', from + 1, at[index + 1] ?? end)}]`;
}

/** Undefined: it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the list that was cut; undefined if its member occurs twice. */
function listIn(whole: unknown): unknown[] | undefined {
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return undefined;
  const lists = Object.values(whole).filter((member) => Array.isArray(member));
  return lists.length === 1 ? lists[0] : undefined;
}

/** The values of the portions parsed so far. */
class Joined {
  value: unknown;
  #list: unknown[] | undefined;

  /** False: it is not what could be cut here. */
  add(text: string): boolean {
    if (text.length > LONGEST || SUSPICIOUS.test(text)) return false;
    if (SUSPICIOUS_NUMBER.test(text) && inexactNumbers(text).length > 0) return false;
    const portion = parsed(text);
    const items = this.#list === undefined ? listIn(portion) : (portion as unknown[] | undefined);
    // Nothing before a comma is no item.
    if (items === undefined || items.length === 0) return false;
    if (this.#list === undefined) {
      this.value = portion;
      this.#list = items;
    } else for (const item of items) this.#list.push(item);
    return true;
  }
}

/**
 * The value of a body of at most `limit` bytes, in turns of 2 ms. Undefined: it is not a batch, may hold something to look for, or is
 * no JSON.
 */
export async function parsedInPortions(bytes: Buffer, limit: number, portion = PORTION): Promise<unknown> {
  const cuts = isUtf8(bytes) ? cutsOf(bytes, limit, portion) : undefined;
  if (cuts === undefined) return undefined;
  const joined = new Joined();
  let turn = performance.now();
  for (const text of portions(bytes, cuts)) {
    if (!joined.add(text)) return undefined;
    if (performance.now() - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
  return joined.value;
}
