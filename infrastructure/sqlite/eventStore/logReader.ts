import { setImmediate as turn } from 'node:timers/promises';
import {
  BEFORE_ALL,
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/eventStore.js';
import type { Db, Statement } from '../database.js';
import { LiveTail } from './liveTail.js';
import { bytesToUuid } from './schema.js';

type Row = [position: number, stream: string, revision: number, id: Buffer, type: number, data: string, meta: string];
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

const COLUMNS = 'e.position, s.name, e.revision, e.id, e.type, e.data, e.meta';
const FROM = 'events e JOIN streams s ON s.id = e.stream';

/** Reads events.db on a connection of its own; any thread. */
export class LogReader {
  readonly #db: Db;
  readonly #head: Statement<[number | null]>;
  readonly #stream: Statement<[number]>;
  readonly #forwards: Scan;
  readonly #backwards: Scan;
  readonly #scans = new Map<string, Scan>();
  readonly #names = new Map<number, string>();
  readonly #ids = new Map<string, number>();
  readonly #tail: LiveTail;
  readonly #newNames: Statement<[number, string]>;
  #rows = 200;

  constructor(db: Db) {
    this.#db = db;
    this.#head = db.prepare('SELECT max(position) FROM events');
    this.#stream = db.prepare('SELECT id FROM streams WHERE name = ?');
    const page = (bound: string, order: string): Scan =>
      db.prepare(
        `SELECT ${COLUMNS} FROM ${FROM} WHERE e.stream = ? AND e.revision ${bound} ? ORDER BY e.revision ${order} LIMIT ?`,
      );
    this.#forwards = page('>=', 'ASC');
    this.#backwards = page('<=', 'DESC');
    this.#newNames = db.prepare('SELECT id, name FROM names WHERE id > ?');
    this.#tail = new LiveTail(this.head(), (after, upTo) => {
      const events = this.#page(this.#scan(''), [after, upTo, this.#rows]);
      return { events, through: events.length === 0 ? upTo : events.at(-1)!.position };
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
      for (const event of page) events.push(event);
      if (page.length < rows || events.length >= limit) break;
      from = page.at(-1)!.revision + (ahead ? 1 : -1);
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
    if (where === undefined) return { events: [], through: head, end: true };
    const bound = where === '' ? head : Math.min(head, after + SCAN_WINDOW);
    const rows = Math.min(limit, this.#rows);
    const events = this.#page(this.#scan(where), [after, bound, rows]);
    const through = events.length === rows ? events.at(-1)!.position : bound;
    return { events, through, end: through >= head };
  }

  close(): void {
    this.#db.close();
  }

  #page(scan: Scan, parameters: number[]): RecordedEvent[] {
    const rows = scan.all(parameters);
    let chars = 0;
    // The events of one append have one metadata: it is parsed once, and shared.
    let text = '';
    let meta = {} as RecordedEvent['meta'];
    const events = rows.map((row): RecordedEvent => {
      chars += row[5].length + row[6].length;
      if (row[6] !== text) {
        text = row[6];
        meta = JSON.parse(text);
      }
      return {
        id: bytesToUuid(row[3]),
        type: this.#name(row[4]),
        data: JSON.parse(row[5]),
        meta,
        stream: row[1],
        revision: row[2],
        position: row[0],
      };
    });
    if (chars > PAGE_CHARS) this.#rows = Math.max(FEWEST_ROWS, this.#rows >> 1);
    else if (chars < PAGE_CHARS / 4 && rows.length === this.#rows) this.#rows = Math.min(MOST_ROWS, this.#rows * 2);
    return events;
  }

  #scan(where: string): Scan {
    const kept = this.#scans.get(where);
    if (kept !== undefined) return kept;
    const sql = `SELECT ${COLUMNS} FROM ${FROM} WHERE e.position > ? AND e.position <= ? ${where} ORDER BY e.position LIMIT ?`;
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
