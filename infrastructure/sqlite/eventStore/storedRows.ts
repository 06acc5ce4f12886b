/** The embedded log as it is stored, on a connection of its own; for any thread, concurrently with a writer. */
import { BEFORE_ALL } from '../../../engine/ports/eventStore.js';
import { isEnginesOwn, type StoredEvent, type StoredLog } from '../../../engine/ports/storedLog.js';
import type { Db } from '../database.js';
import { asDamage } from './checksum.js';
import { headOf } from './logFile.js';
import { NameCache } from './nameCache.js';
import { checkOrder, pageStatement, readPage, type StoredRow } from './rowPages.js';
import { Format, openLogForReading, TOMBSTONE_REVISION } from './schema.js';

/** Rows read at once: more take no less time each, and one may have megabytes. */
const ROWS = 200;

export interface StoredRowsLog extends StoredLog {
  /** All events after (exclusive) a position, through (inclusive) another. Throws LogDamaged. */
  readPart(after: number, through: number): StoredEvent[];
}

/** The checksum of a row is not compared: a proof detects more, and names the fault. */
class StoredRows implements StoredRowsLog {
  readonly #db: Db;
  readonly #all;
  readonly #ofStream;
  readonly #stream;
  readonly #streams: NameCache;
  readonly #types: NameCache;

  constructor(db: Db) {
    this.#db = db;
    this.#all = pageStatement(db, 'e.position > ? AND e.position <= ?', 'e.position');
    this.#ofStream = pageStatement(
      db,
      `e.stream = ? AND e.revision >= ? AND e.revision < ${TOMBSTONE_REVISION}`,
      'e.revision',
    );
    this.#stream = db.prepare<[number]>('SELECT id FROM streams WHERE name = ?');
    this.#streams = new NameCache(db, 'streams');
    this.#types = new NameCache(db, 'names');
  }

  async head(): Promise<number> {
    return headOf(this.#db);
  }

  async readAfter(after: number, limit: number) {
    const head = headOf(this.#db);
    const events: StoredEvent[] = [];
    let through = after;
    while (events.length < limit && through < head) through = this.#readOn(through, head, events);
    return { events, through: Math.max(through, BEFORE_ALL), end: through >= head };
  }

  readPart(after: number, through: number): StoredEvent[] {
    const events: StoredEvent[] = [];
    for (let at = after; at < through; ) at = this.#readOn(at, through, events);
    return events;
  }

  /** Some rows; answers how far it came. */
  #readOn(after: number, through: number, events: StoredEvent[]): number {
    const rows = readPage(this.#all, [after, through, ROWS]);
    checkOrder(rows, after);
    this.#streams.prepare(rows.map(({ stream }) => stream));
    for (const row of rows) this.#take(row, events);
    return rows.length < ROWS ? through : rows.at(-1)!.position;
  }

  async readStream(stream: string, from: number, limit: number): Promise<StoredEvent[]> {
    const found = this.#stream.get([stream]);
    const events: StoredEvent[] = [];
    for (let next = from; found !== undefined && events.length < limit; ) {
      const rows = readPage(this.#ofStream, [found[0], next, Math.min(ROWS, limit - events.length)]);
      for (const row of rows) this.#take(row, events);
      if (rows.length < ROWS) break;
      next = rows.at(-1)!.revision + 1;
    }
    return events;
  }

  /** The event before each gap. */
  async gaps(most: number) {
    const found = this.#db
      .prepare<[number, number]>(
        `SELECT e.stream, CAST(e.revision AS INTEGER) - 1 FROM events e
         WHERE e.revision > 0 AND e.revision < ${TOMBSTONE_REVISION}
           AND NOT EXISTS (SELECT 1 FROM events b WHERE b.stream = e.stream AND b.revision = e.revision - 1) LIMIT ?`,
      )
      .all([most]);
    return found.map(([stream, revision]) => ({ stream: this.#streams.get(stream), revision }));
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #take(row: StoredRow, events: StoredEvent[]): void {
    const [stream, type] = [this.#streams.get(row.stream), this.#types.get(row.type)];
    if (isEnginesOwn(stream, type)) return;
    const { position, revision, id, data, meta, created } = row;
    const json = row.format !== Format.bytes;
    events.push({ position, stream, revision, type, id, json, data, meta, recorded: created ?? 0 });
  }
}

/** `folder`: with its events.db. Throws LogDamaged where it cannot be read. */
export function openStoredRows(folder: string): StoredRowsLog {
  try {
    return new StoredRows(openLogForReading(folder));
  } catch (error) {
    throw asDamage(error);
  }
}
