import type { CollectionDefinition } from '../../../engine/ports/documents.js';
import { collectionInUse, nameInUse, sameKeys, shapeDiffers, unknownCollection } from '../../readModels/shape.js';
import type { Db, Statement } from '../database.js';
import { type Collection, collectionOf, createTable, indexStatements, tableOf } from './definitions.js';

/** Target of a name on this connection. `table` may be a view, so that an alias follows a switch by itself. */
export interface Known {
  readonly collection: Collection;
  readonly table: string;
}

const TABLES = {
  collections: '(name TEXT PRIMARY KEY NOT NULL, definition TEXT NOT NULL) WITHOUT ROWID',
  aliases: '(name TEXT PRIMARY KEY NOT NULL, collection TEXT NOT NULL) WITHOUT ROWID',
  checkpoints: '(name TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL) WITHOUT ROWID',
  marks: '(position INTEGER PRIMARY KEY NOT NULL, mark TEXT NOT NULL)',
  fences: '(name TEXT PRIMARY KEY NOT NULL, fence INTEGER NOT NULL) WITHOUT ROWID',
} as const;
const ALL = Object.keys(TABLES) as (keyof typeof TABLES)[];
const SCHEMA = ALL.map((name) => `CREATE TABLE IF NOT EXISTS ${name} ${TABLES[name]}`).join(';\n');

const hasTables = (db: Db, names: readonly (keyof typeof TABLES)[]): boolean =>
  names.every((name) => db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get([name]));

/**
 * True if the file can be read: its creator may have been killed before. A file of an earlier release may lack parts that only writers
 * need.
 */
export const isMade = (db: Db): boolean => hasTables(db, ['collections', 'aliases']);

/**
 * The collections of a file. An alias is a view over its collection's table: SQLite itself makes every connection's
 * statements follow a switch at once, so readers need no signal and never see a stale build.
 */
export class Collections {
  readonly #db: Db;
  readonly #definition: Statement<[string]>;
  readonly #target: Statement<[string]>;
  readonly #put: Statement;
  readonly #known = new Map<string, Known>();

  constructor(db: Db, readonly: boolean) {
    if (!readonly && !hasTables(db, ALL)) db.transaction(() => db.exec(SCHEMA));
    this.#db = db;
    this.#definition = db.prepare<[string]>('SELECT definition FROM collections WHERE name = ?');
    this.#target = db.prepare<[string]>('SELECT collection FROM aliases WHERE name = ?');
    this.#put = db.prepare('INSERT OR REPLACE INTO collections VALUES (?, ?)');
  }

  /**
   * Target of writes to a name. A collection's own name is not resolved again: while it exists it cannot be an alias, and when it is gone
   * the write fails, and is repeated once by `with`.
   */
  written(name: string): string {
    return this.#known.get(name)?.collection.definition.name === name ? name : this.resolve(name);
  }

  /** Runs `work` with what is known of a name; once more with fresh knowledge when it failed on an old one. */
  with<T>(name: string, work: (known: Known) => T): T {
    const cached = this.#known.get(name);
    if (cached === undefined) return work(this.#record(name));
    try {
      return work(cached);
    } catch (error) {
      this.#known.delete(name);
      const fresh = this.#record(name);
      if (JSON.stringify(fresh.collection.definition) === JSON.stringify(cached.collection.definition)) throw error;
      return work(fresh);
    }
  }

  open(given: CollectionDefinition, withIndexes: boolean): void {
    const collection = collectionOf(given);
    this.#db.transaction(() => {
      const stored = this.#definition.get([given.name]);
      if (stored === undefined) this.#db.exec(createTable(collection));
      else this.#replaceTable(collection, stored[0]);
      this.#removeUndeclaredIndexes(collection);
      if (withIndexes) for (const sql of indexStatements(collection).values()) this.#db.exec(sql);
      this.#put.run([given.name, JSON.stringify(given)]);
    });
    this.#known.clear();
  }

  /** True if it has no index but that of its ids, such as while it fills. */
  isBare(collection: Collection): boolean {
    return this.#storedIndexes(collection).length === 0;
  }

  /** Statements that create the missing declared indexes. */
  missingIndexes(name: string): string[] {
    const { collection } = this.#load(this.resolve(name));
    const there = new Set(this.#storedIndexes(collection));
    return [...indexStatements(collection)].filter(([index]) => !there.has(index)).map(([, sql]) => sql);
  }

  drop(name: string): void {
    const users = this.#namesIn('SELECT name FROM aliases WHERE collection = ?', [name]);
    if (users.length > 0) throw collectionInUse(users[0]!, name);
    this.#db.transaction(() => {
      this.#db.exec(`DROP TABLE IF EXISTS ${tableOf(name)}`);
      this.#db.prepare('DELETE FROM collections WHERE name = ?').run([name]);
    });
    this.#known.clear();
  }

  list(): string[] {
    return this.#namesIn('SELECT name FROM collections ORDER BY name', []);
  }

  setAlias(name: string, collection: string): void {
    if (this.#definition.get([name]) !== undefined) throw nameInUse(name);
    this.#load(collection);
    this.#db.transaction(() => {
      this.#db.exec(`DROP VIEW IF EXISTS ${tableOf(name)}`);
      this.#db.exec(`CREATE VIEW ${tableOf(name)} AS SELECT * FROM ${tableOf(collection)}`);
      this.#db.prepare('INSERT OR REPLACE INTO aliases VALUES (?, ?)').run([name, collection]);
    });
    this.#known.clear();
  }

  dropAlias(name: string, collection: string): void {
    this.#db.transaction(() => {
      if (this.#target.get([name])?.[0] !== collection) return;
      this.#db.exec(`DROP VIEW IF EXISTS ${tableOf(name)}`);
      this.#db.prepare('DELETE FROM aliases WHERE name = ?').run([name]);
    });
    this.#known.clear();
  }

  resolve(name: string): string {
    return this.#target.get([name])?.[0] ?? name;
  }

  #load(name: string): Known {
    const stored = this.#definition.get([this.resolve(name)]);
    if (stored === undefined) throw unknownCollection(name);
    return { collection: collectionOf(JSON.parse(stored[0])), table: tableOf(name) };
  }

  #record(name: string): Known {
    const fresh = this.#load(name);
    this.#known.set(name, fresh);
    return fresh;
  }

  #namesIn(sql: string, params: string[]): string[] {
    return this.#db
      .prepare<[string]>(sql)
      .all(params)
      .map((row) => row[0]);
  }

  #storedIndexes(collection: Collection): string[] {
    return this.#namesIn(`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`, [
      collection.table,
    ]);
  }

  #removeUndeclaredIndexes(collection: Collection): void {
    const declared = indexStatements(collection);
    for (const name of this.#storedIndexes(collection)) if (!declared.has(name)) this.#db.exec(`DROP INDEX ${name}`);
  }

  /** Retains documents if the keys are the same; a collection with other keys is only recreated while it is empty. */
  #replaceTable(collection: Collection, stored: string): void {
    if (sameKeys(JSON.parse(stored), collection.definition)) return;
    if (this.#db.prepare(`SELECT 1 FROM ${collection.table} LIMIT 1`).get() !== undefined)
      throw shapeDiffers(collection.definition.name);
    this.#db.exec(`DROP TABLE ${collection.table}; ${createTable(collection)}`);
  }
}
