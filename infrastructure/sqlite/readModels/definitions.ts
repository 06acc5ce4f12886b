import type {
  CollectionDefinition,
  IndexDefinition,
  KeyType,
  NewDocument,
  Scalar,
} from '../../../application/ports/readModels.js';

/** An error of this engine with a stable code: what is wrong and what to do about it. */
export class ReadModelError extends Error {
  override readonly name = 'ReadModelError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** One key of an index or a sort. */
export interface OrderedKey {
  readonly key: string;
  readonly desc: boolean;
}

export interface Index {
  readonly keys: readonly OrderedKey[];
  readonly unique: boolean;
  /** Direction of the id that ends the index: that of its last key. */
  readonly idDesc: boolean;
}

/** A collection as this engine works with it: its table, columns and indexes. */
export interface Collection {
  readonly definition: CollectionDefinition;
  readonly table: string;
  readonly keys: readonly { readonly name: string; readonly type: KeyType }[];
  readonly indexes: readonly Index[];
  /** `id, revision, k_…, body`, in this order. */
  readonly columns: string;
  /** What is read of a row: all but the body as one JSON text, since each value on its own costs as much as the row. */
  readonly row: string;
  /** The same of many rows: the heads as one JSON text, the bodies between record separators, which JSON never holds. */
  readonly page: string;
}

const NAME = /^\w{1,100}$/;

export const tableOf = (collection: string): string => `c_${collection}`;
export const columnOf = (key: string): string => `k_${key}`;

export function orderedKey(text: string): OrderedKey {
  return text.startsWith('-') ? { key: text.slice(1), desc: true } : { key: text, desc: false };
}

const indexOf = (definition: IndexDefinition): Index => {
  const keys = definition.keys.map(orderedKey);
  return { keys, unique: definition.unique === true, idDesc: keys.at(-1)?.desc ?? false };
};

function checkNames(definition: CollectionDefinition): void {
  const wrong = [definition.name, ...Object.keys(definition.keys)].find((name) => !NAME.test(name));
  if (wrong !== undefined)
    throw new ReadModelError('bad_definition', `'${wrong}' of ${definition.name}: use letters, digits and underscore`);
  const used = [...definition.indexes.flatMap((index) => index.keys.map((key) => orderedKey(key).key))];
  if (definition.expiresAt !== undefined) used.push(definition.expiresAt);
  const unknown = used.find((key) => definition.keys[key] === undefined);
  if (unknown !== undefined)
    throw new ReadModelError('bad_definition', `${definition.name} has an index on '${unknown}', which is not a key`);
}

/** Checks a definition and works out its table. A key that documents expire by gets an index, if it has none. */
export function collectionOf(definition: CollectionDefinition): Collection {
  checkNames(definition);
  const indexes = definition.indexes.map(indexOf);
  const { expiresAt } = definition;
  if (expiresAt !== undefined && !indexes.some((index) => index.keys[0]?.key === expiresAt))
    indexes.push(indexOf({ keys: [expiresAt] }));
  const keys = Object.entries(definition.keys).map(([name, type]) => ({ name, type }));
  const names = ['id', 'revision', ...keys.map((key) => columnOf(key.name))].join(', ');
  const columns = `${names}, body`;
  const row = `json_array(${names}), body`;
  const page = `json_group_array(json_array(${names})), group_concat(body, char(30))`;
  return { definition, table: tableOf(definition.name), keys, indexes, columns, row, page };
}

/** Columns have the affinity of their key's type, so whole numbers up to 2^53 are kept exactly. */
export function createTable(collection: Collection): string {
  const keys = collection.keys.map((key) => `, ${columnOf(key.name)} ${key.type === 'text' ? 'TEXT' : 'NUMERIC'}`);
  return `CREATE TABLE ${collection.table} (id TEXT PRIMARY KEY NOT NULL, revision INTEGER NOT NULL${keys.join('')}, body TEXT NOT NULL)`;
}

/** By name: the name says all that the index consists of, so a changed one has another name. */
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

/** A key's value as it is stored. A wrong type is refused here, so that it cannot be found under another one. */
export function checkedScalar(collection: Collection, key: string, value: Scalar | undefined): Scalar {
  const type = collection.definition.keys[key];
  if (type === undefined)
    throw new ReadModelError('unknown_key', `'${key}' is not a declared key of ${collection.definition.name}`);
  if (value === null) return null;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'number' && typeof value === 'number' && Number.isFinite(value)) return value;
  throw new ReadModelError('wrong_key_type', `key '${key}' of ${collection.definition.name} takes a ${type} or null`);
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
  if (given < Object.keys(document.keys).length) {
    const extra = Object.keys(document.keys).find((key) => collection.definition.keys[key] === undefined);
    if (extra !== undefined) checkedScalar(collection, extra, null);
  }
  const json = JSON.stringify(document.body);
  if (json === undefined)
    throw new ReadModelError('no_body', `document ${document.id} of ${collection.definition.name} has no body`);
  row.push(json);
  return row;
}
