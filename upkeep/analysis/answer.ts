/** The rows of a statement, as JSON has them, within the bounds of memory and time that the statement has. */
import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api';
import { refuse } from '../../domain/decider.js';
import type { Duck } from './duckDb.js';
import { sizesOf } from './sizes.js';
import { reading } from './values.js';

export interface QueryColumn {
  readonly name: string;
  readonly type: string;
}

/** Accepts some rows and their size in bytes; returns whether more rows are wanted. */
export type TakeRows = (
  columns: readonly QueryColumn[],
  rows: readonly (readonly unknown[])[],
  bytes: number,
) => Promise<boolean>;

const MB = 1_000_000;
/** Bytes of rows that are passed on together. */
const PORTION = 4 * MB;
/** Longest row in MB: a text of JavaScript holds no more than twice as many characters. */
const MOST_ROW_MB = 200;

/** Memory for the buffered result, in MB: while it is written, a value is in memory up to four times. */
export const resultMb = (memoryMb: number): number => Math.ceil(memoryMb / 4);

/** The rows of a chunk in portions, each row as DuckDB has it. Refuses `query_too_large` for a row beyond `rowMb`. */
function* portions(
  chunk: DuckDBDataChunk,
  rowMb: number,
): Generator<{ readonly rows: readonly (readonly DuckDBValue[])[]; readonly bytes: number }> {
  const vectors = Array.from({ length: chunk.columnCount }, (_, at) => chunk.getColumnVector(at));
  const sizes = vectors.map((vector) => sizesOf(vector));
  const bytesOf = Array.from({ length: chunk.rowCount }, (_, row) => sizes.reduce((sum, size) => sum + size(row), 0));
  const total = bytesOf.reduce((sum, bytes) => sum + bytes, 0);
  if (total <= PORTION) {
    yield { rows: chunk.getRows(), bytes: total };
    return;
  }
  let rows: (readonly DuckDBValue[])[] = [];
  let bytes = 0;
  for (const [row, size] of bytesOf.entries()) {
    if (size > rowMb * MB)
      refuse(
        'query_too_large',
        `A row of the result has ${Math.ceil(size / MB)} MB; the limit is ${rowMb} MB. Shorten its values (left(text, 1000)), or raise --memory.`,
      );
    if (rows.length > 0 && bytes + size > PORTION) {
      yield { rows, bytes };
      [rows, bytes] = [[], 0];
    }
    // A vector retains each value that was read from it, a slice only its own.
    rows.push(vectors.map((vector) => vector.slice(row, 1).getItem(0)));
    bytes += size;
  }
  yield { rows, bytes };
}

/** Passes the rows of `sql` to `take` as they come. Returns how many there were. */
export async function answer(duck: Duck, sql: string, memoryMb: number, take: TakeRows): Promise<number> {
  const result = await duck.connection.stream(sql);
  const names = result.deduplicatedColumnNames();
  const types = result.columnTypes();
  const columns = names.map((name, at) => ({ name, type: types[at]!.alias ?? types[at]!.toString() }));
  const read = types.map(reading);
  const rowMb = Math.min(MOST_ROW_MB, resultMb(memoryMb));
  let rows = 0;
  let more = await duck.within(take(columns, [], 0));
  while (more) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (const portion of portions(chunk, rowMb)) {
      const page = portion.rows.map((row) => row.map((value, at) => read[at]!(value)));
      rows += page.length;
      more = await duck.within(take(columns, page, portion.bytes));
      if (!more) break;
    }
  }
  return rows;
}
