import type { Query, Scalar } from '../../../engine/ports/documents.js';
import { above, below, type Conditions, conditionsOf, type Range } from '../../readModels/conditions.js';
import { requireIndex, requireListIndex } from '../../readModels/indexChoice.js';
import { type Arm, armsOf, checkedAfter, combinations } from '../../readModels/ranges.js';
import { checkedScalar, checkLimit, type OrderedKey, orderedKey } from '../../readModels/shape.js';
import { type Collection, columnOf, pageColumns } from './definitions.js';

/** Queries as SQL: SQLite merges the ranges of a page in their order. An equivalent comparison of rows becomes one range. */
export interface Sql {
  readonly sql: string;
  readonly params: Scalar[];
}

/** One range as a condition. */
interface Selection {
  readonly where: string[];
  readonly params: Scalar[];
}

const addEqual = (to: Selection, key: string, value: Scalar): void => {
  to.where.push(value === null ? `${columnOf(key)} IS NULL` : `${columnOf(key)} = ?`);
  if (value !== null) to.params.push(value);
};

function addRange(to: Selection, key: string, { low, high }: Range): void {
  if (low !== undefined) to.where.push(`${columnOf(key)} >${low.inclusive ? '=' : ''} ?`);
  if (low !== undefined) to.params.push(low.value);
  if (high !== undefined) to.where.push(`${columnOf(key)} <${high.inclusive ? '=' : ''} ?`);
  if (high !== undefined) to.params.push(high.value);
}

function selectionOf({ equals, ranges, beyondId }: Arm): Selection {
  const selection: Selection = { where: [], params: [] };
  for (const [key, value] of equals) addEqual(selection, key, value);
  for (const [key, range] of ranges) addRange(selection, key, range);
  if (beyondId !== undefined) {
    selection.where.push(`id ${beyondId.desc ? '<' : '>'} ?`);
    selection.params.push(beyondId.id);
  }
  return selection;
}

/**
 * The ranges without the bound at which the first page begins: a later page begins further on, and of two such bounds
 * SQLite might start at the wrong one and read all that lies between. Undefined when the page does not begin inside.
 */
function withoutFirstBound(
  ranges: Conditions['ranges'],
  { key, desc }: OrderedKey,
  value: Scalar,
): Conditions['ranges'] | undefined {
  const range = ranges.get(key);
  const { low, high } = range ?? {};
  if (range === undefined || (desc ? high : low) === undefined) return ranges;
  if (value === null) return undefined;
  const place = { value, inclusive: true };
  const start = desc ? below(range, place).high : above(range, place).low;
  if (start !== place) return undefined;
  return new Map(ranges).set(key, desc ? { ...(low && { low }) } : { ...(high && { high }) });
}

/**
 * A later page in one range for each combination of fixed keys: in one direction without nulls it is one comparison of rows. Ascending, no
 * null follows, since nulls sort first; descending, there is none if each sort key has a range. Undefined if that does not apply.
 */
function rowsAfter(
  collection: Collection,
  conditions: Conditions,
  sort: readonly OrderedKey[],
  after: Query['after'],
): Selection[] | undefined {
  if (after === undefined || sort.length === 0 || after.includes(null)) return undefined;
  const descending = sort[0]!.desc;
  if (sort.some(({ key, desc }) => desc !== descending || conditions.fixed.has(key))) return undefined;
  if (descending && sort.some(({ key }) => !conditions.ranges.has(key))) return undefined;
  const { values, id } = checkedAfter(collection, sort, after);
  const ranges = withoutFirstBound(conditions.ranges, sort[0]!, values[0]!);
  if (ranges === undefined) return undefined;
  const row = [...sort.map(({ key }) => columnOf(key)), 'id'].join(', ');
  const places = [...values, id].map(() => '?').join(', ');
  const beyond = `(${row}) ${descending ? '<' : '>'} (${places})`;
  return armsOf(collection, { ...conditions, ranges }, sort, descending, undefined).map((arm) => {
    const { where, params } = selectionOf(arm);
    return { where: [...where, beyond], params: [...params, ...values, id] };
  });
}

function union(table: string, columns: string, from: readonly Selection[], order: string, limit: number) {
  checkLimit(limit);
  if (from.length === 0) return undefined;
  const selects = from.map(({ where }) => {
    const condition = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
    return `SELECT ${columns} FROM ${table}${condition}`;
  });
  return {
    sql: `${selects.join(' UNION ALL ')}${order} LIMIT ?`,
    params: [...from.flatMap(({ params }) => params), limit],
  };
}

/** A query for a page, and the keys that it reads. */
export interface FindSql extends Sql {
  readonly names: readonly string[];
}

/** The keys that are looked at, in their order in the collection. */
function namesOf(collection: Collection, { keys }: Query, sort: readonly OrderedKey[]): readonly string[] {
  if (keys === undefined) return collection.names;
  const requested = new Set([...keys, ...sort.map(({ key }) => key)]);
  return collection.names.filter((name) => requested.has(name));
}

/**
 * A page of documents as one row of `PageColumns.page`; undefined when nothing can match. `table` is the collection's or
 * its alias's. The rows of a subquery with an order and a limit come in that order.
 */
export function compileFind(collection: Collection, table: string, query: Query): FindSql | undefined {
  const conditions = conditionsOf(collection, query.where);
  const sort = (query.sort ?? []).map(orderedKey);
  const idDesc = sort.at(-1)?.desc ?? false;
  for (const key of [...sort.map((one) => one.key), ...(query.keys ?? [])]) checkedScalar(collection, key, null);
  requireListIndex(collection, conditions, sort, idDesc);
  const from =
    rowsAfter(collection, conditions, sort, query.after) ??
    armsOf(collection, conditions, sort, idDesc, query.after).map(selectionOf);
  const order = [...sort.map(({ key, desc }) => columnOf(key) + (desc ? ' DESC' : '')), idDesc ? 'id DESC' : 'id'];
  const names = namesOf(collection, query, sort);
  const { columns, page } = pageColumns(collection, names);
  const rows = union(table, columns, from, ` ORDER BY ${order.join(', ')}`, query.limit);
  return rows && { sql: `SELECT ${page} FROM (${rows.sql})`, params: rows.params, names };
}

/** The matching documents' ids, in no order, at most `limit`; undefined when nothing can match. */
export function compileMatches(
  collection: Collection,
  table: string,
  where: Query['where'],
  limit: number,
): Sql | undefined {
  const conditions = conditionsOf(collection, where);
  requireIndex(collection, conditions);
  const from = combinations(conditions.fixed).map((equals) => selectionOf({ equals, ranges: conditions.ranges }));
  return union(table, 'id', from, '', limit);
}
