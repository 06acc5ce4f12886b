/** The vault of the embedded engine: vault.db, written by the process that has the data folder, read by its threads. */
import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { NewPerson, PersonLink, PersonVault } from '../../engine/ports/personVault.js';
import { asPort } from '../../engine/ports/storeErrors.js';
import { flushFolderNow } from '../files/flushFolder.js';
import { type Db, openDatabase, type SqlValue, type Statement } from './database.js';
import { statementCache } from './statementCache.js';
import { storeError } from './storeErrors.js';
import { VaultFlush } from './vaultFlush.js';

export const VAULT = 'vault.db';

const LAYOUT = 1;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS persons (id TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS links (number INTEGER PRIMARY KEY, lookup TEXT NOT NULL, person TEXT NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS links_by_lookup ON links (lookup, person);
  CREATE INDEX IF NOT EXISTS links_by_person ON links (person);
  CREATE TABLE IF NOT EXISTS forgotten (number INTEGER PRIMARY KEY, person TEXT NOT NULL UNIQUE, at TEXT NOT NULL);
  PRAGMA user_version = ${LAYOUT};`;

/** Values in one statement. */
const MOST_VALUES = 200;
const MOST_FORGOTTEN = 1_000;
/** Readers may hold the write-ahead log for a moment; what is left of it then goes with the next time. */
const EMPTYING_TRIES = 20;

const places = (count: number): string => Array(count).fill('?').join(', ');

function inParts<T>(values: readonly string[], query: (part: readonly string[]) => T[]): T[] {
  const found: T[] = [];
  for (let at = 0; at < values.length; at += MOST_VALUES) found.push(...query(values.slice(at, at + MOST_VALUES)));
  return found;
}

function openVault(path: string, readonly: boolean): Db {
  try {
    const db = openDatabase(path, { readonly, cacheKb: 4096 });
    // What is removed is overwritten with zeros.
    if (!readonly) db.exec('PRAGMA secure_delete = ON');
    const [layout = 0] = db.prepare<[number]>('PRAGMA user_version').get() ?? [];
    if (layout > LAYOUT)
      throw new StoreUnavailable(
        `${VAULT} has layout ${layout}, but this release supports ${LAYOUT}: start a newer release`,
      );
    if (!readonly && layout < LAYOUT) {
      db.transaction(() => db.exec(SCHEMA));
      flushFolderNow(dirname(path));
    }
    return db;
  } catch (error) {
    throw storeError(error, VAULT);
  }
}

/** Subjects that are added together: in one commit and one flush. */
interface Gathered {
  readonly persons: NewPerson[];
  readonly links: PersonLink[];
  readonly durable: Promise<void>;
}

class EmbeddedVault implements PersonVault {
  readonly #db: Db;
  readonly #readonly: boolean;
  readonly #flushing: VaultFlush;
  readonly #statement: (sql: string) => Statement;
  #gathered: Gathered | undefined;

  constructor(path: string, readonly: boolean) {
    this.#db = openVault(path, readonly);
    this.#statement = statementCache(this.#db);
    this.#readonly = readonly;
    this.#flushing = new VaultFlush(path);
  }

  async links(lookups: readonly string[]): Promise<PersonLink[]> {
    return this.#linksBy('lookup', lookups);
  }

  async linksOf(persons: readonly string[]): Promise<PersonLink[]> {
    return this.#linksBy('person', persons);
  }

  #linksBy(column: 'lookup' | 'person', values: readonly string[]): PersonLink[] {
    const rows = inParts(values, (part) =>
      this.#prepared<[number, string, string]>(
        `SELECT number, lookup, person FROM links WHERE ${column} IN (${places(part.length)})`,
      ).all(part),
    );
    return rows.sort(([a], [b]) => a - b).map(([, lookup, person]) => ({ lookup, person }));
  }

  /** Those who come while the disk is waited for are added in one commit after it: in an hour of new customers that is each of them. */
  add(persons: readonly NewPerson[], links: readonly PersonLink[]): Promise<void> {
    this.#gathered ??= { persons: [], links: [], durable: this.#addGathered() };
    this.#gathered.persons.push(...persons);
    this.#gathered.links.push(...links);
    return this.#gathered.durable;
  }

  async #addGathered(): Promise<void> {
    await this.#flushing.idle();
    await turn();
    const { persons, links } = this.#gathered!;
    this.#gathered = undefined;
    await this.#write(() => {
      const person = this.#prepared('INSERT OR IGNORE INTO persons VALUES (?, ?)');
      for (const { id, key } of persons) person.write([id, key]);
      const link = this.#prepared('INSERT OR IGNORE INTO links (lookup, person) VALUES (?, ?)');
      for (const one of links) link.write([one.lookup, one.person]);
    });
  }

  async keys(persons: readonly string[]): Promise<Map<string, string>> {
    return new Map(
      inParts(persons, (part) =>
        this.#prepared<[string, string]>(`SELECT id, key FROM persons WHERE id IN (${places(part.length)})`).all(part),
      ),
    );
  }

  async reseal(persons: readonly NewPerson[]): Promise<void> {
    await this.#write(() => {
      const put = this.#prepared('UPDATE persons SET key = ? WHERE id = ?');
      for (const { id, key } of persons) put.write([key, id]);
    });
    this.#empty();
  }

  async page(after: string, limit: number): Promise<NewPerson[]> {
    const rows = this.#prepared<[string, string]>('SELECT id, key FROM persons WHERE id > ? ORDER BY id LIMIT ?').all([
      after,
      limit,
    ]);
    return rows.map(([id, key]) => ({ id, key }));
  }

  async forget(persons: readonly string[], at: string): Promise<void> {
    await this.#write(() => {
      const [note, keys, links] = [
        'INSERT OR IGNORE INTO forgotten (person, at) VALUES (?, ?)',
        'DELETE FROM persons WHERE id = ?',
        'DELETE FROM links WHERE person = ?',
      ].map((sql) => this.#prepared(sql));
      for (const person of persons) {
        note!.write([person, at]);
        keys!.write([person]);
        links!.write([person]);
      }
    });
    this.#empty();
  }

  async forgotten(persons: readonly string[]): Promise<Set<string>> {
    const rows = inParts(persons, (part) =>
      this.#prepared<[string]>(`SELECT person FROM forgotten WHERE person IN (${places(part.length)})`).all(part),
    );
    return new Set(rows.map(([person]) => person));
  }

  async forgottenAfter(through: number) {
    const rows = this.#prepared<[number, string]>(
      'SELECT number, person FROM forgotten WHERE number > ? ORDER BY number LIMIT ?',
    ).all([through, MOST_FORGOTTEN]);
    return { persons: rows.map(([, person]) => person), through: rows.at(-1)?.[0] ?? through };
  }

  async close(): Promise<void> {
    await this.#gathered?.durable.catch(() => {});
    await this.#flushing.close();
    // A reading thread may be ended before it closes: later readers then have nothing to move, and write nothing.
    try {
      if (!this.#readonly) this.#empty();
    } finally {
      this.#db.close();
    }
  }

  #prepared<Row extends SqlValue[]>(sql: string): Statement<Row> {
    return this.#statement(sql) as Statement<Row>;
  }

  async #write(work: () => void): Promise<void> {
    try {
      this.#db.transaction(work);
    } catch (error) {
      throw storeError(error, VAULT);
    }
    await this.#flushing.done();
  }

  /** Older versions of pages go from the write-ahead log too. */
  #empty(): void {
    try {
      const checkpoint = this.#prepared<[busy: number]>('PRAGMA wal_checkpoint(TRUNCATE)');
      for (let tries = 0; tries < EMPTYING_TRIES; tries += 1) if (checkpoint.get()?.[0] === 0) return;
    } catch (error) {
      throw storeError(error, VAULT);
    }
  }
}

/** `path`: of vault.db, made when it is missing unless `readonly`. Throws StoreUnavailable. */
export const openEmbeddedVault = (path: string, { readonly = false } = {}): PersonVault =>
  asPort(new EmbeddedVault(path, readonly), VAULT);

/** True if it has no keys and no erased subjects: an empty file, or a new vault. */
export function isEmptyVault(path: string): boolean {
  const db = openVault(path, true);
  try {
    const [tables] = db
      .prepare<[number]>("SELECT count(*) FROM sqlite_schema WHERE name IN ('persons', 'forgotten')")
      .get()!;
    if (tables < 2) return true;
    return db.prepare('SELECT 1 FROM persons UNION ALL SELECT 1 FROM forgotten LIMIT 1').get() === undefined;
  } finally {
    db.close();
  }
}
