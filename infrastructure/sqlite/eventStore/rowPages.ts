/**
 * Rows of events.db, a page as two values: their numbers as one JSON text, data and metadata of all of them as one value.
 * That is a fraction of the work that each column of each row would be. Nothing is read as text before its checksum was
 * compared: the driver ends the process at text that is no UTF-8, as a flipped bit makes it.
 */
import { isJsonObject } from '../../../domain/jsonObject.js';
import { LogDamaged } from '../../../engine/ports/eventStore.js';
import type { Db, Statement } from '../database.js';
import { asDamage } from './checksum.js';
import { createdColumns, wholeIn } from './schema.js';

/** One row. Its bytes are cut out of the page on first use: three buffers per row would cost more than its numbers. */
export class StoredRow {
  readonly position: number;
  /** Numbers of names in this file. */
  readonly stream: number;
  readonly type: number;
  readonly category: number;
  readonly revision: number;
  /** 32 hexadecimal digits, lower case. */
  readonly id: string;
  /** Bytes of `data` and of `meta`. */
  readonly dataBytes: number;
  readonly metaBytes: number;
  /** Microseconds since 1970; null in Suuq's own events. */
  readonly created: number | null;
  /** See `Format`. */
  readonly format: number;
  /** See checksum.ts; null in rows from before. */
  readonly sum: number | null;
  /** Bodies of the whole page. */
  readonly page: Buffer;
  /** Offset of this row. */
  readonly #at: number;

  constructor(numbers: Numbers, page: Buffer, at: number) {
    this.position = numbers[0];
    this.stream = numbers[1];
    this.type = numbers[2];
    this.category = numbers[3];
    this.revision = numbers[4];
    this.id = numbers[5];
    this.dataBytes = numbers[6];
    this.metaBytes = numbers[7];
    this.created = numbers[8];
    this.format = numbers[9];
    this.sum = numbers[10];
    this.page = page;
    this.#at = at;
  }

  get data(): Buffer {
    return this.page.subarray(this.#at, this.#at + this.dataBytes);
  }
  get meta(): Buffer {
    return this.page.subarray(this.#at + this.dataBytes, this.#at + this.bytes);
  }
  /** `data` and then `meta`, of the same memory. */
  get body(): Buffer {
    return this.page.subarray(this.#at, this.#at + this.bytes);
  }
  get bytes(): number {
    return this.dataBytes + this.metaBytes;
  }
  /** As text: only after its checksum was compared. */
  get dataText(): string {
    return this.page.toString('utf8', this.#at, this.#at + this.dataBytes);
  }
  get metaText(): string {
    return this.page.toString('utf8', this.#at + this.dataBytes, this.#at + this.bytes);
  }
}

/** Columns of each event without its data and metadata, behind the numbers of its names. */
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
  // In upper case: a page's is changed at once, by who reads it.
  const id = `'"' || hex(e.id) || '"'`;
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
  const rows = (JSON.parse(`[[${found[0].toString('latin1').toLowerCase()}]]`) as Numbers[]).map((numbers) => {
    const row = new StoredRow(numbers, bodies, at);
    at += row.bytes;
    return row;
  });
  if (at !== bodies.length) throw new LogDamaged('events.db: the length of a row does not match its content');
  return rows;
}

/** Checks a read by position: the rows rise from `after` on, unless a page is misplaced. Throws LogDamaged. */
export function checkOrder(rows: readonly StoredRow[], after: number): void {
  let last = after;
  for (const { position } of rows) {
    if (position <= last) throw new LogDamaged(`events.db: position ${position} follows ${last}`);
    last = position;
  }
}

/** Object that a client of the protocol endpoint wrote; undefined if it is not a JSON object. */
export function objectIn(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
