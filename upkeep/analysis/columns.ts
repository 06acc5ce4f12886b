/** Columns in SQL, from the schemas of what is stored. */
import type { TSchema } from 'typebox';

/** A column of a table that a query may name. */
export interface Column {
  readonly name: string;
  /** As DuckDB writes it, such as `BIGINT` and `STRUCT(totalCents BIGINT)`. */
  readonly type: string;
  readonly about?: string;
}

/** A column that is taken out of a JSON document. */
export interface TakenColumn extends Column {
  /** The field. */
  readonly field: string;
  /** For `json_transform`, where the value is no scalar. */
  readonly structure?: Structure;
}

type Structure = string | readonly Structure[] | { readonly [field: string]: Structure };

interface Schema {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

const JSON_TEXT = 'JSON';
const isNull = (schema: Schema): boolean => schema.type === 'null';

/** `["string", "null"]` is a string that may be null. */
const kindOf = ({ type }: Schema): unknown => (Array.isArray(type) ? type.find((one) => one !== 'null') : type);

function scalar(schema: Schema): string | undefined {
  const example = schema.const ?? schema.enum?.[0];
  switch (kindOf(schema) ?? typeof example) {
    case 'string':
      return schema.format === 'date-time' ? 'TIMESTAMP' : 'VARCHAR';
    case 'integer':
      return 'BIGINT';
    case 'number':
      return schema.const === undefined ? 'DOUBLE' : 'BIGINT';
    case 'boolean':
      return 'BOOLEAN';
    default:
      return undefined;
  }
}

/** Structures that SQL types cannot express remain JSON, such as unions of shapes. */
function structureOf(schema: Schema): Structure {
  const { anyOf, items, properties } = schema;
  if (anyOf !== undefined) {
    const shapes = [...new Set(anyOf.filter((one) => !isNull(one)).map((one) => JSON.stringify(structureOf(one))))];
    return shapes.length === 1 ? (JSON.parse(shapes[0]!) as Structure) : JSON_TEXT;
  }
  if (kindOf(schema) === 'array') return items === undefined ? JSON_TEXT : [structureOf(items)];
  if (kindOf(schema) !== 'object') return scalar(schema) ?? JSON_TEXT;
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) return JSON_TEXT;
  return Object.fromEntries(fields.map(([name, field]) => [name, structureOf(field)]));
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function typeOf(structure: Structure): string {
  if (typeof structure === 'string') return structure;
  if (Array.isArray(structure)) return `${typeOf(structure[0] as Structure)}[]`;
  const fields = Object.entries(structure).map(([name, field]) => `${quotedName(name)} ${typeOf(field)}`);
  return `STRUCT(${fields.join(', ')})`;
}

/** The columns of a document's fields; names in `taken` get the `prefix`. */
export function columnsOf(schema: TSchema, taken: readonly string[], prefix: string): TakenColumn[] {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  return Object.entries((schema as Schema).properties ?? {}).map(([field, one]) => {
    const structure = structureOf(one);
    return {
      name: known.has(field.toLowerCase()) ? `${prefix}${field}` : field,
      field,
      type: typeOf(structure),
      ...(typeof structure !== 'string' && { structure }),
      ...(one.description !== undefined && { about: one.description }),
    };
  });
}

/** The column's value out of the column `json`. What is not of its type is null: the document has it as it is. */
export function taking({ field, type, structure }: TakenColumn, json: string): string {
  const path = quotedText(`$.${quotedName(field)}`);
  if (structure !== undefined) return `json_transform(${json}->${path}, ${quotedText(JSON.stringify(structure))})`;
  if (type === JSON_TEXT) return `${json}->${path}`;
  return type === 'VARCHAR' ? `${json}->>${path}` : `try_cast(${json}->>${path} AS ${type})`;
}

/** `OrderPlaced` as `order_placed`. */
export const snakeCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** Structure of these columns, for one `json_transform` over all of them. */
export const structureText = (columns: readonly TakenColumn[]): string =>
  quotedText(
    JSON.stringify(Object.fromEntries(columns.map(({ field, type, structure }) => [field, structure ?? type]))),
  );
