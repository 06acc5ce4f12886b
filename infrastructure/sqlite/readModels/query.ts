import type { Query, Scalar } from '../../../application/ports/readModels.js';
import { above, below, type Conditions, conditionsOf, type Range } from './conditions.js';
import {
  type Collection,
  checkedScalar,
  columnOf,
  type OrderedKey,
  orderedKey,
  ReadModelError,
} from './definitions.js';
import { requireIndex, requireListIndex } from './indexChoice.js';

/**
 * Queries as SQL. The order is SQLite's: null before every value when ascending (after, when descending), numbers by
 * value, text by its UTF-8 bytes; the id ends it, in the direction of the last sort key.
 *
 * A page after a document is the union of ranges that each start exactly there in the index: same first keys and a
 * later last one, then fewer same keys, and so on. SQLite merges them in order without sorting, so the hundredth page
 * costs what the first does, also with mixed directions, nulls and many equal keys. Where a comparison of rows says the
 * same, it is one range. Several values of `in` are merged
 * the same way.
 */
export interface Sql {
  readonly sql: string;
  readonly params: Scalar[];
}

const MOST_ROWS = 10_000;
/** Ranges merged in one statement; SQLite's own limit is 500. */
const MOST_RANGES = 200;

/** One range of an index. */
interface Arm {
  readonly where: string[];
  readonly params: Scalar[];
}

/** Every combination of the fixed keys' values. None when an `in` is empty. */
function combinations(fixed: Conditions['fixed']): Map<string, Scalar>[] {
  let combined: Map<string, Scalar>[] = [new Map()];
  for (const [key, values] of fixed) {
    if (combined.length * values.length > MOST_RANGES)
      throw new ReadModelError('bad_query', `'in' lists lead to more than ${MOST_RANGES} ranges; ask in smaller parts`);
    combined = combined.flatMap((one) => values.map((value) => new Map(one).set(key, value)));
  }
  return combined;
}

/** Where a page starts: keys with the very value of the last document, and what one key (or the id) is beyond it. */
interface Start {
  readonly same: ReadonlyMap<string, Scalar>;
  readonly beyond?: { readonly key: string } & Range;
  readonly beyondId?: { readonly id: string; readonly desc: boolean };
  /** All sort keys and the id at once, beyond these values. */
  readonly tuple?: { readonly keys: readonly string[]; readonly values: readonly Scalar[] };
}

/** Values that follow `value` in the order of `by`; nothing follows null when descending. */
function following(collection: Collection, by: OrderedKey, value: Scalar, same: Map<string, Scalar>): Start[] {
  const { key } = by;
  if (by.desc && value === null) return [];
  if (by.desc)
    return [
      { same, beyond: { key, high: { value: value!, inclusive: false } } },
      { same: new Map(same).set(key, null) },
    ];
  const least = collection.definition.keys[key] === 'text' ? '' : -Number.MAX_VALUE;
  const low = value === null ? { value: least, inclusive: true } : { value, inclusive: false };
  return [{ same, beyond: { key, low } }];
}

function startsAfter(
  collection: Collection,
  sort: readonly OrderedKey[],
  idDesc: boolean,
  after: Query['after'],
  fixed: Conditions['fixed'],
): Start[] {
  if (after === undefined) return [{ same: new Map() }];
  const id = after.at(-1);
  if (after.length !== sort.length + 1 || typeof id !== 'string')
    throw new ReadModelError('bad_query', `'after' takes ${sort.length} sort values and an id`);
  // Ascending without nulls is one comparison of rows, hence one range: a null stands before every value, so none follows.
  const keys = sort.map(({ key }) => key);
  if (sort.length > 0 && sort.every(({ key, desc }) => !desc && !fixed.has(key)) && !after.includes(null)) {
    for (const [i, key] of keys.entries()) checkedScalar(collection, key, after[i]);
    return [{ same: new Map(), tuple: { keys, values: after } }];
  }
  const starts: Start[] = [];
  const same = new Map<string, Scalar>();
  for (const [i, by] of sort.entries()) {
    const value = checkedScalar(collection, by.key, after[i]);
    if (fixed.get(by.key)?.length !== 1) starts.unshift(...following(collection, by, value, new Map(same)));
    same.set(by.key, value);
  }
  return [{ same, beyondId: { id, desc: idDesc } }, ...starts];
}

const addEqual = (arm: Arm, key: string, value: Scalar): void => {
  arm.where.push(value === null ? `${columnOf(key)} IS NULL` : `${columnOf(key)} = ?`);
  if (value !== null) arm.params.push(value);
};

