import type { Condition, Query, Scalar } from '../../../application/ports/readModels.js';
import { type Collection, checkedScalar, ReadModelError } from './definitions.js';

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

function boundOf(collection: Collection, key: string, value: Scalar | undefined, inclusive: boolean): Bound {
  const checked = checkedScalar(collection, key, value);
  if (checked === null) throw new ReadModelError('bad_query', `the range of '${key}' has a null bound`);
  return { value: checked, inclusive };
}

function rangeOf(collection: Collection, key: string, given: Exclude<Condition, Scalar | { in: unknown }>): Range {
  let range: Range = {};
  if (given.gt !== undefined) range = above(range, boundOf(collection, key, given.gt, false));
  if (given.gte !== undefined) range = above(range, boundOf(collection, key, given.gte, true));
  if (given.lt !== undefined) range = below(range, boundOf(collection, key, given.lt, false));
  if (given.lte !== undefined) range = below(range, boundOf(collection, key, given.lte, true));
  if (range.low === undefined && range.high === undefined)
    throw new ReadModelError('bad_query', `the condition on '${key}' has no bound`);
  return range;
}

/** A query's conditions, checked against the collection's keys. */
export function conditionsOf(collection: Collection, where: Query['where'] = {}): Conditions {
  const fixed = new Map<string, Scalar[]>();
  const ranges = new Map<string, Range>();
  for (const [key, condition] of Object.entries(where)) {
    if (condition === undefined) throw new ReadModelError('bad_query', `the condition on '${key}' is undefined`);
    if (condition === null || typeof condition !== 'object')
      fixed.set(key, [checkedScalar(collection, key, condition)]);
    else if (isRange(condition)) ranges.set(key, rangeOf(collection, key, condition));
    else fixed.set(key, [...new Set(condition.in.map((value) => checkedScalar(collection, key, value)))]);
  }
  return { fixed, ranges };
}

/** As SQLite compares: text by UTF-8 bytes. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
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
