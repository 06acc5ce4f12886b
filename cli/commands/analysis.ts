/** For analysts: SQL queries, and the history as files. Nothing is changed, and the service may run. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { UsageError } from '../../service/admin/declaration.js';
import { count, type Shown, table } from '../../service/admin/text.js';
import type { QueryColumn, TakeRows } from '../../upkeep/analysis/answer.js';
import type { ExportResult } from '../../upkeep/analysis/exportEvents.js';
import type { ExportFormat } from '../../upkeep/analysis/manifest.js';
import type { SchemaTable } from '../../upkeep/analysis/schema.js';
import { type CliCommand, type CliHost, directCommand, type Terminal, type Typed } from '../command.js';
import { upkeepShown } from '../progress.js';
import { timeOption } from '../timeOption.js';

/** Maximum rows of a table or of JSON, which are buffered; `--csv` prints all rows as they arrive. */
const ROWS = 10_000;
const MOST_ROWS = 1_000_000;
const SECONDS = 60;
const MOST_SECONDS = 86_400;
const MEMORY_MB = 1024;
const LEAST_MB = 64;
const MOST_MB = 1_048_576;
const WIDTH = 60;

function wholeOf(typed: Typed, option: string, absent: number, least: number, most: number): number {
  const text = typed.one(option);
  if (text === undefined) return absent;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${option} must be a whole number from ${least} to ${most}`);
}

const memoryOf = (typed: Typed): number => wholeOf(typed, 'memory', MEMORY_MB, LEAST_MB, MOST_MB);

const MEMORY = {
  value: 'MB',
  about: `Memory limit in MB; the rest spills to a temporary folder. Default: ${MEMORY_MB}.`,
};

const FORMATS: readonly ExportFormat[] = ['parquet', 'csv', 'jsonl'];

interface QueryResult {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** There are more rows than these. */
  readonly more?: true;
  /** True if the rows are already printed. */
  readonly written?: true;
}

interface SchemaResult {
  readonly tables: readonly SchemaTable[];
}

const cell = (value: unknown): string => {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 1)}…`;
};

function queryText({ columns, rows, more, written }: QueryResult): Shown {
  if (written) return '';
  const cells = rows.map((row) => columns.map(({ name }) => cell(row[name])));
  return [
    table(
      columns.map(({ name }) => name),
      cells,
      'No rows.',
    ),
    ...(more ? [`… and more: --limit shows more of them, --csv all.`] : []),
  ];
}

