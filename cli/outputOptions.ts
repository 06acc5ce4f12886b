/** `--watch`, `--limit` and `--columns`: how much of a result is shown, and how often. */
import { UsageError } from '../service/admin/declaration.js';
import { withTable } from '../service/admin/layout.js';
import type { Shown, Table } from '../service/admin/text.js';
import type { Typed } from './command.js';

/** Default interval of `--watch`, in seconds. */
const EVERY_S = 2;
const MOST_S = 3_600;
const MOST_ROWS = 1_000_000;

/** Ms between two looks; undefined: one is enough. Throws UsageError. */
export function watchMs(typed: Typed): number | undefined {
  const text = typed.one('watch');
  if (text === undefined) return undefined;
  const seconds = text === 'true' ? EVERY_S : Number(text);
  if (!(seconds >= 0.1 && seconds <= MOST_S)) throw new UsageError(`--watch must be from 0.1 to ${MOST_S} seconds`);
  return seconds * 1000;
}

/** The result with at most `--limit` rows of its list; `more` marks a cut. Throws UsageError. */
export function limited(result: object, list: string | undefined, typed: Typed): object {
  const text = list === undefined ? undefined : typed.one('limit');
  if (text === undefined) return result;
  const most = Number(text);
  if (!/^\d+$/.test(text) || most < 1 || most > MOST_ROWS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MOST_ROWS}`);
  const rows = (result as Readonly<Record<string, readonly unknown[]>>)[list!]!;
  return rows.length <= most ? result : { ...result, [list!]: rows.slice(0, most), more: true };
}

/** Only the columns of `--columns`, in their order. Throws UsageError. */
export function withColumns(shown: Shown, typed: Typed): Shown {
  const text = typed.one('columns');
  if (text === undefined) return shown;
  const requested = text.split(',').map((one) => one.trim().toUpperCase());
  return withTable(shown, (table) => chosen(table, requested));
}

function chosen(table: Table, requested: readonly string[]): Table {
  const places = requested.map((name) => {
    const at = table.head.findIndex((one) => one.toUpperCase() === name);
    if (at === -1) throw new UsageError(`--columns: unknown column ${name}. Available: ${table.head.join(', ')}`);
    return at;
  });
  return {
    ...table,
    head: places.map((at) => table.head[at]!),
    rows: table.rows.map((row) => places.map((at) => row[at])),
  };
}
