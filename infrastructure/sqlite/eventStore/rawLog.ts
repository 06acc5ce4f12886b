/**
 * The raw log in events.db, for publishing it to others: every event of every stream with its original bytes, including those that the
 * EventStore port hides (metadata, links, tombstones, binary events). Nothing is parsed.
 */
import type { Db, Statement } from '../database.js';
import { checkSum } from './checksum.js';
import { NameCache } from './nameCache.js';
import type { AboutRow } from './rowPages.js';
import { createdColumns, Format, wholeIn } from './schema.js';

export type Direction = 'forwards' | 'backwards';

/** All of an event but its data and metadata: all that a filter or a page's bound needs. */
export interface EventHead {
  readonly position: number;
  /** Numbers of the stream and of the type in this file; RawLog.streamName and RawLog.typeName return their names. */
  readonly stream: number;
  readonly type: number;
  readonly revision: number;
  /** 32 hexadecimal digits, lower case. */
  readonly id: string;
  readonly dataBytes: number;
  readonly metaBytes: number;
  /** Microseconds since 1970; null in Suuq's own events, whose metadata contain it. */
  readonly at: number | null;
  readonly json: boolean;
  /** See `Format` and checksum.ts. */
  readonly format: number;
  readonly sum: number | null;
}

export interface RawEvent extends EventHead {
  readonly streamName: string;
  readonly typeName: string;
  readonly data: Buffer;
  readonly meta: Buffer;
  /** Microseconds since 1970. */
  readonly created: number;
}

/** Bounds of one page; events that are large make it shorter, down to one. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 512 * 1024;

type HeadRow = [position: number, stream: number, type: number, ...AboutRow];

const HEAD = `position, ${['stream', 'type', 'revision'].map(wholeIn).join(', ')}, lower(hex(id)), octet_length(data), octet_length(meta)`;
/** The bodies of a page as one value, a fraction of the work that two values of each event would be. */
const BODIES = "CAST(group_concat(data || meta, '' ORDER BY position) AS BLOB)";

const statements = (db: Db) => {
  const { created, format, sum } = createdColumns(db);
  const heads = (range: string, order: string): Statement<HeadRow> =>
    db.prepare(`SELECT ${HEAD}, ${created}, ${format}, ${sum} FROM events WHERE ${range} ORDER BY ${order} LIMIT ?`);
  return {
    head: db.prepare<[number | null]>('SELECT max(position) FROM events'),
    stream: db.prepare<[number]>('SELECT id FROM streams WHERE name = ?'),
    newest: db.prepare<[number | null]>('SELECT CAST(max(revision) AS INTEGER) FROM events WHERE stream = ?'),
    all: {
      forwards: heads('position BETWEEN ? AND ?', 'position'),
      backwards: heads('position BETWEEN ? AND ?', 'position DESC'),
    },
    ofStream: {
      forwards: heads('stream = ? AND revision BETWEEN ? AND ?', 'revision'),
      backwards: heads('stream = ? AND revision BETWEEN ? AND ?', 'revision DESC'),
    },
    run: db.prepare<[Buffer]>(`SELECT ${BODIES} FROM events WHERE position BETWEEN ? AND ?`),
    some: db.prepare<[Buffer]>(`SELECT ${BODIES} FROM events WHERE position IN (SELECT value FROM json_each(?))`),
  };
};

/** Reads events.db on a connection of its own; any thread. Positions and revisions in ranges are inclusive. */
export class RawLog {
  readonly #sql: ReturnType<typeof statements>;
  readonly #streams: NameCache;
  readonly #types: NameCache;

  constructor(db: Db) {
    this.#sql = statements(db);
    this.#streams = new NameCache(db, 'streams');
    this.#types = new NameCache(db, 'names');
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

  /** Heads between two positions, in the direction of reading: as many as one page of small events holds, and `rows` at most. */
  headsOfAll(direction: Direction, low: number, high: number, rows = PAGE_ROWS): EventHead[] {
    return this.#sql.all[direction].all([low, high, Math.min(rows, PAGE_ROWS)]).map(toHead);
  }

  /** One page of them. */
  pageOfAll(direction: Direction, low: number, high: number, rows = PAGE_ROWS): EventHead[] {
    return onePage(this.headsOfAll(direction, low, high, rows));
  }

  /** One page of a stream's heads between two revisions. */
  pageOfStream(direction: Direction, stream: number, low: number, high: number, rows = PAGE_ROWS): EventHead[] {
    return onePage(this.#sql.ofStream[direction].all([stream, low, high, Math.min(rows, PAGE_ROWS)]).map(toHead));
  }

  event(stream: number, revision: number): RawEvent | undefined {
    return this.events(this.pageOfStream('forwards', stream, revision, revision, 1))[0];
  }

  /** The events of these heads, of one page and in its order: rising or falling positions. */
  events(heads: readonly EventHead[]): RawEvent[] {
    if (heads.length === 0) return [];
    const rising = heads[0]!.position <= heads.at(-1)!.position ? heads : heads.toReversed();
    const bodies = this.#bodies(rising);
    let at = 0;
    const events = rising.map((head): RawEvent => {
      const data = bodies.subarray(at, at + head.dataBytes);
      at += head.dataBytes;
      const meta = bodies.subarray(at, at + head.metaBytes);
      at += head.metaBytes;
      return this.#toEvent(head, data, meta);
    });
    return rising === heads ? events : events.reverse();
  }

  /** Data and metadata of these events, one after the other. */
  #bodies(rising: readonly EventHead[]): Buffer {
    const low = rising[0]!.position;
    const high = rising.at(-1)!.position;
    if (high - low < rising.length) return this.#sql.run.get([low, high])![0];
    return this.#sql.some.get([JSON.stringify(rising.map(({ position }) => position))])![0];
  }

  /** Field by field: a spread takes as long as all the rest. Throws LogDamaged. */
  #toEvent(head: EventHead, data: Buffer, meta: Buffer): RawEvent {
    const [streamName, typeName] = [this.streamName(head.stream), this.typeName(head.type)];
    if (head.sum !== null) {
      const { position, revision, id } = head;
      const event = { position, stream: streamName, revision, id, type: typeName, data, meta };
      checkSum(head.sum, event, head.format, head.at);
    }
    return {
      position: head.position,
      stream: head.stream,
      type: head.type,
      revision: head.revision,
      id: head.id,
      dataBytes: head.dataBytes,
      metaBytes: head.metaBytes,
      at: head.at,
      json: head.json,
      format: head.format,
      sum: head.sum,
      streamName,
      typeName,
      data,
      meta,
      created: head.at ?? timeIn(meta),
    };
  }
}

/** The time of Suuq's own events. */
function timeIn(meta: Buffer): number {
  const at = Date.parse((JSON.parse(meta.toString()) as { at?: string }).at ?? '');
  return Number.isNaN(at) ? 0 : at * 1_000;
}

const toHead = ([position, stream, type, revision, id, dataBytes, metaBytes, at, format, sum]: HeadRow): EventHead => ({
  position,
  stream,
  type,
  revision,
  id,
  dataBytes,
  metaBytes,
  at,
  json: format !== Format.bytes,
  format,
  sum,
});

/** The first of these that make one page: as many as its bytes allow, and one at least. */
export function onePage(heads: EventHead[]): EventHead[] {
  let bytes = 0;
  let count = 0;
  while (count < heads.length) {
    bytes += heads[count]!.dataBytes + heads[count]!.metaBytes;
    if (bytes > PAGE_BYTES && count > 0) break;
    count += 1;
  }
  return count === heads.length ? heads : heads.slice(0, count);
}
