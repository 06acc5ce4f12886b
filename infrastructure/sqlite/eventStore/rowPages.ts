/**
 * Rows of events.db, a page as two values: their numbers as one JSON text, data and metadata of all of them as one value.
 * That is a fraction of the work that each column of each row would be. Nothing is read as text before its checksum was
 * compared: the driver ends the process at text that is no UTF-8, as a flipped bit makes it.
 */
import { LogDamaged } from '../../../engine/ports/eventStore.js';
import type { Db, Statement } from '../database.js';
import { asDamage } from './checksum.js';
import { createdColumns, wholeIn } from './schema.js';

export interface StoredRow {
  readonly position: number;
  /** Numbers of names in this file. */
  readonly stream: number;
  readonly type: number;
  readonly category: number;
  readonly revision: number;
  /** 32 hexadecimal digits, lower case. */
  readonly id: string;
  /** See `Format`. */
  readonly format: number;
  /** Microseconds since 1970; null in Suuq's own events. */
  readonly created: number | null;
  /** See checksum.ts; null in rows from before. */
  readonly sum: number | null;
  readonly data: Buffer;
  readonly meta: Buffer;
  /** `data` and then `meta`, of the same memory. */
  readonly body: Buffer;
}

/** What is read of each event without its data and metadata, behind the numbers of its names. */
export type AboutRow = [
  revision: number,
  id: string,
  dataBytes: number,
  metaBytes: number,
  created: number | null,
  format: number,
  sum: number | null,
];
type Numbers = [position: number, stream: number, type: number, category: number, ...AboutRow];

export type PageStatement = Statement<[Buffer | null, Buffer | null]>;

/** Rows of a range in an order; the last parameter is how many at most. */
export function pageStatement(db: Db, range: string, order: string): PageStatement {
  const { created, format, sum } = createdColumns(db);
  const numbers = ['stream', 'type', 'category', 'revision'].map((column) => wholeIn(`e.${column}`));
  const sizes = ['data', 'meta'].map((column) => `coalesce(octet_length(e.${column}), 0)`);
  const id = `'"' || lower(hex(e.id)) || '"'`;
  const [since, check] = [created, sum].map((column) => `coalesce(${column}, 'null')`);
  const columns = ['e.position', ...numbers, id, ...sizes, since, format, check];
  // Each of them is a whole number, hexadecimal or null: joined as text, which takes two thirds of what json_array does.
  return db.prepare(
    `SELECT CAST(group_concat(head, '],[') AS BLOB), CAST(group_concat(body, '') AS BLOB) FROM (
       SELECT concat_ws(',', ${columns.join(', ')}) AS head, concat(e.data, e.meta) AS body
       FROM main.events e WHERE ${range} ORDER BY ${order} LIMIT ?)`,
  );
}

const NOTHING = Buffer.alloc(0);

/** Throws LogDamaged where the file cannot be read. */
export function readPage(statement: PageStatement, parameters: readonly number[]): StoredRow[] {
  let found: [Buffer | null, Buffer | null];
  try {
    found = statement.get(parameters)!;
  } catch (error) {
    throw asDamage(error);
  }
  if (found[0] === null) return [];
  const bodies = found[1] ?? NOTHING;
  let at = 0;
  const rows = (JSON.parse(`[[${found[0].toString('latin1')}]]`) as Numbers[]).map((row): StoredRow => {
    const [position, stream, type, category, revision, id, dataBytes, metaBytes, created, format, sum] = row;
    const data = bodies.subarray(at, at + dataBytes);
    const meta = bodies.subarray(at + dataBytes, at + dataBytes + metaBytes);
    const body = bodies.subarray(at, at + dataBytes + metaBytes);
    at += body.length;
    return { position, stream, type, category, revision, id, format, created, sum, data, meta, body };
  });
  if (at !== bodies.length) throw new LogDamaged('events.db: what its rows hold is not as long as they say');
  return rows;
}

/** Of a read by position: that the rows rise from `after` on, which a page in the wrong place breaks. Throws LogDamaged. */
export function checkOrder(rows: readonly StoredRow[], after: number): void {
  let last = after;
  for (const { position } of rows) {
    if (position <= last) throw new LogDamaged(`events.db: position ${position} stands behind ${last}`);
    last = position;
  }
}

/** What a client of the protocol endpoint wrote, where it is a JSON object. */
export function objectIn(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
