import { setImmediate as turn } from 'node:timers/promises';
import {
  BEFORE_ALL,
  type EventFilter,
  type EventMark,
  type EventStore,
  LogDamaged,
  markOf,
  type Position,
  type RecordedEvent,
} from '../../../engine/ports/eventStore.js';
import type { Db, Statement } from '../database.js';
import { asDamage, checkSum, checksumOf } from './checksum.js';
import { LiveTail } from './liveTail.js';
import { Format, hexToUuid, sumColumn, TOMBSTONE_REVISION } from './schema.js';

/** `data` and `meta` are texts in the format `objects`, bytes in the others. */
type Row = [
  position: number,
  stream: string,
  revision: number,
  id: Buffer,
  type: number,
  data: string | Buffer,
  meta: string | Buffer,
  format: number,
  sum: number | null,
];
interface Page {
  readonly events: RecordedEvent[];
  /** Rows looked at: those that are not the port's to show are left out of `events`. */
  readonly rows: number;
  /** Of the rows, in their order. */
  readonly revisions: readonly number[];
  /** Of the last row; undefined without rows. */
  readonly last: { readonly position: Position; readonly revision: number } | undefined;
}
type Scan = Statement<Row>;
type StreamOptions = Parameters<EventStore['readStream']>[1];
type AllOptions = Parameters<EventStore['readAll']>[1];
export type AllPage = Awaited<ReturnType<EventStore['readAll']>>;

/** Rows of one page: between pages the event loop turns, so a page is what others wait for at most. */
const MOST_ROWS = 1_000;
const FEWEST_ROWS = 10;
/** Text of one page, about; rows that are large make the next pages shorter. */
const PAGE_CHARS = 2 * 1024 * 1024;
/** Positions that a filtered scan looks at before it answers, whatever it has found. */
const SCAN_WINDOW = 5_000;
const KEPT_SCANS = 100;

const COLUMNS = 'e.position, s.name, e.revision, e.id, e.type, e.data, e.meta, e.format';
const columnsOf = (db: Db): string => `${COLUMNS}, ${sumColumn(db)}`;
const FROM = 'events e JOIN streams s ON s.id = e.stream';

/** Reads events.db on a connection of its own; any thread. */
export class LogReader {
  readonly #db: Db;
  readonly #columns: string;
  readonly #createdAt: Statement<[number | null]>;
  readonly #head: Statement<[number | null]>;
  readonly #stream: Statement<[number]>;
  readonly #forwards: Scan;
  readonly #backwards: Scan;
  readonly #scans = new Map<string, Scan>();
  readonly #last: Statement<[position: number, stream: string, revision: number, id: Buffer, format: number]>;
  readonly #names = new Map<number, string>();
  readonly #ids = new Map<string, number>();
  readonly #tail: LiveTail;
  readonly #newNames: Statement<[number, string]>;
  #rows = 200;

