/** The one file that knows the SQLite driver. Everything else speaks to `Db`. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import Driver from 'libsql';
import { FileDamaged } from '../../engine/ports/fileDamaged.js';
import { reportDamage } from './damageReports.js';

export type SqlValue = string | number | null | Uint8Array;

/** Parameters are always one array; rows are arrays in column order (a third faster than objects). */
export interface Statement<Row extends readonly unknown[] = SqlValue[]> {
  /** Answers the number of rows changed. */
  run(params?: readonly SqlValue[]): number;
  /** Runs a change without counting rows: the driver's result object takes a third of a small write. */
  write(params?: readonly SqlValue[]): void;
  get(params?: readonly SqlValue[]): Row | undefined;
  all(params?: readonly SqlValue[]): Row[];
}

export interface Db {
  prepare<Row extends readonly unknown[] = SqlValue[]>(sql: string): Statement<Row>;
  /** One or more statements without parameters. */
  exec(sql: string): void;
  /** Runs `work` between BEGIN IMMEDIATE and COMMIT; a throw rolls everything back and is passed on. */
  transaction<T>(work: () => T): T;
  /** Closing twice is harmless. */
  close(): void;
}

/** True if the driver reports that the disk is full (or the file has its maximum size): nothing was written. */
export const isFull = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_FULL');

/** The driver's code, such as SQLITE_BUSY; empty for other errors. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

export interface OpenOptions {
  /** The connection refuses to write (the file must exist). */
  readonly readonly?: boolean;
  /** FULL: a commit is on the disk when it returns. NORMAL: a power cut may lose the last commits, never corrupt. NORMAL when absent. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Page cache of this connection in KiB; 8,192 when absent. */
  readonly cacheKb?: number;
  /** A new file that is thrown away when its making ends early: nothing is logged, or flushed to the disk. */
  readonly draft?: boolean;
}

/**
 * Pages of 4 KiB in the write-ahead log (128 MiB) at which a commit itself moves them into the file. The service's
 * checkpointer (checkpointer.ts) does it long before; this is the bound where none runs.
 */
const MOST_LOG_PAGES = 32_768;

/** Size to which a log is cut when it restarts, so that a burst does not use its space for ever. */
const KEPT_LOG_BYTES = 16 * 1024 * 1024;

/** How long a statement waits for another connection's lock, in ms. */
const BUSY_MS = 5000;

const NONE: readonly SqlValue[] = [];

/** Runs a call of the driver. Damage that it reports is recorded, even if a caller catches the error. */
type Calls = <T>(call: () => T) => T;

function prepare<Row extends readonly unknown[]>(driver: Driver.Database, sql: string, calls: Calls): Statement<Row> {
  let statement = driver.prepare(sql);
  const reader = statement.reader;
  if (reader) statement.raw(true);
  return {
    run: (params = NONE) => calls(() => statement.run(params).changes),
    write: (params = NONE) =>
      calls(() => {
        try {
          statement.get(params);
        } catch (error) {
          // The driver throws the same error when the statement is used next.
          statement = driver.prepare(sql);
          throw error;
        }
      }),
    get: (params = NONE) => calls(() => statement.get(params) as Row | undefined),
    all: (params = NONE) => calls(() => statement.all(params) as Row[]),
  };
}

function transaction<T>(driver: Driver.Database, calls: Calls, work: () => T): T {
  calls(() => driver.exec('BEGIN IMMEDIATE'));
  try {
    const result = work();
    calls(() => driver.exec('COMMIT'));
    return result;
  } catch (error) {
    if (driver.inTransaction) driver.exec('ROLLBACK');
    throw error;
  }
}

/** Codes of a file whose content is no database, or not the one that was written. */
const DAMAGE = /^SQLITE_(?:NOTADB|CORRUPT)/;

export const isDamage = (error: unknown): boolean => DAMAGE.test(codeOf(error));

/**
 * Opens (and unless `readonly`, creates) a database file in write-ahead mode. Throws FileDamaged, or the driver's error when it
 * cannot.
 */
export function openDatabase(path: string, options: OpenOptions = {}): Db {
  if (options.readonly && !existsSync(path)) throw new Error(`${path} does not exist`);
  try {
    return opened(path, options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    reportDamage({ path, reason: (error as Error).message });
    throw new FileDamaged(basename(path), (error as Error).message, codeOf(error));
  }
}

function opened(path: string, options: OpenOptions): Db {
  const driver = new Driver(path);
  try {
    prepareDriver(driver, options);
  } catch (error) {
    driver.close();
    throw error;
  }
  let open = true;
  const calls: Calls = (call) => {
    try {
      return call();
    } catch (error) {
      if (isDamage(error)) reportDamage({ path, reason: (error as Error).message });
      throw error;
    }
  };
  return {
    prepare: (sql) => calls(() => prepare(driver, sql, calls)),
    exec: (sql) => void calls(() => driver.exec(sql)),
    transaction: (work) => transaction(driver, calls, work),
    close() {
      if (open) driver.close();
      open = false;
    },
  };
}

function prepareDriver(driver: Driver.Database, options: OpenOptions): void {
  driver.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA cache_size = -${options.cacheKb ?? 8192}`);
  if (options.readonly) driver.exec('PRAGMA query_only = ON');
  else if (options.draft) driver.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  else
    driver.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${options.synchronous ?? 'NORMAL'}; PRAGMA wal_autocheckpoint = ${MOST_LOG_PAGES};
       PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`,
    );
  // Reads the header and the schema, so that a damaged file is found here. A statement that is left open would keep the lock.
  driver.exec('SELECT count(*) FROM sqlite_schema');
}
