import type { Condition, Query, Scalar } from '../../engine/ports/documents.js';
import { checkedScalar, ReadModelError, type Shape } from './shape.js';

export interface Bound {
  readonly value: string | number;
  readonly inclusive: boolean;
}
export interface Range {
  readonly low?: Bound;
  readonly high?: Bound;
}

/** A query's conditions: keys with one or several exact values, and keys with a range. */
export interface Conditions {
  readonly fixed: ReadonlyMap<string, readonly Scalar[]>;
  readonly ranges: ReadonlyMap<string, Range>;
}

const isRange = (condition: Exclude<Condition, Scalar>): condition is Exclude<Condition, Scalar | { in: unknown }> =>
  !('in' in condition);

function boundOf(shape: Shape, key: string, value: Scalar | undefined, inclusive: boolean): Bound {
  const checked = checkedScalar(shape, key, value);
  if (checked === null) throw new ReadModelError('bad_query', `the range of '${key}' has a null bound`);
  return { value: checked, inclusive };
}

function rangeOf(shape: Shape, key: string, given: Exclude<Condition, Scalar | { in: unknown }>): Range {
  let range: Range = {};
  if (given.gt !== undefined) range = above(range, boundOf(shape, key, given.gt, false));
  if (given.gte !== undefined) range = above(range, boundOf(shape, key, given.gte, true));
  if (given.lt !== undefined) range = below(range, boundOf(shape, key, given.lt, false));
  if (given.lte !== undefined) range = below(range, boundOf(shape, key, given.lte, true));
  if (range.low === undefined && range.high === undefined)
    throw new ReadModelError('bad_query', `the condition on '${key}' has no bound`);
  return range;
}

/** A query's conditions, checked against the collection's keys. */
export function conditionsOf(shape: Shape, where: Query['where'] = {}): Conditions {
  const fixed = new Map<string, Scalar[]>();
  const ranges = new Map<string, Range>();
  for (const [key, condition] of Object.entries(where)) {
    if (condition === undefined) throw new ReadModelError('bad_query', `the condition on '${key}' is undefined`);
    if (condition === null || typeof condition !== 'object') fixed.set(key, [checkedScalar(shape, key, condition)]);
    else if (isRange(condition)) ranges.set(key, rangeOf(shape, key, condition));
    else fixed.set(key, [...new Set(condition.in.map((value) => checkedScalar(shape, key, value)))]);
  }
  return { fixed, ranges };
}

/** UTF-16 puts what takes two units before the last few that take one; UTF-8 bytes follow the code points. */
const byCodePoint = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** Text by its UTF-8 bytes. */
function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const order = byCodePoint(a.charCodeAt(i)) - byCodePoint(b.charCodeAt(i));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The order of every engine: null, numbers by value, text by UTF-8 bytes. */
export function compare(a: Scalar, b: Scalar): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));
}

/** The range narrowed by a lower bound. */
export function above(range: Range, low: Bound): Range {
  const order = range.low === undefined ? 1 : compare(low.value, range.low.value);
  return order > 0 || (order === 0 && !low.inclusive) ? { ...range, low } : range;
}

/** The range narrowed by an upper bound. */
export function below(range: Range, high: Bound): Range {
  const order = range.high === undefined ? -1 : compare(high.value, range.high.value);
  return order < 0 || (order === 0 && !high.inclusive) ? { ...range, high } : range;
}
