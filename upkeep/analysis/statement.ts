/** Decides from a statement's syntax tree, before anything is prepared, that it is one statement that only reads. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { DomainError, refuse } from '../../domain/decider.js';

/** `EXPLAIN` with its options: what follows is the statement that it explains. */
const EXPLAIN = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*explain\b(?:\s*\([^)]*\))?(?:\s+analyze\b)?/i;

/** Table functions that neither change settings or files nor run SQL from a string. */
const TABLE_FUNCTIONS = new Set([
  ...['generate_series', 'json_each', 'json_tree', 'range', 'repeat', 'repeat_row', 'unnest'],
  ...['pragma_show', 'pragma_table_info', 'pragma_version'],
]);
/** Information about the database itself. */
const CATALOG = /^duckdb_(?:columns|databases|functions|keywords|settings|tables|types|views)$/;
/** The only scalar function that changes anything: it writes into DuckDB's log. */
const WRITES = 'write_log';

type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

interface Parsed {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly statements?: readonly Json[];
}

const NOT_ALLOWED = 'A query may only read events and read models';

function checkFunctions(node: Json): void {
  if (node === null || typeof node !== 'object') return;
  for (const child of Object.values(node)) checkFunctions(child);
  const { type, class: kind, function: called, function_name: own } = node as Readonly<Record<string, Json>>;
  if (kind === 'FUNCTION' && own === WRITES) refuse('query_not_allowed', `${NOT_ALLOWED}: ${WRITES} writes.`);
  if (type !== 'TABLE_FUNCTION') return;
  const name = String((called as { readonly function_name?: Json } | undefined)?.function_name ?? '').toLowerCase();
  if (!TABLE_FUNCTIONS.has(name) && !CATALOG.test(name))
    refuse(
      'query_not_allowed',
      `${NOT_ALLOWED}: the table function ${name} is not allowed. Name the tables directly ('suuq query --schema').`,
    );
}

/**
 * Refuses everything but a single reading statement, without preparing it: preparing `EXPORT DATABASE` already creates a folder. Returns
 * whether the statement only requests a plan.
 */
export async function checkStatement(connection: DuckDBConnection, sql: string): Promise<boolean> {
  const explained = EXPLAIN.exec(sql);
  const judged = explained === null ? sql : sql.slice(explained[0].length);
  const answer = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [judged]);
  const { error, error_type, error_message, statements } = JSON.parse(String(answer.getRowsJS()[0]![0])) as Parsed;
  if (error && error_type !== 'not implemented')
    throw new DomainError('invalid_query', `Parser Error: ${error_message}`);
  if (error)
    refuse('query_not_allowed', `${NOT_ALLOWED}: it must begin with SELECT, WITH, FROM, DESCRIBE or SUMMARIZE.`);
  if (statements?.length !== 1) refuse('invalid_query', 'Enter one statement, such as: select count(*) from events.');
  checkFunctions(statements!);
  return explained !== null;
}
