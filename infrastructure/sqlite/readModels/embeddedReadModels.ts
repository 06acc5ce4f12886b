import { existsSync } from 'node:fs';
import { messageOf } from '../../../engine/messageOf.js';
import {
  type Checkpoint,
  type CollectionDefinition,
  DocumentRefused,
  type DocumentStore,
  type Fence,
  type NewDocument,
  type Query,
  type StoredDocument,
  type WriteBatch,
} from '../../../engine/ports/documents.js';
import { StorageFull, StoreUnavailable } from '../../../engine/ports/eventStore.js';
import { asPort } from '../../../engine/ports/storeErrors.js';
import { codeOf, isFull, openDatabase } from '../database.js';
import { type Statements, statementCache } from '../statementCache.js';
import { EmbeddedCheckpoints } from './checkpoints.js';
import { Collections, isMade, type Known } from './collections.js';
import { pageColumns, rowOf } from './definitions.js';
import { applyBatch, insertSql, MANY, pageRows, replaceSql, StoredRow } from './documents.js';
import { compileFind, compileMatches } from './query.js';

export interface EmbeddedReadModelsOptions {
  /** Only reads; the file must have been opened for writing before. */
  readonly readonly?: boolean;
  /** Names the file in errors; its path when absent. */
  readonly name?: string;
  /** FULL: a write also survives a power cut when it resolves. NORMAL (when absent): it survives the process's end. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Page cache of this connection in KiB; 16,384 when absent. */
  readonly cacheKb?: number;
}

/** Most ids in one statement of getMany. */
const IDS = 100;
/** Fewer are filled up to a power of two with one of them, so that there are few statements. */
const isOneOf = (places: number): string => `IN (${Array(places).fill('?').join(', ')})`;
const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Codes about the document, which no waiting helps; all others are the file's or the disk's. */
const OF_DOCUMENTS: Readonly<Record<string, string>> = {
  SQLITE_CONSTRAINT: 'unique_key_taken',
  SQLITE_TOOBIG: 'document_too_large',
  SQLITE_MISMATCH: 'wrong_key_type',
};

function translated(error: unknown, name: string): unknown {
  const code = codeOf(error);
  if (isFull(error)) return new StorageFull(`${name} cannot be written: ${code}`, { cause: error });
  const [, kind] = /^(SQLITE_[A-Z]+)/.exec(code) ?? [];
  if (kind === undefined) return error;
  const refused = OF_DOCUMENTS[kind];
  return refused === undefined
    ? new StoreUnavailable(`${name} cannot be used: ${code}`, { cause: error })
    : new DocumentRefused(refused, `${name} refuses a document: ${messageOf(error)}`, { cause: error });
}

/** For reading concurrently with a writer; undefined: the file does not exist yet, or its creator was killed halfway. */
export function openEmbeddedReadModelsIfMade(
  file: string,
  options: { readonly name: string },
): DocumentStore | undefined {
  if (!existsSync(file)) return undefined;
  const db = openDatabase(file, { readonly: true });
  try {
    if (!isMade(db)) return undefined;
  } finally {
    db.close();
  }
  return openEmbeddedReadModels(file, { ...options, readonly: true });
}

function documentOf<B>({ collection, table }: Known, statement: Statements, id: string): StoredRow<B> | undefined {
  const row = statement(`SELECT ${collection.row} FROM ${table} WHERE id = ?`).get([id]);
  return row === undefined ? undefined : new StoredRow<B>(collection.names, row[0] as string, row[1] as string);
}

function documentsOfIds<B>(
  { collection, table }: Known,
  statement: Statements,
  ids: readonly string[],
): Map<string, StoredDocument<B>> {
  const found = new Map<string, StoredDocument<B>>();
  const requested = [...new Set(ids)];
  const sql = `SELECT ${pageColumns(collection, collection.names).page} FROM ${table} WHERE id `;
  for (let i = 0; i < requested.length; i += IDS) {
    const part = requested.slice(i, i + IDS);
    const places = Math.min(IDS, 2 ** Math.ceil(Math.log2(part.length)));
    while (part.length < places) part.push(part[0]!);
    for (const document of pageRows<B>(collection.names, statement(sql + isOneOf(places)).get(part)!))
      found.set(document.id, document);
  }
  return found;
}

function findIn<B>({ collection, table }: Known, statement: Statements, query: Query): StoredDocument<B>[] {
  const compiled = compileFind(collection, table, query);
  if (compiled === undefined) return [];
  return pageRows<B>(compiled.names, statement(compiled.sql).get(compiled.params)!);
}

type Matches = NonNullable<ReturnType<typeof compileMatches>>;

