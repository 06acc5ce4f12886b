/** `suuq query`: one SQL statement over events and read models, next to the running service. Nothing is written. */
import { positionBefore } from '../../application/history/historySteps.js';
import type { SpannedLog } from '../../application/timeSpans.js';
import { DomainError, refuse } from '../../domain/decider.js';
import { pagesOf } from '../../engine/collections.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore } from '../../engine/ports/eventStore.js';
import { suggestionsFor } from '../../service/suggestions.js';
import type { Run } from '../backup/progress.js';
import { answer, type TakeRows } from './answer.js';
import { quotedName, quotedText, taking } from './columns.js';
import { type Duck, openDuck } from './duckDb.js';
import { createLog, envelopeOf, Feeder, feedEvents, LOG_TABLE } from './eventFeeder.js';
import type { EventTexts } from './eventTexts.js';
import { type ExportedFiles, exportTables } from './exportedFiles.js';
import { scannedBy } from './scans.js';
import { checkStatement } from './statement.js';
import { DOCUMENT, type EventTable, eventTables, type ReadModelTable, readModelTables, tableNames } from './tables.js';

export interface QueryRequest {
  readonly sql: string;
  readonly memoryMb: number;
  readonly seconds: number;
  /** Ends the process with an error, when a statement cannot be stopped in another way. */
  readonly endProcess?: (error: DomainError) => void;
}

/** Data source of a statement. */
export type QuerySource =
  | {
      readonly texts: EventTexts;
      readonly log: Pick<EventStore, 'readAll' | 'readStream' | 'head'> & Pick<SpannedLog, 'index'>;
      /** Undefined: no read model has been built yet. */
      views(): Promise<DocumentStore | undefined>;
    }
  | { readonly exported: ExportedFiles };

export interface QueryDone {
  readonly rows: number;
  /** Events and documents that were read for it. */
  readonly events: number;
  readonly documents: number;
}

/** Superset of the tables of a statement: their names occur somewhere in it. */
const named = (sql: string) => {
  const words = new Set(sql.toLowerCase().match(/\w+/g) ?? []);
  return ({ name }: { readonly name: string }): boolean => words.has(name);
};

const documentsTable = ({ name }: ReadModelTable): string => `documents_${name}`;

const eventView = ({ name, type, columns }: EventTable): string => {
  const own = columns.map((column) => `${taking(column, 'data')} AS ${quotedName(column.name)}`);
  return `CREATE VIEW ${name} AS SELECT ${[envelopeOf('JSON'), ...own].join(', ')} FROM ${LOG_TABLE} WHERE type = ${quotedText(type)}`;
};

function readModelSql(table: ReadModelTable): string {
  const stored = [...DOCUMENT, ...table.keys].map(({ name, type }) => `${quotedName(name)} ${type}`);
  const fields = table.fields.map((column) => `${taking(column, 'body')} AS ${quotedName(column.name)}`);
  const documents = documentsTable(table);
  return `CREATE TABLE ${documents} (${stored.join(', ')}); CREATE VIEW ${table.name} AS SELECT ${['*', ...fields].join(', ')} FROM ${documents};`;
}

/** DuckDB names what its own catalog has; this knows all tables, and which of them an export has not. */
function withHint(error: unknown, fromExport: boolean): unknown {
  if (!(error instanceof DomainError) || error.code !== 'invalid_query') return error;
  const missing = /Table with name "?(\w+)"? does not exist/.exec(error.message)?.[1]?.toLowerCase();
  if (missing === undefined) return error;
  const near = suggestionsFor(missing, tableNames);
  const hint = readModelTables.some(({ name }) => name === missing)
    ? `${missing} is a read model, but an export only has events. Run the query without --from.`
    : fromExport && tableNames.includes(missing)
      ? `The export has no events of this type.`
      : `There is no table ${missing}. ${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : "Run 'suuq query --schema' to list them."}`;
  return new DomainError('invalid_query', `${hint}\n${error.message}`);
}

