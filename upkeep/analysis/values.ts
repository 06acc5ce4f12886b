/** Values of DuckDB as JSON has them, and as CSV. */
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { canonicalNumber, JSON_PARTS } from '../../api/http/input/exactNumbers.js';
import { withoutFormula } from './formulas.js';

type Plain = string | number | boolean | null | readonly Plain[] | { readonly [field: string]: Plain };

const isRecord = (value: object): value is { readonly entries: unknown } => 'entries' in value;

/** The number if a double represents the text exactly, otherwise the text. */
function exact(text: string): number | string {
  const value = Number(text);
  return canonicalNumber(String(value)) === canonicalNumber(text) ? value : text;
}

function jsonValue(text: string): Plain {
  try {
    return JSON.parse(
      text.replaceAll(JSON_PARTS, (part) => {
        if (part.startsWith('"') || typeof exact(part) === 'number') return part;
        return `"${part}"`;
      }),
    ) as Plain;
  } catch {
    return text;
  }
}

/** A date of DuckDB's that is an end of time. */
const isEndless = (value: { readonly days: number }): boolean => 'isFinite' in value && value.isFinite === false;

/** Values that a double cannot represent exactly, and values without a JSON form, are texts; times are RFC 3339 in UTC. */
function plainValue(value: DuckDBValue): Plain {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if ('items' in value) return value.items.map(plainValue);
  if (isRecord(value) && !Array.isArray(value.entries))
    return Object.fromEntries(
      Object.entries(value.entries as Record<string, DuckDBValue>).map(([name, one]) => [name, plainValue(one)]),
    );
  if ('scale' in value) return exact(value.toString());
  if ('days' in value && isEndless(value)) return value.days < 0 ? '-infinity' : 'infinity';
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
  if (name === 'JSON') return (value) => (typeof value === 'string' ? jsonValue(value) : plainValue(value));
  if (name.startsWith('TIMESTAMP')) return (value) => (value === null ? null : timeText(String(value)));
  return plainValue;
}

/** A field of RFC 4180; composite values are JSON. `escaped`: text that a spreadsheet would run as a formula gets an apostrophe. */
function csvField(value: unknown, escaped: boolean): string {
  const plain = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = escaped ? withoutFormula(plain) : plain;
  return /[",\r\n]/.test(text) || (text === '' && value !== null) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Without its end. */
export const csvLine = (values: readonly unknown[], escaped = false): string =>
  values.map((value) => csvField(value, escaped)).join(',');
