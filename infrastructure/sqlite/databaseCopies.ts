/**
 * Copies of the databases of a data folder, made next to the process that writes them. The copy of the log is taken in many short reads,
 * since events never change: the write-ahead log of a busy service is moved into its file meanwhile. Work changes, so it is copied in one
 * read, as of one moment.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Db, openDatabase, type SqlValue } from './database.js';

export interface CopyOptions {
  readonly signal?: AbortSignal;
  /** Progress of this copy, 0 to 1. */
  progress?(share: number): void;
}

/** Rows between two looks at the signal. */
const ROWS = 5_000;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface Part {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** Objects of the attached file, in the order in which they can be created. */
const partsOf = (db: Db): Part[] =>
  db
    .prepare<[Buffer, Buffer, Buffer]>(
      "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(sql AS BLOB) FROM source.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all()
    .map(([type, name, sql]) => ({ type: type.toString(), name: name.toString(), sql: sql.toString() }));

const userVersion = (db: Db, schema: string): number =>
  db.prepare<[number]>(`PRAGMA ${schema}.user_version`).get()?.[0] ?? 0;

function attached(from: string, to: string): Db {
  const db = openDatabase(to, { draft: true, cacheKb: 32_768 });
  db.prepare('ATTACH ? AS source').run([from]);
  return db;
}

/** Indexes and views are made when the rows are there: sorting once costs less than keeping in order. */
function makeTheRest(db: Db, parts: readonly Part[]): void {
  for (const { type, sql } of parts) if (type !== 'table') db.exec(sql);
}

/** A copy whose source has been looked at, so that it shows one moment; `finish` makes it. */
export interface Snapshot {
  /** Writes the contents of the source at that moment. Nothing else may be called afterwards. */
  finish(options?: CopyOptions): Promise<void>;
  /** Gives it up; harmless after `finish`. */
  close(): void;
}

/** Opens a snapshot of a database. Its writers continue; their writes are not moved into its file until the end. */
export function snapshotOf(from: string, to: string): Snapshot {
  const db = attached(from, to);
  db.exec('BEGIN');
  const parts = partsOf(db);
  return {
    async finish({ signal, progress } = {}) {
      const tables = parts.filter(({ type }) => type === 'table');
      for (const { sql } of tables) db.exec(sql);
      for (const [done, table] of tables.entries()) {
        await copyTable(db, table, signal);
        progress?.((done + 1) / tables.length);
      }
      makeTheRest(db, parts);
      db.exec(`PRAGMA main.user_version = ${userVersion(db, 'source')}`);
      db.exec('COMMIT');
      db.close();
    },
    close: () => db.close(),
  };
}

async function copyTable(db: Db, { name, sql }: Part, signal: AbortSignal | undefined): Promise<void> {
  const table = quoted(name);
  if (/WITHOUT ROWID\s*$/i.test(sql)) {
    db.exec(`INSERT INTO main.${table} SELECT * FROM source.${table}`);
    return;
  }
  const last = db.prepare<[number | null]>(
    `SELECT max(rowid) FROM (SELECT rowid FROM source.${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS})`,
  );
  const copy = db.prepare(
    `INSERT INTO main.${table} SELECT * FROM source.${table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`,
  );
  for (let after = -1; ; ) {
    signal?.throwIfAborted();
    const through = last.get([after])?.[0] ?? null;
    if (through === null) return;
    copy.run([after, through]);
    after = through;
    await turn();
  }
}

/**
 * Copies all events up to a position, with what they need, into a new file. `checked` looks at each run of rows that was
 * copied (positions after the first number, through the second), in the copy.
 */
export async function copyLog(
  { from, to, head }: { readonly from: string; readonly to: string; readonly head: number },
  { signal, progress }: CopyOptions = {},
  checked?: (copy: Db, after: number, through: number) => void,
): Promise<{ readonly events: number }> {
  const db = attached(from, to);
  try {
    const parts = partsOf(db);
    for (const { type, sql } of parts) if (type === 'table') db.exec(sql);
    db.exec(`PRAGMA main.user_version = ${userVersion(db, 'source')}`);
    const copy = db.prepare(
      'INSERT INTO main.events SELECT * FROM source.events WHERE position > ? AND position <= ? ORDER BY position',
    );
    const others = parts.filter(({ type, name }) => type === 'table' && name !== 'events');
    // Names and streams only grow: read after the head was, they hold all that events up to it need.
    for (const { name } of others) db.exec(`INSERT INTO main.${quoted(name)} SELECT * FROM source.${quoted(name)}`);
    let events = 0;
    for (let after = -1; after < head; ) {
      signal?.throwIfAborted();
      const through = Math.min(head, after + ROWS);
      const range: SqlValue[] = [after, through];
      events += copy.run(range);
      checked?.(db, after, through);
      after = through;
      progress?.((through + 1) / (head + 1));
      await turn();
    }
    makeTheRest(db, parts);
    return { events };
  } finally {
    db.close();
  }
}
