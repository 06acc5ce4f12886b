/** A look at the bytes of a body before it is parsed: one pass that finds what would make parsing it dear. */
import { Refusal } from '../../contract/problems.js';

/** Deepest nesting of objects and lists; declared bodies have a tenth of it. */
export const MOST_LEVELS = 64;
/** Most members of one object; declared ones have a few dozen. */
export const MOST_MEMBERS = 1000;
/** So many bytes a value has a body of the largest size on average, at least: declared ones have more. */
const BYTES_A_VALUE = 32;
/** Bodies of any size may have so many values. */
const ALWAYS_VALUES = 10_000;

/** Most values in a body of at most `limit` bytes. */
export const mostValues = (limit: number): number => Math.max(ALWAYS_VALUES, Math.floor(limit / BYTES_A_VALUE));

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The place behind the text that begins behind `at`. */
function textEnd(bytes: Uint8Array, at: number): number {
  for (let index = at + 1; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) return index;
  }
  return bytes.length;
}

const tooMuch = (message: string, at: number): Refusal =>
  new Refusal('validation_failed', `The body ${message}, at byte ${at}.`, {
    problems: [{ message, location: 'body' }],
  });

/** Position in the body, and the counts so far. */
class Counts {
  readonly #most: number;
  /** Members of the object at each level. Lists count backwards, so that they never reach the limit. */
  readonly #members = new Int32Array(MOST_LEVELS + 1).fill(-1);
  #level = 0;
  #values = 0;

  constructor(most: number) {
    this.#most = most;
  }

  next(at: number): void {
    const before = this.#members[this.#level]!;
    this.#members[this.#level] = before < 0 ? before - 1 : before + 1;
    if (before >= MOST_MEMBERS) throw tooMuch(`has an object of more than ${MOST_MEMBERS} properties`, at);
    this.#value(at);
  }

  begin(first: number, at: number): void {
    this.#level += 1;
    if (this.#level > MOST_LEVELS) throw tooMuch(`is nested deeper than ${MOST_LEVELS} levels`, at);
    this.#members[this.#level] = first;
    this.#value(at);
  }

  end(): void {
    if (this.#level > 0) this.#level -= 1;
  }

  get level(): number {
    return this.#level;
  }

  #value(at: number): void {
    this.#values += 1;
    if (this.#values > this.#most) throw tooMuch(`has more than ${this.#most} values`, at);
  }
}

/** Observes the lists right below the top, and the bytes between their items. */
export interface ListWatch {
  /** At its opening bracket. */
  opened(at: number): void;
  /** At the comma behind an item. */
  item(at: number): void;
  /** At its closing bracket. */
  closed(at: number): void;
}
/** Level of the values below the top. */
const BELOW_TOP = 2;

/**
 * Refuses `validation_failed` for a body that is nested deeper than 64 levels, has an object of more than 1,000
 * members, or more than `values` values. The parser decides if it is JSON at all.
 */
export function checkBodyShape(bytes: Uint8Array, values: number, lists?: ListWatch): void {
  const counts = new Counts(values);
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = textEnd(bytes, at);
        break;
      case COMMA:
        counts.next(at);
        if (lists !== undefined && counts.level === BELOW_TOP) lists.item(at);
        break;
      case OPEN_OBJECT:
        counts.begin(1, at);
        break;
      case OPEN_LIST:
        counts.begin(-1, at);
        if (lists !== undefined && counts.level === BELOW_TOP) lists.opened(at);
        break;
      case CLOSE_LIST:
        if (lists !== undefined && counts.level === BELOW_TOP) lists.closed(at);
        counts.end();
        break;
      case CLOSE_OBJECT:
        counts.end();
    }
  }
}
