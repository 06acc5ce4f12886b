import type { NewDocument, Scalar, StoredDocument, WriteBatch } from '../../../engine/ports/documents.js';
import type { SqlValue, Statement } from '../database.js';
import { type Collection, columnOf, rowOf } from './definitions.js';

type Head = readonly [id: string, revision: number, ...keys: Scalar[]];

const SEPARATOR = String.fromCharCode(30);

/** Rows that `PageColumns.page` of these keys has read. */
export function pageRows<B>(names: readonly string[], [heads, bodies]: readonly SqlValue[]): StoredRow<B>[] {
  if (bodies === null) return [];
  const parsed = JSON.parse(heads as string) as Head[];
  return (bodies as string).split(SEPARATOR).map((json, i) => new StoredRow<B>(names, parsed[i]!, json));
}

/** Head (parsed or as text) and body of a document; texts are parsed on first use. */
export class StoredRow<B> implements StoredDocument<B> {
  readonly json: string;
  readonly #names: readonly string[];
  #head: Head | string;
  #keys: Readonly<Record<string, Scalar>> | undefined;
  #body: B | undefined;
  /** `names`: of the keys in the head, in their order. */
  constructor(names: readonly string[], head: Head | string, json: string) {
    this.#names = names;
    this.#head = head;
    this.json = json;
  }
  get id(): string {
    return this.#headed()[0];
  }
  get revision(): number {
    return this.#headed()[1];
  }
  get keys(): Readonly<Record<string, Scalar>> {
    this.#keys ??= this.#named();
    return this.#keys;
  }
  get body(): B {
    this.#body ??= JSON.parse(this.json) as B;
    return this.#body;
  }

  #headed(): Head {
    if (typeof this.#head === 'string') this.#head = JSON.parse(this.#head) as Head;
    return this.#head;
  }

  #named(): Record<string, Scalar> {
    const head = this.#headed();
    const keys: Record<string, Scalar> = {};
    let place = 2;
    for (const name of this.#names) keys[name] = head[place++] as Scalar;
    return keys;
  }
}

const marks = (collection: Collection): string =>
  Array(collection.keys.length + 3)
    .fill('?')
    .join(', ');

/** A write with a lower or equal revision than the stored one changes nothing, so a batch may be repeated. */
function upsertSql(collection: Collection, rows = 1): string {
  const columns = ['revision', ...collection.keys.map((key) => columnOf(key.name)), 'body'];
  const set = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const values = Array(rows)
    .fill(`(${marks(collection)})`)
    .join(', ');
  return `INSERT INTO ${collection.table} VALUES ${values} ON CONFLICT (id) DO UPDATE SET ${set} WHERE excluded.revision > revision`;
}

/**
 * For an existing document whose listed keys are unchanged: SQLite then skips the indexes over them, which it cannot infer from an upsert.
 * Takes the same row.
 */
function touchSql(collection: Collection, same: ReadonlySet<string>): string {
  const set = ['revision = ?2', `body = ?${collection.keys.length + 3}`];
  const fixed: string[] = [];
  for (const [i, { name }] of collection.keys.entries())
    if (same.has(name)) fixed.push(`${columnOf(name)} IS ?${i + 3}`);
    else set.push(`${columnOf(name)} = ?${i + 3}`);
  return `UPDATE ${collection.table} SET ${set.join(', ')} WHERE id = ?1 AND revision < ?2 AND ${fixed.join(' AND ')}`;
}

/** Touches in a row that met nothing (new documents, changed keys), and puts that go without one for that. */
interface Touch {
  readonly sql: string;
  misses: number;
  without: number;
}

/** After so many misses the next puts are taken to be of the same sort; then it is tried again. */
const MISSES = 8;
const WITHOUT = 64;

/**
 * Updates to try before an upsert, the cheapest first: no index changes; or only those with more keys than common prefixes of indexes, of
 * which a document seldom changes one (its store).
 */
