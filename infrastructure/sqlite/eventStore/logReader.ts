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
import { checkRow } from './checksum.js';
import { LiveTail, type WrittenHere } from './liveTail.js';
import { NameCache } from './nameCache.js';
import { checkOrder, objectIn, type PageStatement, pageStatement, readPage, type StoredRow } from './rowPages.js';
import { bytesToUuid, Format, hexToUuid, TOMBSTONE_REVISION } from './schema.js';

interface Page {
  readonly events: RecordedEvent[];
  /** Rows looked at: those that are not the port's to show are left out of `events`. */
  readonly rows: number;
  /** Revisions of the rows, in their order. */
  readonly revisions: readonly number[];
  /** Place of the last row; undefined without rows. */
  readonly last: { readonly position: Position; readonly revision: number } | undefined;
}
type Scan = PageStatement;
type StreamOptions = Parameters<EventStore['readStream']>[1];
type AllOptions = Parameters<EventStore['readAll']>[1];
export type AllPage = Awaited<ReturnType<EventStore['readAll']>>;

/** Rows of one page: between pages the event loop turns, so a page is what others wait for at most. */
const MOST_ROWS = 1_000;
const FEWEST_ROWS = 10;
/** Text of one page, about; rows that are large make the next pages shorter. */
const PAGE_BYTES = 2 * 1024 * 1024;
/** Positions that a filtered scan covers before it answers, with or without a match. */
const SCAN_WINDOW = 5_000;
const KEPT_SCANS = 100;

/** Reads events.db on a connection of its own; any thread. */
export class LogReader {
  readonly #db: Db;
  readonly #head: Statement<[number | null]>;
  readonly #stream: Statement<[number]>;
  readonly #forwards: Scan;
  readonly #backwards: Scan;
  readonly #scans = new Map<string, Scan>();
  readonly #last: Statement<[position: number, stream: number, revision: number, id: Buffer, format: number]>;
  readonly #streams: NameCache;
  readonly #names = new Map<number, string>();
  readonly #ids = new Map<string, number>();
  readonly #tail: LiveTail;
  readonly #newNames: Statement<[number, Buffer]>;
  #rows = 200;

  constructor(db: Db) {
    this.#db = db;
    this.#head = db.prepare('SELECT max(position) FROM events');
    this.#stream = db.prepare('SELECT id FROM streams WHERE name = ?');
    this.#streams = new NameCache(db, 'streams');
    const page = (bound: string, order: string): Scan =>
      pageStatement(db, `e.stream = ? AND e.revision ${bound} ?`, `e.revision ${order}`);
    this.#forwards = page('>=', 'ASC');
    this.#backwards = page('<=', 'DESC');
    this.#last = db.prepare(
      'SELECT position, stream, revision, id, format FROM events WHERE position <= ? ORDER BY position DESC LIMIT 1',
    );
    this.#newNames = db.prepare('SELECT id, CAST(name AS BLOB) FROM names WHERE id > ?');
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

  /** A page may be shorter than requested without being the last: `end` marks it. `head`: upper bound of the read, if it is known. */
  async readAll(
    after: Position,
    { filter = {}, limit = MOST_ROWS }: AllOptions = {},
    // Known before the filter's names are: those of events up to it are then known too.
    head: Position = this.head(),
  ): Promise<AllPage> {
    if (after >= head) return { events: [], through: after, end: true };
    const retained = this.#tail.read(after, head, filter, limit);
    if (retained !== undefined) return retained;
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

  /** How far a subscriber that has seen all up to `after` may go on without being handed anything; undefined where it must be read. */
  allLeftOut(after: Position, filter: EventFilter, head: Position): { through: Position; last: EventMark } | undefined {
    return after < head ? this.#tail.allLeftOut(after, head, filter) : undefined;
  }

  /** The newest event up to a position; undefined where a client of the protocol endpoint wrote it. */
  #markUpTo(through: Position): EventMark | undefined {
    const [position, stream, revision, id, format] = this.#last.get([through]) ?? [];
    if (format !== Format.objects) return undefined;
    return { stream: this.#streams.get(stream!), revision: revision!, id: bytesToUuid(id!), position: position! };
  }

  /** Receives this thread's own new appends, in order, so that they need not be read. */
  written(append: WrittenHere): void {
    this.#tail.written(append);
  }

  close(): void {
    this.#db.close();
  }

  #page(scan: Scan, parameters: number[]): Page {
    const rows = readPage(scan, parameters);
    if (scan !== this.#forwards && scan !== this.#backwards) checkOrder(rows, parameters[0]!);
    const events: RecordedEvent[] = [];
    let size = 0;
    this.#streams.prepare(rows.map(({ stream }) => stream));
    // The events of one append have one metadata: it is parsed once, and shared.
    let text = '';
    let meta = {} as RecordedEvent['meta'];
    for (const row of rows) {
      size += row.bytes;
      const names = this.#checked(row);
      if (row.format !== Format.objects) {
        this.#foreign(row, names, events);
        continue;
      }
      const message = row.metaText;
      if (message !== text) {
        meta = JSON.parse(message);
        text = message;
      }
      events.push(eventOf(row, names, JSON.parse(row.dataText), meta));
    }
    if (size > PAGE_BYTES) this.#rows = Math.max(FEWEST_ROWS, this.#rows >> 1);
    else if (size < PAGE_BYTES / 4 && rows.length === this.#rows) this.#rows = Math.min(MOST_ROWS, this.#rows * 2);
    const last = rows.at(-1);
    return { events, rows: rows.length, revisions: rows.map(({ revision }) => revision), last };
  }

  /** The names of its stream and type, of an event that is as it was written. Throws LogDamaged. */
  #checked(row: StoredRow): Names {
    const [stream, type] = [this.#streams.get(row.stream), this.#name(row.type)];
    checkRow(row, stream, type);
    return { stream, type };
  }

  /** An event that a client of the protocol endpoint wrote: shown when its data is an object and its stream no system's. */
  #foreign(row: StoredRow, names: Names, events: RecordedEvent[]): void {
    if (row.format !== Format.json || names.stream.startsWith('$')) return;
    const data = objectIn(row.data);
    if (data !== undefined) events.push(eventOf(row, names, data, (objectIn(row.meta) ?? {}) as RecordedEvent['meta']));
  }

  #scan(where: string): Scan {
    const retained = this.#scans.get(where);
    if (retained !== undefined) return retained;
    const scan = pageStatement(this.#db, `e.position > ? AND e.position <= ? ${where}`, 'e.position');
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
    const name = this.#names.get(id);
    if (name === undefined) throw new LogDamaged(`events.db: no type is named by the number ${id}`);
    return name;
  }

  #learnNames(): void {
    for (const [id, bytes] of this.#newNames.all([this.#names.size])) {
      const name = bytes.toString();
      this.#names.set(id, name);
      this.#ids.set(name, id);
    }
  }
}

/**
 * The index by stream may be damaged while the rows are whole: a stream with a gap must not be read as if it had none. Only a tombstone is
 * separate. Throws LogDamaged.
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

interface Names {
  readonly stream: string;
  readonly type: string;
}

const eventOf = (
  { id, revision, position }: StoredRow,
  { stream, type }: Names,
  data: object,
  meta: RecordedEvent['meta'],
): RecordedEvent => ({ id: hexToUuid(id), type, data, meta, stream, revision, position });
