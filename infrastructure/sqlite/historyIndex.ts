/**
 * The index of the history in its own file, `history.db`: for each facet rows of positions, one per added page. A facet is stored as 48
 * bits of its hash; two facets with the same bits are found together, and the reader of the events separates them.
 */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { HistoryIndex, HistoryIndexMaker, IndexedPart, TimeSpan } from '../../application/ports/historyIndex.js';
import type { Position } from '../../engine/ports/eventStore.js';
import { type Db, openDatabase, type Statement } from './database.js';
import { onFile } from './storeErrors.js';

export const HISTORY_INDEX = 'history.db';
const LAYOUT = 3;
/** Cache of the file, in KiB: data are appended to it facet by facet. */
const CACHE_KB = 8_192;
const HASH_DIGITS = 12;
/** Rows read at once, and written by one statement. */
const ROWS = 64;
const AT_ONCE = 32;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS places (
    facet INTEGER NOT NULL, first INTEGER NOT NULL, rest BLOB NOT NULL, PRIMARY KEY (facet, first)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS made (
    one INTEGER PRIMARY KEY CHECK (one = 1), through INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
    secret TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS spans (through INTEGER PRIMARY KEY, least INTEGER NOT NULL, greatest INTEGER NOT NULL);
  PRAGMA user_version = ${LAYOUT};`;

const facetNumber = (facet: string): number => Number.parseInt(hash('sha256', facet, 'hex').slice(0, HASH_DIGITS), 16);

const NOTHING = new Uint8Array();

/** Positions behind the first: how far each is from the one before it, seven bits a byte, the lowest first. */
function packed(positions: readonly Position[]): Uint8Array {
  if (positions.length === 1) return NOTHING;
  const bytes: number[] = [];
  for (let at = 1; at < positions.length; at += 1) {
    let step = positions[at]! - positions[at - 1]!;
    for (; step > 127; step = Math.floor(step / 128)) bytes.push((step % 128) | 128);
    bytes.push(step);
  }
  return Uint8Array.from(bytes);
}

function unpack(first: Position, rest: Uint8Array, into: Position[]): void {
  into.push(first);
  let position = first;
  for (let at = 0; at < rest.length; ) {
    let factor = 1;
    let step = 0;
    for (; rest[at]! > 127; at += 1, factor *= 128) step += (rest[at]! - 128) * factor;
    step += rest[at]! * factor;
    at += 1;
    position += step;
    into.push(position);
  }
}

type Row = [first: number, rest: Uint8Array];
type SpanRow = [through: number, least: number, greatest: number];
type MadeRow = [through: number, position: number, id: string, secret: string];

const madeStatement = (db: Db): Statement<MadeRow> => db.prepare('SELECT through, position, id, secret FROM made');

function partIn(row: MadeRow | undefined): IndexedPart | undefined {
  return row && { through: row[0], mark: { position: row[1], id: row[2] }, secret: row[3] };
}

/** Positions of one facet in their order, read a few rows at a time. */
class Places {
  readonly #rows: Statement<Row>;
  readonly #facet: number;
  #buffer: Position[] = [];
  #at = 0;
  #ended = false;

  /** Starts at its first position behind `after`. */
  constructor(rows: Statement<Row>, facet: number, after: Position) {
    this.#rows = rows;
    this.#facet = facet;
    this.#read(after + 1);
    this.seek(after + 1);
  }

  /** Infinity at the end. */
  get current(): Position {
    return this.#buffer[this.#at] ?? Number.POSITIVE_INFINITY;
  }

  /** To the first position that is not before `position`. */
  seek(position: Position): void {
    for (;;) {
      const last = this.#buffer.at(-1);
      if (last === undefined) return;
      if (last >= position) break;
      if (this.#ended) {
        this.#at = this.#buffer.length;
        return;
      }
      this.#read(Math.max(position, last + 1));
    }
    while (this.#buffer[this.#at]! < position) this.#at += 1;
  }

  /** The row that begins at or before `from` may reach behind it. */
  #read(from: Position): void {
    const rows = this.#rows.all([this.#facet, this.#facet, from, ROWS]);
    this.#buffer = [];
    this.#at = 0;
    for (const [first, rest] of rows) unpack(first, rest, this.#buffer);
    this.#ended = rows.length < ROWS;
  }
}

/** The positions of several facets together. */
class Union {
  readonly #parts: readonly Places[];

  constructor(parts: readonly Places[]) {
    this.#parts = parts;
  }

  get current(): Position {
    let least = Number.POSITIVE_INFINITY;
    for (const { current } of this.#parts) if (current < least) least = current;
    return least;
  }

  seek(position: Position): void {
    for (const part of this.#parts) if (part.current < position) part.seek(position);
  }
}

/** Positions that are in all of them. */
function* common(unions: readonly Union[]): Generator<Position, undefined> {
  for (;;) {
    let most = Number.NEGATIVE_INFINITY;
    for (const { current } of unions) if (current > most) most = current;
    if (most === Number.POSITIVE_INFINITY || unions.length === 0) return undefined;
    if (unions.every(({ current }) => current === most)) {
      yield most;
      most += 1;
    }
    for (const union of unions) union.seek(most);
  }
}

class Reading implements HistoryIndex {
  readonly #db: Db;
  readonly #made: Statement<MadeRow>;
  readonly #rows: Statement<Row>;
  readonly #spans: Statement<SpanRow>;

  constructor(db: Db) {
    this.#db = db;
    this.#made = madeStatement(db);
    this.#spans = db.prepare('SELECT through, least, greatest FROM spans WHERE through > ? ORDER BY through LIMIT ?');
    this.#rows = db.prepare(
      `SELECT first, rest FROM places WHERE facet = ? AND first >= coalesce(
         (SELECT max(first) FROM places WHERE facet = ? AND first <= ?), 0) ORDER BY first LIMIT ?`,
    );
  }

  made(): IndexedPart | undefined {
    return partIn(this.#made.get());
  }

  positions(lists: readonly (readonly string[])[], after: Position): Iterable<Position> {
    const places = (facet: string): Places => new Places(this.#rows, facetNumber(facet), after);
    return common(lists.map((facets) => new Union([...new Set(facets)].map(places))));
  }

  *spans(after: Position): Generator<TimeSpan, undefined> {
    for (let at = after; ; ) {
      const rows = this.#spans.all([at, ROWS]);
      for (const [through, least, greatest] of rows) yield { through, least, greatest };
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS) return undefined;
      at = last[0];
    }
  }

  close(): void {
    this.#db.close();
  }
}

/**
 * For reading concurrently with its builder, which may start later: a missing file, or one of another release, is empty. Throws nothing.
 */
export function historyIndexIn(file: string): HistoryIndex & { close(): void } {
  let reading: Reading | undefined;
  const opened = (): Reading | undefined => {
    if (reading === undefined && existsSync(file)) {
      const db = openDatabase(file, { readonly: true, cacheKb: CACHE_KB });
      if (layoutOf(db) === LAYOUT) reading = new Reading(db);
      else db.close();
    }
    return reading;
  };
  return {
    made() {
      try {
        return opened()?.made();
      } catch {
        // It is a help: without it the log is read.
        return undefined;
      }
    },
    positions: (lists, after) => opened()?.positions(lists, after) ?? [],
    spans: (after) => opened()?.spans(after) ?? [],
    close: () => reading?.close(),
  };
}

const layoutOf = (db: Db): number => db.prepare<[number]>('PRAGMA user_version').get()?.[0] ?? 0;

/** For building; starts from scratch if another release has built the file. Throws StorageFull, StoreUnavailable. */
export function openHistoryIndexMaker(file: string): HistoryIndexMaker {
  const translating = <T>(work: () => T): T => onFile(HISTORY_INDEX, work);
  const db = translating(() => openDatabase(file, { cacheKb: CACHE_KB }));
  translating(() => {
    if (![0, LAYOUT].includes(layoutOf(db)))
      db.exec('DROP TABLE IF EXISTS places; DROP TABLE IF EXISTS made; DROP TABLE IF EXISTS spans');
    db.exec(SCHEMA);
  });
  const made = madeStatement(db);
  const insertOf = (rows: number): Statement =>
    db.prepare(`INSERT INTO places (facet, first, rest) VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')}`);
  const [insertMany, insertOne] = [insertOf(AT_ONCE), insertOf(1)];
  const note = db.prepare('INSERT OR REPLACE INTO made (one, through, position, id, secret) VALUES (1, ?, ?, ?, ?)');
  const noteSpan = db.prepare('INSERT OR REPLACE INTO spans (through, least, greatest) VALUES (?, ?, ?)');
  return {
    made: () => translating(() => partIn(made.get())),
    add(places, { through, mark, secret }, span) {
      const byNumber = new Map<number, readonly Position[]>();
      for (const [facet, positions] of places) {
        const number = facetNumber(facet);
        const other = byNumber.get(number);
        byNumber.set(number, other === undefined ? positions : [...other, ...positions].sort((a, b) => a - b));
      }
      // In the order of the table, whose pages are then each written once.
      const rows = [...byNumber].sort((a, b) => a[0] - b[0]);
      translating(() =>
        db.transaction(() => {
          for (let from = 0; from < rows.length; from += AT_ONCE) {
            const some = rows.slice(from, from + AT_ONCE).map(([number, all]) => [number, all[0]!, packed(all)]);
            if (some.length === AT_ONCE) insertMany.write(some.flat());
            else for (const row of some) insertOne.write(row);
          }
          noteSpan.write([span.through, span.least, span.greatest]);
          note.write([through, mark.position, mark.id, secret]);
        }),
      );
    },
    clear: () =>
      translating(() => db.transaction(() => db.exec('DELETE FROM places; DELETE FROM made; DELETE FROM spans'))),
    close: () => db.close(),
  };
}
