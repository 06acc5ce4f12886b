import {
  type CollectionDefinition,
  DocumentRefused,
  type IndexDefinition,
  type NewDocument,
  ReadModelError,
  type Scalar,
} from '../../engine/ports/documents.js';

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

/** A checked definition with its indexes in full. */
export interface Shape {
  readonly definition: CollectionDefinition;
  readonly indexes: readonly Index[];
}

const NAME = /^\w{1,100}$/;
const MOST_ROWS = 10_000;

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

/** Checks a definition. A key that documents expire by gets an index, if it has none. */
export function shapeOf(definition: CollectionDefinition): Shape {
  checkNames(definition);
  const indexes = definition.indexes.map(indexOf);
  const { expiresAt } = definition;
  if (expiresAt !== undefined && !indexes.some((index) => index.keys[0]?.key === expiresAt))
    indexes.push(indexOf({ keys: [expiresAt] }));
  return { definition, indexes };
}

/** True if two definitions have the same keys, so that documents of one are documents of the other. */
export const sameKeys = (one: CollectionDefinition, other: CollectionDefinition): boolean => {
  const text = ({ keys }: CollectionDefinition): string =>
    JSON.stringify(Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
};

export const shapeDiffers = (name: string): ReadModelError =>
  new ReadModelError(
    'collection_shape_differs',
    `${name} has documents with other keys than declared; raise its version or rebuild it`,
  );
export const unknownCollection = (name: string): ReadModelError =>
  new ReadModelError('unknown_collection', `there is no collection '${name}' yet`);
export const collectionInUse = (alias: string, name: string): ReadModelError =>
  new ReadModelError('collection_in_use', `'${alias}' is an alias of ${name}`);
export const nameInUse = (name: string): ReadModelError =>
  new ReadModelError('name_in_use', `'${name}' is a collection and cannot be an alias`);

/** A key's value as it is stored. A wrong type is refused here, so that it cannot be found under another one. */
export function checkedScalar({ definition }: Shape, key: string, value: Scalar | undefined): Scalar {
  const type = definition.keys[key];
  if (type === undefined)
    throw new DocumentRefused('unknown_key', `'${key}' is not a declared key of ${definition.name}`);
  if (value === null) return null;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'number' && typeof value === 'number' && Number.isFinite(value)) return value;
  throw new DocumentRefused('wrong_key_type', `key '${key}' of ${definition.name} must be a ${type} or null`);
}

/** Refuses a document with a key that is not declared. */
export function refuseUndeclaredKeys(shape: Shape, { keys }: NewDocument): void {
  for (const key of Object.keys(keys)) if (shape.definition.keys[key] === undefined) checkedScalar(shape, key, null);
}

/** The body as it is stored and answered. */
export function bodyJson({ definition }: Shape, document: NewDocument): string {
  const json = JSON.stringify(document.body);
  if (json === undefined)
    throw new DocumentRefused('no_body', `document ${document.id} of ${definition.name} has no body`);
  return json;
}

export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw new ReadModelError('bad_query', `limit is a whole number from 1 to ${MOST_ROWS}`);
}
export { DocumentRefused, ReadModelError };