/** Fills what the statement's plan reads. */
async function fill(
  { connection }: Duck,
  sql: string,
  source: Extract<QuerySource, { log: unknown }>,
  models: readonly ReadModelTable[],
  run: Run,
): Promise<Pick<QueryDone, 'events' | 'documents'>> {
  // With the empty tables of now it would find that nothing can come of any filter; and of the first rows of an order it would first look
  // for their places, and fetch them by a second scan, which has no filter.
  await connection.run("SET disabled_optimizers = 'statistics_propagation,late_materialization'");
  const explained = await connection.runAndReadAll(`EXPLAIN (FORMAT JSON) ${sql}`);
  const plan = String(explained.getRowsJS()[0]?.[1] ?? '[]');
  await connection.run("SET disabled_optimizers = ''");
  const requested = scannedBy(plan, LOG_TABLE);
  let [events, documents] = [0, 0];
  if (requested !== undefined) {
    const { texts, log } = source;
    const upTo = await texts.head();
    const after = requested.from === undefined ? BEFORE_ALL : await positionBefore(log, requested.from);
    events = await feedEvents(connection, texts, { ...requested, after, upTo }, run);
  }
  for (const model of models)
    if (scannedBy(plan, documentsTable(model)) !== undefined)
      documents += await feedDocuments(connection, source, model, run);
  return { events, documents };
}

async function feedDocuments(
  connection: Duck['connection'],
  source: Extract<QuerySource, { log: unknown }>,
  model: ReadModelTable,
  { report, signal }: Run,
): Promise<number> {
  const views = await source.views();
  const name = model.projection.name;
  // Where nothing was built yet there is nothing to read.
  if (views === undefined || !(await views.list()).includes(await views.resolve(name)))
    return refuse(
      'not_built',
      `The read model ${name} has not been built yet. Start the service, or query the events.`,
    );
  const feeder = Feeder.json(connection, documentsTable(model), [...DOCUMENT, ...model.keys]);
  let count = 0;
  const keyNames = Object.keys(model.projection.keys);
  for await (const page of pagesOf(views, name)) {
    signal.throwIfAborted();
    for (const { id, revision, keys, json } of page) {
      const values = keyNames.map((key, at) => [model.keys[at]!.name, keys[key] ?? null]);
      const head = JSON.stringify({ document_id: id, revision, ...Object.fromEntries(values) });
      await feeder.add(`${head.slice(0, -1)},"body":${json}}`);
    }
    count += page.length;
    report({ phase: name, done: `${count} documents` });
  }
  await feeder.end();
  return count;
}

/**
 * Answers one statement, and gives its rows to `take`. Only what the statement reads is taken from the log and the read models. Refuses
 * `invalid_query`, `query_not_allowed`, `query_too_large`, `query_timeout`, `duckdb_missing`, `not_built`.
 */
export async function query(
  source: QuerySource,
  requested: QueryRequest,
  take: TakeRows,
  run: Run,
): Promise<QueryDone> {
  const { sql, memoryMb, seconds, endProcess } = requested;
  const isNamed = named(sql);
  const fromExport = 'exported' in source;
  const bounds = { memoryMb, withinMs: seconds * 1000, signal: run.signal, endProcess };
  const duck = await openDuck(bounds, fromExport ? { folder: source.exported.folder } : {});
  const models = fromExport ? [] : readModelTables.filter(isNamed);
  try {
    return await duck.during(async () => {
      const { connection } = duck;
      const isPlan = await checkStatement(connection, sql);
      if (fromExport) await connection.run(exportTables(source.exported, isNamed));
      else {
        const views = eventTables.filter(isNamed).map(eventView);
        const made = [createLog(), `CREATE VIEW events AS SELECT ${envelopeOf('JSON')} FROM ${LOG_TABLE}`];
        await connection.run([...made, ...views, ...models.map(readModelSql)].join(';\n'));
      }
      const read = fromExport || isPlan ? { events: 0, documents: 0 } : await fill(duck, sql, source, models, run);
      await connection.run('SET lock_configuration = true');
      return { rows: await answer(duck, sql, memoryMb, take), ...read };
    });
  } catch (error) {
    throw withHint(error, fromExport);
  } finally {
    duck.close();
  }
}