function touchesOf(collection: Collection): Touch[] {
  const indexes = collection.indexes.map(({ keys }) => keys.map(({ key }) => key));
  const all = new Set(indexes.flat());
  const first = new Set(indexes.map(([key]) => key!));
  const sets = [all];
  if (first.size < all.size && indexes.some((keys) => keys.every((key) => first.has(key)))) sets.push(first);
  return sets
    .filter(({ size }) => size > 0)
    .map((same) => ({ sql: touchSql(collection, same), misses: 0, without: 0 }));
}

interface PutSql {
  readonly touches: readonly Touch[];
  readonly upsert: string;
}

const putSqls = new WeakMap<Collection, PutSql>();

function putSqlOf(collection: Collection): PutSql {
  let sql = putSqls.get(collection);
  if (sql === undefined) {
    sql = { touches: touchesOf(collection), upsert: upsertSql(collection) };
    putSqls.set(collection, sql);
  }
  return sql;
}

/** Writes one document unless the stored one has its revision or a higher one. */
function putter(statement: (sql: string) => Statement, collection: Collection): (document: NewDocument) => void {
  const { touches, upsert } = putSqlOf(collection);
  const whole = statement(upsert);
  const meets = ({ sql }: Touch, row: SqlValue[]): boolean => statement(sql).run(row) > 0;
  const tried = (touch: Touch, row: SqlValue[]): boolean => {
    if (touch.without-- > 0) return false;
    const met = meets(touch, row);
    touch.misses = met ? 0 : touch.misses + 1;
    touch.without = touch.misses >= MISSES ? WITHOUT : 0;
    return met;
  };
  const touched = (row: SqlValue[], existing: NewDocument['existing']): boolean => {
    if (existing === 'none') return false;
    if (existing === 'sameKeys') return touches.length > 0 && meets(touches[0]!, row);
    return touches.some((touch) => tried(touch, row));
  };
  return (document) => {
    const row = rowOf(collection, document);
    if (!touched(row, document.existing)) whole.write(row);
  };
}

export const insertSql = (collection: Collection): string =>
  `INSERT INTO ${collection.table} VALUES (${marks(collection)}) ON CONFLICT DO NOTHING`;

export function replaceSql(collection: Collection): string {
  const columns = ['id', 'revision', ...collection.keys.map((key) => columnOf(key.name)), 'body'];
  return `UPDATE ${collection.table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND revision = ?`;
}

/** Rows of one statement: a call costs as much as two rows, and more of them gain nothing. */
const ROWS = 32;
/** From this batch size on, it is worth checking whether indexes exist. */
export const MANY = 8 * ROWS;

/** Inserts into a table without indexes, such as while it fills: existing documents need not be tried first. */
function putMany(
  statement: (sql: string) => Statement,
  collection: Collection,
  documents: readonly NewDocument[],
): void {
  const several = statement(upsertSql(collection, ROWS));
  const whole = documents.length - (documents.length % ROWS);
  for (let i = 0; i < whole; i += ROWS) {
    const values: SqlValue[] = [];
    for (let n = i; n < i + ROWS; n += 1) for (const value of rowOf(collection, documents[n]!)) values.push(value);
    several.write(values);
  }
  const one = statement(upsertSql(collection));
  for (let n = whole; n < documents.length; n += 1) one.write(rowOf(collection, documents[n]!));
}

/** One document may be in both lists: the higher revision wins, a removal on equality. `bare`: there are no indexes. */
export function applyBatch(
  statement: (sql: string) => Statement,
  collection: Collection,
  batch: WriteBatch,
  bare = false,
): void {
  if (bare && (batch.remove ?? []).length === 0) {
    putMany(statement, collection, batch.put ?? []);
    return;
  }
  const put = putter(statement, collection);
  const removals = new Map((batch.remove ?? []).map(({ id, revision }) => [id, revision]));
  const afterRemoval: NewDocument[] = [];
  for (const document of batch.put ?? []) {
    const removed = removals.get(document.id);
    if (removed !== undefined && document.revision > removed) afterRemoval.push(document);
    else put(document);
  }
  if (removals.size === 0) return;
  const remove = statement(`DELETE FROM ${collection.table} WHERE id = ? AND revision <= ?`);
  for (const [id, revision] of removals) remove.write([id, revision]);
  for (const document of afterRemoval) put(document);
}