function addRange(arm: Arm, key: string, { low, high }: Range): void {
  if (low !== undefined) arm.where.push(`${columnOf(key)} >${low.inclusive ? '=' : ''} ?`);
  if (low !== undefined) arm.params.push(low.value);
  if (high !== undefined) arm.where.push(`${columnOf(key)} <${high.inclusive ? '=' : ''} ?`);
  if (high !== undefined) arm.params.push(high.value);
}

const contradicts = (values: ReadonlyMap<string, Scalar>, ranges: Conditions['ranges'], { same }: Start): boolean =>
  [...same].some(
    ([key, value]) => (value === null && ranges.has(key)) || (values.has(key) && values.get(key) !== value),
  );

function narrowed(range: Range, { low, high }: Range): Range {
  const lifted = low === undefined ? range : above(range, low);
  return high === undefined ? lifted : below(lifted, high);
}

/** Undefined when no document can meet both. */
function armOf(values: ReadonlyMap<string, Scalar>, ranges: Conditions['ranges'], start: Start): Arm | undefined {
  const { same, beyond, beyondId, tuple } = start;
  if (contradicts(values, ranges, start)) return undefined;
  const arm: Arm = { where: [], params: [] };
  for (const [key, value] of new Map([...values, ...same])) addEqual(arm, key, value);
  for (const [key, range] of ranges) if (key !== beyond?.key) addRange(arm, key, range);
  if (beyond !== undefined) addRange(arm, beyond.key, narrowed(ranges.get(beyond.key) ?? {}, beyond));
  if (tuple !== undefined) {
    const places = tuple.values.map(() => '?').join(', ');
    arm.where.push(`(${[...tuple.keys.map(columnOf), 'id'].join(', ')}) > (${places})`);
    arm.params.push(...tuple.values);
  }
  if (beyondId !== undefined) {
    arm.where.push(`id ${beyondId.desc ? '<' : '>'} ?`);
    arm.params.push(beyondId.id);
  }
  return arm;
}

function union(table: string, columns: string, arms: readonly Arm[], order: string, limit: number): Sql | undefined {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw new ReadModelError('bad_query', `limit is a whole number from 1 to ${MOST_ROWS}`);
  if (arms.length > MOST_RANGES)
    throw new ReadModelError('bad_query', `this query has more than ${MOST_RANGES} ranges; ask in smaller parts`);
  if (arms.length === 0) return undefined;
  const selects = arms.map(({ where }) => {
    const condition = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
    return `SELECT ${columns} FROM ${table}${condition}`;
  });
  return {
    sql: `${selects.join(' UNION ALL ')}${order} LIMIT ?`,
    params: [...arms.flatMap((arm) => arm.params), limit],
  };
}

/**
 * A page of documents as one row of `Collection.page`; undefined when nothing can match. `table` is the collection's or
 * its alias's. The rows of a subquery with an order and a limit come in that order.
 */
export function compileFind(collection: Collection, table: string, query: Query): Sql | undefined {
  const conditions = conditionsOf(collection, query.where);
  const sort = (query.sort ?? []).map(orderedKey);
  const idDesc = sort.at(-1)?.desc ?? false;
  for (const { key } of sort) checkedScalar(collection, key, null);
  requireListIndex(collection, conditions, sort, idDesc);
  const starts = startsAfter(collection, sort, idDesc, query.after, conditions.fixed);
  const arms = combinations(conditions.fixed)
    .flatMap((values) => starts.map((start) => armOf(values, conditions.ranges, start)))
    .filter((arm) => arm !== undefined);
  const order = [...sort.map(({ key, desc }) => columnOf(key) + (desc ? ' DESC' : '')), idDesc ? 'id DESC' : 'id'];
  const rows = union(table, collection.columns, arms, ` ORDER BY ${order.join(', ')}`, query.limit);
  return rows && { sql: `SELECT ${collection.page} FROM (${rows.sql})`, params: rows.params };
}

/** The matching documents' `column`, in no order, at most `limit`; undefined when nothing can match. */
export function compileMatches(
  collection: Collection,
  table: string,
  where: Query['where'],
  limit: number,
): Sql | undefined {
  const conditions = conditionsOf(collection, where);
  requireIndex(collection, conditions);
  const all = { same: new Map() };
  const arms = combinations(conditions.fixed).map((values) => armOf(values, conditions.ranges, all)!);
  return union(table, 'id', arms, '', limit);
}
