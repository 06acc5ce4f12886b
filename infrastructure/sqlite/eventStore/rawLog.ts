/**
 * The log as it stands in events.db, for those who show it to others: every event of every stream with the bytes it was
 * written with, also what the EventStore port hides (metadata, links, tombstones, binary events). Nothing is parsed.
 */
import type { Db, Statement } from '../database.js';
import { NameCache } from './rawLogNames.js';
import { Format } from './schema.js';

export type Direction = 'forwards' | 'backwards';

/** Where an event stands and how large it is: all that a filter or a page's bound needs. */
export interface EventKey {
  readonly position: number;
  /** Number of the stream and of the type in this file; RawLog.streamName and RawLog.typeName tell their names. */
  readonly stream: number;
  readonly type: number;
  readonly revision: number;
  /** Of data and metadata. */
  readonly bytes: number;
}

export interface RawEvent extends EventKey {
  readonly streamName: string;
  readonly typeName: string;
  /** 32 hexadecimal digits, lower case. */
  readonly id: string;
  /** JSON text in Suuq's own events, else the bytes that a client sent. */
  readonly data: string | Buffer;
  readonly meta: string | Buffer;
  readonly json: boolean;
  /** Microseconds since 1970. */
  readonly created: number;
}

/** Bounds of one page; rows that are large make it shorter, down to one event. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 512 * 1024;
/** Keys that a filtered scan looks at before the event loop turns. */
export const SCAN_ROWS = 2_000;
const KEPT_NAMES = 50_000;

type KeyRow = [position: number, stream: number, type: number, revision: number, bytes: number];
type Row = [
  ...KeyRow,
  id: string,
  data: string | Buffer,
  meta: string | Buffer,
  created: number | null,
  format: number,
];

const KEY = 'position, stream, type, revision, octet_length(data) + octet_length(meta)';
const ALL = `${KEY}, lower(hex(id)), data, meta, created, format`;

const statements = (db: Db) => {
  const keys = (range: string, order: string): Statement<KeyRow> =>
    db.prepare(`SELECT ${KEY} FROM events WHERE ${range} ORDER BY ${order} LIMIT ?`);
  return {
    head: db.prepare<[number | null]>('SELECT max(position) FROM events'),
    stream: db.prepare<[number]>('SELECT id FROM streams WHERE name = ?'),
    newest: db.prepare<[number | null]>('SELECT max(revision) FROM events WHERE stream = ?'),
    all: {
      forwards: keys('position BETWEEN ? AND ?', 'position'),
      backwards: keys('position BETWEEN ? AND ?', 'position DESC'),
    },
    ofStream: {
      forwards: keys('stream = ? AND revision BETWEEN ? AND ?', 'revision'),
      backwards: keys('stream = ? AND revision BETWEEN ? AND ?', 'revision DESC'),
    },
    run: db.prepare<Row>(`SELECT ${ALL} FROM events WHERE position BETWEEN ? AND ? ORDER BY position`),
    some: db.prepare<Row>(
      `SELECT ${ALL} FROM events WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position`,
    ),
    one: db.prepare<Row>(`SELECT ${ALL} FROM events WHERE stream = ? AND revision = ?`),
  };
};

/** Reads events.db on a connection of its own; any thread. Positions and revisions in ranges are inclusive. */
export class RawLog {
  readonly #sql: ReturnType<typeof statements>;
  readonly #streams: NameCache;
  readonly #types: NameCache;

  constructor(db: Db) {
    this.#sql = statements(db);
    this.#streams = new NameCache(db.prepare('SELECT name FROM streams WHERE id = ?'), KEPT_NAMES);
    this.#types = new NameCache(db.prepare('SELECT name FROM names WHERE id = ?'), KEPT_NAMES);
  }

  /** Position of the newest event; -1 when there is none. */
  head(): number {
    return this.#sql.head.get()?.[0] ?? -1;
  }

  /** The number of a stream that has had an event. */
  streamNumber(name: string): number | undefined {
    return this.#sql.stream.get([name])?.[0];
  }

  /** Revision of the newest event of a stream; -1 when there is none. */
  newestRevision(stream: number): number {
    return this.#sql.newest.get([stream])?.[0] ?? -1;
  }

  streamName(stream: number): string {
    return this.#streams.get(stream);
  }

  typeName(type: number): string {
    return this.#types.get(type);
  }

  /** Keys between two positions, `rows` at most, in the direction of reading. */
  keysOfAll(direction: Direction, low: number, high: number, rows: number): EventKey[] {
    return this.#sql.all[direction].all([low, high, rows]).map(toKey);
  }

  /** The beginning of a stream's keys between two revisions, in the direction of reading: what one page may hold. */
  pageOfStream(direction: Direction, stream: number, low: number, high: number, rows: number): EventKey[] {
    return onePage(this.#sql.ofStream[direction].all([stream, low, high, Math.min(rows, PAGE_ROWS)]).map(toKey));
  }

  /** The same of the whole log. */
  pageOfAll(direction: Direction, low: number, high: number, rows: number): EventKey[] {
    return onePage(this.keysOfAll(direction, low, high, Math.min(rows, PAGE_ROWS)));
  }

  event(stream: number, revision: number): RawEvent | undefined {
    const row = this.#sql.one.get([stream, revision]);
    return row && this.#toEvent(row);
  }

  /** The events of these keys, in their order: rising or falling positions. */
  events(keys: readonly EventKey[]): RawEvent[] {
    if (keys.length === 0) return [];
    const first = keys[0]!.position;
    const last = keys.at(-1)!.position;
    const low = Math.min(first, last);
    const high = Math.max(first, last);
    const rows =
      high - low < keys.length
        ? this.#sql.run.all([low, high])
        : this.#sql.some.all([JSON.stringify(keys.map(({ position }) => position))]);
    const events = rows.map((row) => this.#toEvent(row));
    return first > last ? events.reverse() : events;
  }

  #toEvent([position, stream, type, revision, bytes, id, data, meta, created, format]: Row): RawEvent {
    return {
      position,
      stream,
      type,
      revision,
      bytes,
      streamName: this.streamName(stream),
      typeName: this.typeName(type),
      id,
      data,
      meta,
      json: format !== Format.bytes,
      created: created ?? this.#timeIn(meta.toString()),
    };
  }

  #text = '';
  #time = 0;
  /** Suuq's own events keep their time in the metadata, which the events of one append share: read once. */
  #timeIn(meta: string): number {
    if (meta !== this.#text) {
      this.#text = meta;
      this.#time = timeOf(meta);
    }
    return this.#time;
  }
}

function timeOf(meta: string): number {
  const at = Date.parse((JSON.parse(meta) as { at?: string }).at ?? '');
  return Number.isNaN(at) ? 0 : at * 1_000;
}

const toKey = ([position, stream, type, revision, bytes]: KeyRow): EventKey => ({
  position,
  stream,
  type,
  revision,
  bytes,
});

/** How many of these keys make one page: as many events as its bytes allow, and one at least. */
export function onePage(keys: EventKey[]): EventKey[] {
  let bytes = 0;
  let count = 0;
  while (count < keys.length && count < PAGE_ROWS) {
    bytes += keys[count]!.bytes;
    if (bytes > PAGE_BYTES && count > 0) break;
    count += 1;
  }
  return count === keys.length ? keys : keys.slice(0, count);
}
