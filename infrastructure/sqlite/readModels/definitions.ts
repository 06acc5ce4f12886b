import type { CollectionDefinition, KeyType, NewDocument, Scalar } from '../../../engine/ports/documents.js';
import { bodyJson, checkedScalar, refuseUndeclaredKeys, type Shape, shapeOf } from '../../readModels/shape.js';

/** A collection as this engine works with it: its table, columns and indexes. */
export interface Collection extends Shape {
  readonly table: string;
  readonly keys: readonly { readonly name: string; readonly type: KeyType }[];
  readonly names: readonly string[];
  /** Columns of a row except the body as one JSON text, since each value on its own costs as much as the row. */
  readonly row: string;
}

/**
 * A key's value for JSON. SQLite writes 15 digits of a number that is not whole: a time in ms with its fraction would be read as
 * another one, and a page that goes on from it would leave rows out, or come again.
 */
function exactly(collection: Pick<Shape, 'definition'>, key: string): string {
  const column = columnOf(key);
  return collection.definition.keys[key] === 'text'
    ? column
    : `iif(typeof(${column}) = 'real', json(printf('%!.17g', ${column})), ${column})`;
}

/** `id, revision, k_…`, in this order. */
const headOf = (keys: readonly string[]): string => ['id', 'revision', ...keys].join(', ');

/** Columns for reading many rows with some of their keys. */
export interface PageColumns {
  readonly columns: string;
  /** The heads as one JSON text, the bodies between record separators, which JSON never holds. */
  readonly page: string;
}

export function pageColumns(collection: Pick<Shape, 'definition'>, keys: readonly string[]): PageColumns {
  const head = headOf(keys.map((key) => exactly(collection, key)));
  const page = `json_group_array(json_array(${head})), group_concat(body, char(30))`;
  return { columns: `${headOf(keys.map(columnOf))}, body`, page };
}

export const tableOf = (collection: string): string => `c_${collection}`;
export const columnOf = (key: string): string => `k_${key}`;

/** Checks a definition and works out its table. */
export function collectionOf(definition: CollectionDefinition): Collection {
  const keys = Object.entries(definition.keys).map(([name, type]) => ({ name, type }));
  const names = Object.keys(definition.keys);
  const row = `json_array(${headOf(names.map((key) => exactly({ definition }, key)))}), body`;
  return { ...shapeOf(definition), table: tableOf(definition.name), keys, names, row };
}

/** Columns have the affinity of their key's type, so whole numbers up to 2^53 are stored exactly. */
export function createTable(collection: Collection): string {
  const keys = collection.keys.map((key) => `, ${columnOf(key.name)} ${key.type === 'text' ? 'TEXT' : 'NUMERIC'}`);
  return `CREATE TABLE ${collection.table} (id TEXT PRIMARY KEY NOT NULL, revision INTEGER NOT NULL${keys.join('')}, body TEXT NOT NULL)`;
}

/** Keyed by name: it contains the whole definition of the index, so a changed index has another name. */
export function indexStatements(collection: Collection): Map<string, string> {
  const statements = new Map<string, string>();
  for (const index of collection.indexes) {
    const parts = index.keys.map(({ key, desc }) => `${columnOf(key)}${desc ? ' DESC' : ''}`);
    if (!index.unique) parts.push(index.idDesc ? 'id DESC' : 'id');
    const mark = index.keys.map(({ key, desc }) => (desc ? `d_${key}` : key)).join('__');
    const name = `${index.unique ? 'u' : 'i'}_${collection.definition.name}__${mark}`;
    const unique = index.unique ? 'UNIQUE ' : '';
    statements.set(name, `CREATE ${unique}INDEX IF NOT EXISTS ${name} ON ${collection.table} (${parts.join(', ')})`);
  }
  return statements;
}

/** Parameters of a document's row in column order. */
export function rowOf(collection: Collection, document: NewDocument): Scalar[] {
  const row: Scalar[] = [document.id, document.revision];
  let given = 0;
  for (const { name } of collection.keys) {
    const value = document.keys[name];
    if (value !== undefined) given++;
    row.push(value === undefined ? null : checkedScalar(collection, name, value));
  }
  if (given < Object.keys(document.keys).length) refuseUndeclaredKeys(collection, document);
  row.push(bodyJson(collection, document));
  return row;
}
