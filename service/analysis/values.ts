/** Values of DuckDB as JSON has them, and as CSV. */
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [field: string]: Plain };

const isRecord = (value: object): value is { readonly entries: unknown } => 'entries' in value;

/** Whole numbers beyond 2^53 and values that JSON has no word for are text; times are RFC 3339 in UTC. */
function plainValue(value: DuckDBValue): Plain {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if ('items' in value) return value.items.map(plainValue);
  if (isRecord(value) && !Array.isArray(value.entries))
    return Object.fromEntries(
      Object.entries(value.entries as Record<string, DuckDBValue>).map(([name, one]) => [name, plainValue(one)]),
    );
  if ('scale' in value) return Number(value.toString());
  return String(value);
}

const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00)?$/;

/** `2026-01-01 09:00:00` of a column of times as `2026-01-01T09:00:00.000Z`. */
const timeText = (text: string): string => {
  const found = TIME.exec(text);
  if (found === null) return text;
  const [, day, clock] = found;
  const [whole, part = ''] = clock!.split('.');
  return `${day}T${whole}.${part.padEnd(3, '0')}Z`;
};

/** How values of a column are read, by its type. */
export function reading(type: DuckDBType): (value: DuckDBValue) => Plain {
  const name = type.alias ?? type.toString();
  if (name === 'JSON')
    return (value) => {
      try {
        return typeof value === 'string' ? (JSON.parse(value) as Plain) : plainValue(value);
      } catch {
        return String(value);
      }
    };
  if (name.startsWith('TIMESTAMP')) return (value) => (value === null ? null : timeText(String(value)));
  return plainValue;
}

/** A field of RFC 4180; what has parts is JSON. */
function csvField(value: unknown): string {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) || (text === '' && value !== null) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Without its end. */
export const csvLine = (values: readonly unknown[]): string => values.map(csvField).join(',');