const countOf = (statement: Statements, { sql, params }: Matches): number =>
  statement(`SELECT count(*) FROM (${sql})`).get(params)![0] as number;

const removeAll = (statement: Statements, table: string, { sql, params }: Matches): number =>
  statement(`DELETE FROM ${table} WHERE id IN (${sql})`).run(params);

/**
 * Read models in one SQLite file: a table per collection, a column per key, the body as opaque JSON text. Synchronous underneath, so
 * nothing of this thread runs between the parts of one call. Errors: `ReadModelError` (`code`: unknown_collection, no_index, unknown_key,
 * …), `StoreUnavailable`.
 */
export function openEmbeddedReadModels(file: string, options: EmbeddedReadModelsOptions = {}): DocumentStore {
  const { readonly = false, name: fileName = file } = options;
  const db = openDatabase(file, {
    readonly,
    synchronous: options.synchronous ?? 'NORMAL',
    cacheKb: options.cacheKb ?? 16_384,
  });
  const collections = new Collections(db, readonly);
  const statement = statementCache(db);
  const checkpoints = new EmbeddedCheckpoints(statement);

  /** Converts errors of the disk or a lock during writes to `StoreUnavailable`, so that they count as temporary. */
  function writing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw translated(error, fileName);
    }
  }

  /** Runs a change on the current target of a name. */
  const change = <T>(name: string, work: (collection: Parameters<typeof rowOf>[0]) => T): T =>
    writing(() => collections.with(collections.written(name), ({ collection }) => work(collection)));

  const store: DocumentStore = {
    async open(definition: CollectionDefinition, { indexes = 'now' } = {}) {
      writing(() => collections.open(definition, indexes === 'now'));
    },
    async buildIndexes(name) {
      for (const sql of collections.missingIndexes(name)) {
        writing(() => db.exec(sql));
        await breath();
      }
    },
    async drop(name) {
      writing(() => collections.drop(name));
    },
    async list() {
      return collections.list();
    },

    async get<B>(name: string, id: string) {
      return collections.with(name, (known) => documentOf<B>(known, statement, id));
    },
    async getMany<B>(name: string, ids: readonly string[]) {
      return collections.with(name, (known) => documentsOfIds<B>(known, statement, ids));
    },
    async find<B>(name: string, query: Query) {
      return collections.with(name, (known) => findIn<B>(known, statement, query));
    },
    async count(name, where, limit) {
      return collections.with(name, ({ collection, table }) => {
        const compiled = compileMatches(collection, table, where, limit);
        return compiled === undefined ? 0 : countOf(statement, compiled);
      });
    },

    async write(batches: Readonly<Record<string, WriteBatch>>, ...moved: readonly (Checkpoint | Fence)[]) {
      const all = (): void => {
        for (const { name, fence } of moved) if (fence !== undefined) checkpoints.checkFence(name, fence);
        for (const [name, batch] of Object.entries(batches))
          change(name, (collection) => {
            const bare = (batch.put?.length ?? 0) >= MANY && collections.isBare(collection);
            applyBatch(statement, collection, batch, bare);
          });
        checkpoints.move(moved.filter((one): one is Checkpoint => 'position' in one));
      };
      writing(() => db.transaction(all));
    },
    async checkpoint(name) {
      return checkpoints.positionOf(name);
    },
    async checkpoints(names) {
      return new Map(names.map((name) => [name, checkpoints.positionOf(name)]));
    },
    async marks(names) {
      return checkpoints.marks(names);
    },
    async claim(fence) {
      return writing(() => db.transaction(() => checkpoints.claim(fence)));
    },
    async dropCheckpoint(name) {
      writing(() => checkpoints.drop(name));
    },

    async insert(name: string, document: NewDocument) {
      return change(name, (of) => statement(insertSql(of)).run(rowOf(of, document)) === 1);
    },
    async replace(name: string, expected: number, document: NewDocument) {
      return change(name, (of) => statement(replaceSql(of)).run([...rowOf(of, document), document.id, expected]) === 1);
    },
    async removeWhere(name, where, limit) {
      return change(name, (of) => {
        const compiled = compileMatches(of, of.table, where, limit);
        return compiled === undefined ? 0 : removeAll(statement, of.table, compiled);
      });
    },

    async setAlias(name, collection) {
      writing(() => collections.setAlias(name, collection));
    },
    async dropAlias(name, collection) {
      collections.dropAlias(name, collection);
    },
    async resolve(name) {
      return collections.resolve(name);
    },
    async close() {
      db.close();
    },
  };
  return asPort(store, fileName);
}