  constructor(db: Db) {
    this.#db = db;
    this.#columns = columnsOf(db);
    this.#createdAt = db.prepare(
      `SELECT ${this.#columns.endsWith('sum') ? 'created' : 'NULL'} FROM events WHERE position = ?`,
    );
    this.#head = db.prepare('SELECT max(position) FROM events');
    this.#stream = db.prepare('SELECT id FROM streams WHERE name = ?');
    const page = (bound: string, order: string): Scan =>
      db.prepare(
        `SELECT ${this.#columns} FROM ${FROM} WHERE e.stream = ? AND e.revision ${bound} ? ORDER BY e.revision ${order} LIMIT ?`,
      );
    this.#forwards = page('>=', 'ASC');
    this.#backwards = page('<=', 'DESC');
    this.#last = db.prepare(
      `SELECT e.position, s.name, e.revision, e.id, e.format FROM ${FROM} WHERE e.position <= ? ORDER BY e.position DESC LIMIT 1`,
    );
    this.#newNames = db.prepare('SELECT id, name FROM names WHERE id > ?');
    this.#tail = new LiveTail(this.head(), (after, upTo) => {
      const { events, last } = this.#page(this.#scan(''), [after, upTo, this.#rows]);
      return { events, through: last?.position ?? upTo };
    });
  }

  head(): Position {
    return this.#head.get()?.[0] ?? BEFORE_ALL;
  }

  async readStream(stream: string, options: StreamOptions = {}): Promise<RecordedEvent[]> {
    const { direction = 'forwards', limit = Number.MAX_SAFE_INTEGER } = options;
    const ahead = direction === 'forwards';
    const found = this.#stream.get([stream]);
    if (found === undefined) return [];
    let from = options.from ?? (ahead ? 0 : Number.MAX_SAFE_INTEGER);
    const events: RecordedEvent[] = [];
    while (events.length < limit) {
      const rows = Math.min(this.#rows, limit - events.length);
      const page = this.#page(ahead ? this.#forwards : this.#backwards, [found[0], from, rows]);
      checkRevisions(stream, page.revisions, from, ahead);
      for (const event of page.events) events.push(event);
      if (page.rows < rows || events.length >= limit) break;
      from = page.last!.revision + (ahead ? 1 : -1);
      await turn();
    }
    return events;
  }

  /** A page may be shorter than asked without being the last: `end` tells. */
  async readAll(after: Position, { filter = {}, limit = MOST_ROWS }: AllOptions = {}): Promise<AllPage> {
    // The head is read before the filter's names: those of events up to it are then known.
    const head = this.head();
    if (after >= head) return { events: [], through: after, end: true };
    const kept = this.#tail.read(after, head, filter, limit);
    if (kept !== undefined) return kept;
    const where = this.#condition(filter);
    if (where === undefined) return { events: [], through: head, end: true, last: this.#markUpTo(head) };
    const bound = where === '' ? head : Math.min(head, after + SCAN_WINDOW);
    const rows = Math.min(limit, this.#rows);
    const page = this.#page(this.#scan(where), [after, bound, rows]);
    const through = page.rows === rows ? page.last!.position : bound;
    const newest = page.events.at(-1);
    const last = newest?.position === through ? markOf(newest) : this.#markUpTo(through);
    return { events: page.events, through, end: through >= head, last };
  }

  /** The newest event up to a position; undefined where a client of the protocol endpoint wrote it. */
  #markUpTo(through: Position): EventMark | undefined {
    const [position, stream, revision, id, format] = this.#last.get([through]) ?? [];
    if (format !== Format.objects) return undefined;
    return { stream: stream!, revision: revision!, id: bytesToUuid(id!), position: position! };
  }

  close(): void {
    this.#db.close();
  }

  #page(scan: Scan, parameters: number[]): Page {
    const rows = rowsOf(() => scan.all(parameters));
    const events: RecordedEvent[] = [];
    let size = 0;
    // The events of one append have one metadata: it is parsed once, and shared.
    let text: string | Buffer = '';
    let meta = {} as RecordedEvent['meta'];
    for (const row of rows) {
      size += row[5].length + row[6].length;
      const id = row[3].toString('hex', 0, 16);
      this.#check(row, id);
      if (row[7] !== Format.objects) {
        this.#foreign(row, id, events);
        continue;
      }
      if (row[6] !== text) {
        text = row[6];
        meta = JSON.parse(text as string);
      }
      events.push(this.#event(row, id, JSON.parse(row[5] as string), meta));
    }
    if (size > PAGE_CHARS) this.#rows = Math.max(FEWEST_ROWS, this.#rows >> 1);
    else if (size < PAGE_CHARS / 4 && rows.length === this.#rows) this.#rows = Math.min(MOST_ROWS, this.#rows * 2);
    const last = rows.at(-1);
    return {
      events,
      rows: rows.length,
      revisions: rows.map((row) => row[2]),
      last: last && { position: last[0], revision: last[2] },
    };
  }

  #check([position, stream, revision, , type, data, meta, format, sum]: Row, id: string): void {
    if (sum === null) return;
    const event = { position, stream, revision, id, type: this.#name(type), data, meta };
    if (format === Format.objects && sum === checksumOf(event, format, null)) return;
    // What a client has written has a time of its own, read apart: each column of a row costs.
    checkSum(sum, event, format, this.#createdAt.get([position])?.[0] ?? null);
  }

  #event(row: Row, id: string, data: object, meta: RecordedEvent['meta']): RecordedEvent {
    return {
      id: hexToUuid(id),
      type: this.#name(row[4]),
      data,
      meta,
      stream: row[1],
      revision: row[2],
      position: row[0],
    };
  }

  /** An event that a client of the protocol endpoint wrote: shown when its data is an object and its stream no system's. */
  #foreign(row: Row, id: string, events: RecordedEvent[]): void {
    if (row[7] !== Format.json || row[1].startsWith('$')) return;
    const data = objectIn(row[5]);
    if (data !== undefined) events.push(this.#event(row, id, data, (objectIn(row[6]) ?? {}) as RecordedEvent['meta']));
  }

  #scan(where: string): Scan {
    const kept = this.#scans.get(where);
    if (kept !== undefined) return kept;
    const sql = `SELECT ${this.#columns} FROM ${FROM} WHERE e.position > ? AND e.position <= ? ${where} ORDER BY e.position LIMIT ?`;
    const scan = this.#db.prepare<Row>(sql);
    if (this.#scans.size >= KEPT_SCANS) this.#scans.clear();
    this.#scans.set(where, scan);
    return scan;
  }

  /** The filter in SQL: '' lets everything pass, undefined nothing. */
  #condition({ categories, types }: EventFilter): string | undefined {
    const parts = [this.#oneOf('e.category', categories), this.#oneOf('e.type', types)];
    return parts.includes(undefined) ? undefined : parts.join('');
  }

  #oneOf(column: string, names: readonly string[] | undefined): string | undefined {
    if (names === undefined) return '';
    if (names.some((name) => !this.#ids.has(name))) this.#learnNames();
    const ids = names.map((name) => this.#ids.get(name)).filter((id) => id !== undefined);
    return ids.length === 0 ? undefined : ` AND ${column} IN (${ids.join(',')})`;
  }

  #name(id: number): string {
    if (!this.#names.has(id)) this.#learnNames();
    return this.#names.get(id)!;
  }

  #learnNames(): void {
    for (const [id, name] of this.#newNames.all([this.#names.size])) {
      this.#names.set(id, name);
      this.#ids.set(name, id);
    }
  }
}

/**
 * The index by stream may be damaged while the rows are whole: a stream that has a gap is not read as if it had none. Only a
 * tombstone stands apart. Throws LogDamaged.
 */
function checkRevisions(stream: string, revisions: readonly number[], from: number, ahead: boolean): void {
  let expected = ahead || from !== Number.MAX_SAFE_INTEGER ? from : undefined;
  for (const revision of revisions) {
    if (revision === TOMBSTONE_REVISION) continue;
    // Reading backwards from beyond the end begins at the end.
    if (expected === undefined || (!ahead && revision < expected && revision === revisions[0])) expected = revision;
    if (revision !== expected)
      throw new LogDamaged(`events.db: ${stream} lacks revision ${expected}, although ${revision} is there`);
    expected += ahead ? 1 : -1;
  }
}

/** Throws LogDamaged where the file itself is broken. */
function rowsOf<R>(read: () => R): R {
  try {
    return read();
  } catch (error) {
    throw asDamage(error);
  }
}

/** The JSON object that these bytes are, if they are one. */
function objectIn(bytes: string | Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
