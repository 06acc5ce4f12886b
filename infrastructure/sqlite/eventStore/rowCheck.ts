/** Whether the rows of events.db are as they were written: for the start, for a copy, and for `suuq verify`. */
import { categoryOf } from '../../../engine/ports/eventStore.js';
import type { Db } from '../database.js';
import { asDamage, checksumOf } from './checksum.js';
import { sumColumn, TOMBSTONE_REVISION } from './schema.js';

/** What is wrong with one place of the log. */
export interface RowFault {
  /** Absent where it is not about one event. */
  readonly position?: number;
  readonly what: string;
}

type Row = [
  position: number,
  stream: string | null,
  revision: number,
  id: Buffer,
  type: string | null,
  category: string | null,
  data: string | Buffer,
  meta: string | Buffer,
  created: number | null,
  format: number,
  sum: number | null,
];

/** Rows read at once. Their text is at most what one append may hold, each. */
const ROWS = 100;

function faultOf([position, stream, revision, id, type, category, data, meta, created, format, sum]: Row):
  | string
  | undefined {
  if (stream === null) return 'its stream has no name';
  const of = ` (revision ${revision} of ${stream})`;
  if (type === null) return `its type has no name${of}`;
  if (category !== categoryOf(stream)) return `it is filed under ${category}${of}`;
  if (sum === null) return undefined;
  const hex = id.toString('hex');
  const is = checksumOf({ position, stream, revision, id: hex, type, data, meta }, format, created);
  return is === sum ? undefined : `it is not as it was written${of}`;
}

/** Looks at rows one page at a time. */
export class RowCheck {
  readonly #page;
  /** Events with a checksum were seen: from there on all have one. */
  #summed = false;

  constructor(db: Db) {
    const layout = db.prepare<[number]>('PRAGMA main.user_version').get()?.[0] ?? 0;
    const [created, format] = layout < 2 ? ['NULL', '0'] : ['e.created', 'e.format'];
    this.#page = db.prepare<Row>(
      `SELECT e.position, s.name, e.revision, e.id, t.name, c.name, e.data, e.meta, ${created}, ${format}, ${sumColumn(db)}
       FROM main.events e NOT INDEXED LEFT JOIN main.streams s ON s.id = e.stream
       LEFT JOIN main.names t ON t.id = e.type LEFT JOIN main.names c ON c.id = e.category
       WHERE e.position > ? AND e.position <= ? ORDER BY e.position LIMIT ${ROWS}`,
    );
  }

  /** The next rows after a position: what is wrong with them, and where they end. Throws LogDamaged where they cannot be read. */
  next(
    after: number,
    through: number,
  ): { readonly faults: RowFault[]; readonly through: number; readonly rows: number } {
    const rows = this.#rows(after, through);
    const faults: RowFault[] = [];
    for (const row of rows) {
      const what = this.#fault(row);
      if (what !== undefined) faults.push({ position: row[0], what });
    }
    return { faults, through: rows.length < ROWS ? through : rows.at(-1)![0], rows: rows.length };
  }

  #rows(after: number, through: number): Row[] {
    try {
      return this.#page.all([after, through]);
    } catch (error) {
      throw asDamage(error);
    }
  }

  #fault(row: Row): string | undefined {
    const sum = row[10];
    if (sum !== null) this.#summed = true;
    else if (this.#summed)
      return `it has no checksum, although events before it have one (revision ${row[2]} of ${row[1]})`;
    return faultOf(row);
  }
}

/** Streams whose revisions are not 0, 1, 2 …, at most `most`. A tombstone stands apart. */
export function gapsIn(db: Db, most: number): RowFault[] {
  const gaps = db.prepare<[string | null, number, number, number]>(
    `SELECT (SELECT name FROM streams WHERE id = g.stream), g.least, g.newest, g.events
     FROM (SELECT stream, min(revision) AS least, max(revision) AS newest, count(*) AS events
           FROM events WHERE revision <> ${TOMBSTONE_REVISION} GROUP BY stream) g
     WHERE g.least <> 0 OR g.newest <> g.events - 1 LIMIT ?`,
  );
  return gaps.all([most]).map(([stream, least, newest, events]) => ({
    what: `${stream ?? 'a stream without a name'} has ${events} events with revisions from ${least} to ${newest}`,
  }));
}

/** What SQLite finds wrong with the file and its indexes, at most `most`. Takes a second for each 700 MB, without a pause. */
export function structureFaults(db: Db, most: number): RowFault[] {
  try {
    const said = db.prepare<[string]>(`PRAGMA main.integrity_check(${most})`).all();
    return said.flatMap(([line]) => (line === 'ok' ? [] : line.split('\n').map((what) => ({ what }))));
  } catch (error) {
    return [{ what: String((asDamage(error) as Error).message) }];
  }
}