/** Prints at the speed of the reader. */
async function outAll(terminal: Terminal, text: string): Promise<void> {
  terminal.out(text);
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

/** Answers the statement; progress is shown until the first row comes. */
function queryOf(typed: Typed, host: CliHost, terminal: Terminal, take: TakeRows) {
  const sql = typed.argument(0);
  if (sql === undefined) throw new UsageError('<sql> is missing');
  const from = typed.one('from');
  const requested = {
    sql,
    memoryMb: memoryOf(typed),
    seconds: wholeOf(typed, 'seconds', SECONDS, 1, MOST_SECONDS),
  };
  return upkeepShown(host, terminal, (upkeep, report) =>
    upkeep.query(requested, from === undefined ? undefined : resolve(from), take, report),
  );
}

/** All rows, as they come. Each line but the last is ended here. */
async function csv(typed: Typed, host: CliHost, terminal: Terminal): Promise<QueryResult> {
  const { csvLine } = await import('../../upkeep/analysis/values.js');
  const escaped = typed.one('escape-formulas') !== undefined;
  let started = false;
  await queryOf(typed, host, terminal, async (columns, rows) => {
    const lines = rows.map((row) => csvLine(row, escaped));
    if (!started)
      lines.unshift(
        csvLine(
          columns.map(({ name }) => name),
          escaped,
        ),
      );
    if (lines.length > 0) await outAll(terminal, `${started ? '\n' : ''}${lines.join('\n')}`);
    started = true;
    return true;
  });
  return { columns: [], rows: [], written: true };
}

async function some(typed: Typed, host: CliHost, terminal: Terminal): Promise<QueryResult> {
  const limit = wholeOf(typed, 'limit', ROWS, 1, MOST_ROWS);
  let columns: readonly QueryColumn[] = [];
  const found: QueryResult['rows'][number][] = [];
  const { resultMb } = await import('../../upkeep/analysis/answer.js');
  const mostMb = resultMb(memoryOf(typed));
  let bytes = 0;
  await queryOf(typed, host, terminal, async (names, rows, more) => {
    columns = names;
    bytes += more;
    if (bytes > mostMb * 1_000_000)
      refuse(
        'query_too_large',
        `The rows exceed ${mostMb} MB, a quarter of --memory. Select fewer or shorter columns, set --limit, or print all rows as CSV (--csv).`,
      );
    for (const row of rows) found.push(Object.fromEntries(names.map(({ name }, at) => [name, row[at]])));
    return found.length <= limit;
  });
  return { columns, rows: found.slice(0, limit), ...(found.length > limit && { more: true }) };
}

/** The tables, or the columns of one. */
async function schema(name: string): Promise<SchemaResult> {
  const { schemaOf } = await import('../../upkeep/analysis/schema.js');
  return { tables: schemaOf(name === 'true' ? undefined : name) };
}

function schemaText({ tables }: SchemaResult): Shown {
  const [only] = tables;
  if (tables.length > 1 || only === undefined)
    return [
      table(
        ['TABLE', 'ABOUT'],
        tables.map(({ name, about }) => [name, about]),
        '',
      ),
      "'suuq query --schema TABLE' names the columns of one.",
    ];
  const columns = only.columns.map(({ name, type, about }) => [name, type, about ?? '']);
  return [only.about, table(['COLUMN', 'TYPE', 'ABOUT'], columns, '')];
}

function exportText({ folder, format, added, events, files, bytes, position }: ExportResult): Shown {
  return [
    `${count(added)} events were added; ${folder} holds ${count(events)}, up to position ${position}.`,
    `${count(files)} files (${format}, ${(bytes / 1_000_000).toFixed(1)} MB), each with its SHA-256 in manifest.json. Run the same command again to add new events.`,
    'They contain messages and phone numbers of customers. Secrets are encrypted.',
  ];
}

export const analysisCommands: readonly CliCommand[] = [
  directCommand<QueryResult | SchemaResult>({
    words: ['query'],
    about: 'Run one SQL query over events and read models. Reads only.',
    arguments: [{ name: 'sql', optional: true }],
    options: {
      csv: { about: 'Print all rows as CSV.' },
      'escape-formulas': { about: 'With --csv: prefix text that a spreadsheet would run as a formula.' },
      limit: { value: 'N', about: `Maximum number of rows, except with --csv. Default: ${count(ROWS)}.` },
      from: { value: 'DIR', about: 'Folder of a Parquet export to query instead of the live history.' },
      schema: { value: 'TABLE', bare: true, about: 'List the tables, or the columns of one table.' },
      memory: MEMORY,
      seconds: { value: 'N', about: `Time limit in seconds. Default: ${SECONDS}.` },
    },
    async direct(typed, host, terminal) {
      const about = typed.one('schema');
      if (about !== undefined) return schema(about);
      if (typed.one('csv') === undefined && typed.one('escape-formulas') !== undefined)
        throw new UsageError('--escape-formulas needs --csv');
      if (typed.one('csv') === undefined) return some(typed, host, terminal);
      if (typed.one('json') !== undefined) throw new UsageError('give --csv or --json');
      return csv(typed, host, terminal);
    },
    text: (result) => ('tables' in result ? schemaText(result) : queryText(result)),
  }),
  directCommand<ExportResult>({
    words: ['export'],
    about: 'Export events as files. Run it again to add new events.',
    arguments: [{ name: 'DIR' }],
    options: {
      format: { value: FORMATS.join('|'), about: 'File format. Default: parquet.' },
      type: { value: 'TYPE,TYPE', about: 'Only events of these types.' },
      store: { value: 'ID', about: "Only this store's events." },
      from: { value: 'TIME', about: 'Only events at or after this time.' },
      to: { value: 'TIME', about: 'Only events before this time.' },
      'escape-formulas': {
        about: 'With --format csv: prefix text that a spreadsheet would run as a formula.',
      },
      memory: MEMORY,
    },
    direct(typed, host, terminal) {
      const format = typed.one('format') ?? 'parquet';
      if (!FORMATS.includes(format as ExportFormat))
        throw new UsageError(`--format ${format}: must be one of ${FORMATS.join(', ')}`);
      const escapeFormulas = typed.one('escape-formulas') === undefined ? undefined : (true as const);
      if (escapeFormulas && format !== 'csv') throw new UsageError('--escape-formulas needs --format csv');
      const requested = {
        folder: resolve(typed.argument(0)!),
        format: format as ExportFormat,
        choice: defined({
          types: typed
            .one('type')
            ?.split(',')
            .map((type) => type.trim()),
          store: typed.one('store')?.toLowerCase(),
          from: timeOption(typed, 'from'),
          to: timeOption(typed, 'to'),
          escapeFormulas,
        }),
        memoryMb: memoryOf(typed),
      };
      return upkeepShown(host, terminal, (upkeep, report) => upkeep.exportEvents(requested, report));
    },
    text: exportText,
  }),
];
