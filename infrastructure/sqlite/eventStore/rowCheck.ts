/** Checks that the rows of events.db are as they were written: for the start, for a copy, and for `suuq verify`. */
import { categoryOf, LogDamaged } from '../../../engine/ports/eventStore.js';
import type { Db } from '../database.js';
import { asDamage, checksumOfRow } from './checksum.js';
import { NameCache } from './nameCache.js';
import { checkOrder, type PageStatement, pageStatement, readPage, type StoredRow } from './rowPages.js';
import { TOMBSTONE_REVISION } from './schema.js';

/** Fault at one place of the log. */
export interface RowFault {
  /** Absent where it is not about one event. */
  readonly position?: number;
  readonly what: string;
}

/** Rows read at once. Their text is at most what one append may hold, each. */
const ROWS = 100;

/** Looks at rows one page at a time. */
export class RowCheck {
  readonly #page: PageStatement;
  readonly #streams: NameCache;
  readonly #names: NameCache;
  /** Events with a checksum were seen: from there on all have one. */
  #summed = false;

  constructor(db: Db) {
    this.#page = pageStatement(db, 'e.position > ? AND e.position <= ?', 'e.position');
    this.#streams = new NameCache(db, 'streams');
    this.#names = new NameCache(db, 'names');
  }

  /** The next rows after a position: what is wrong with them, and where they end. Throws LogDamaged where they cannot be read. */
  next(
    after: number,
    through: number,
  ): { readonly faults: RowFault[]; readonly through: number; readonly rows: number } {
    const rows = readPage(this.#page, [after, through, ROWS]);
    checkOrder(rows, after);
    const faults: RowFault[] = [];
    for (const row of rows) {
      const what = this.#fault(row);
      if (what !== undefined) faults.push({ position: row.position, what });
    }
    return { faults, through: rows.length < ROWS ? through : rows.at(-1)!.position, rows: rows.length };
  }

  #fault(row: StoredRow): string | undefined {
    const { revision, sum } = row;
    let names: { stream: string; type: string; category: string };
    try {
      const [stream, type] = [this.#streams.get(row.stream), this.#names.get(row.type)];
      names = { stream, type, category: this.#names.get(row.category) };
    } catch (error) {
      return (error as Error).message;
    }
    const { stream, type, category } = names;
    const of = ` (revision ${revision} of ${stream})`;
    if (category !== categoryOf(stream)) return `it is filed under ${category}${of}`;
    if (sum === null) return this.#summed ? `it has no checksum, although events before it have one${of}` : undefined;
    this.#summed = true;
    return checksumOfRow(row, stream, type) === sum ? undefined : `it is not as it was written${of}`;
  }
}

/** Looks at all rows after a position, through another. Throws LogDamaged for the first that is not as it was written. */
export function requireWhole(db: Db, from: number, to: number): void {
  const rows = new RowCheck(db);
  for (let after = from; after < to; ) {
    const { faults, through } = rows.next(after, to);
    const [fault] = faults;
    if (fault !== undefined) throw new LogDamaged(`events.db: the event at position ${fault.position}: ${fault.what}`);
    after = through;
  }
}

/** Streams whose revisions are not 0, 1, 2 …, at most `most`. A tombstone is separate. */
export function gapsIn(db: Db, most: number): RowFault[] {
  const gaps = db.prepare<[Buffer | null, number, number, number]>(
    `SELECT (SELECT CAST(name AS BLOB) FROM streams WHERE id = g.stream), g.least, g.newest, g.events
     FROM (SELECT stream, CAST(min(revision) AS INTEGER) AS least, CAST(max(revision) AS INTEGER) AS newest, count(*) AS events
           FROM events WHERE revision <> ${TOMBSTONE_REVISION} GROUP BY stream) g
     WHERE g.least <> 0 OR g.newest <> g.events - 1 LIMIT ?`,
  );
  return gaps.all([most]).map(([stream, least, newest, events]) => ({
    what: `${stream?.toString() ?? 'a stream without a name'} has ${events} events with revisions from ${least} to ${newest}`,
  }));
}

/** Faults that SQLite finds in the file and its indexes, at most `most`. Takes a second for each 700 MB, without a pause. */
export function structureFaults(db: Db, most: number): RowFault[] {
  try {
    const text = db.prepare<[string]>(`PRAGMA main.integrity_check(${most})`).all();
    return text.flatMap(([line]) => (line === 'ok' ? [] : line.split('\n').map((what) => ({ what }))));
  } catch (error) {
    return [{ what: String((asDamage(error) as Error).message) }];
  }
}
