import { BSON, type IndexDescription } from 'mongodb';
import {
  type CollectionDefinition,
  DocumentRefused,
  type NewDocument,
  type Scalar,
  type StoredDocument,
} from '../../engine/ports/documents.js';
import { bodyJson, checkedScalar, type Index, refuseUndeclaredKeys, type Shape, shapeOf } from '../readModels/shape.js';

/**
 * A document as MongoDB holds it. Every declared key is there, null included, so that null has its place in the order;
 * the body is the JSON text that is answered.
 */
export interface Stored {
  readonly _id: string;
  readonly revision: number;
  readonly keys?: Readonly<Record<string, Scalar>>;
  readonly body?: string;
  /** For each unique index its values as one text, unless one of them is null: what is absent is never a duplicate. */
  readonly unique?: Readonly<Record<string, string>>;
  /** Number of the owner that wrote or claimed the document, by checkpoint name. */
  readonly fences?: Readonly<Record<string, number>>;
  /** When the server may remove it. */
  readonly expireAt?: Date;
  /** Only a mark that a document was removed at this revision: it has no keys and no body. */
  readonly removed?: true;
}

/** The keys of a unique index, in its order. */
export interface UniqueKeys {
  readonly mark: string;
  readonly keys: readonly string[];
}

/** A collection as this engine works with it. */
export interface Layout extends Shape {
  readonly keyNames: readonly string[];
  readonly unique: readonly UniqueKeys[];
}

/** An owner's number under a checkpoint's name, as documents bear it. */
export interface Guard {
  readonly field: string;
  readonly fence: number;
}

/**
 * Condition that matches documents but not the marks of removals. Every query has it, since the declared indexes contain only documents.
 */
export const LIVE = { body: { $exists: true } } as const;

/** 16 MiB, less room for the marks of owners that come later. */
const MOST_BYTES = 16 * 1024 * 1024 - 16_384;
const MARK_MS = 24 * 60 * 60_000;
const LATEST_DATE = 8.64e15;

export function layoutOf(definition: CollectionDefinition): Layout {
  const shape = shapeOf(definition);
  const unique = shape.indexes
    .filter((index) => index.unique)
    .map((index) => index.keys.map(({ key }) => key))
    .map((keys) => ({ mark: keys.join(','), keys }));
  return { ...shape, keyNames: Object.keys(definition.keys), unique };
}

/** The name contains the whole definition of an index, so a changed index has another name. */
export const indexName = ({ keys }: Index): string =>
  keys.length === 0 ? '_id_' : `by:${keys.map(({ key, desc }) => (desc ? `-${key}` : key)).join(',')}`;

/** True if an index was declared by a definition. */
export const isDeclared = (name: string): boolean => /^(by|unique):/.test(name);

/** The index by which the server removes what has expired. */
export const EXPIRY: IndexDescription & { name: string } = {
  name: 'expiry',
  key: { expireAt: 1 },
  expireAfterSeconds: 0,
  sparse: true,
};

/**
 * The indexes of a definition. They exclude the marks of removals, which may outnumber the documents. A unique index becomes two: one over
 * the keys, for queries, and one over the text that exists only if no key is null.
 */
export function declaredIndexes({ indexes, unique }: Layout): (IndexDescription & { name: string })[] {
  const byName = new Map<string, IndexDescription & { name: string }>();
  for (const index of indexes) {
    const name = indexName(index);
    const key = Object.fromEntries(index.keys.map(({ key, desc }) => [`keys.${key}`, desc ? -1 : 1]));
    byName.set(name, { name, key: { ...key, _id: index.idDesc ? -1 : 1 }, partialFilterExpression: LIVE });
  }
  for (const { mark } of unique) {
    const name = `unique:${mark}`;
    byName.set(name, { name, key: { [`unique.${mark}`]: 1 }, unique: true, sparse: true });
  }
  return [...byName.values()];
}

/** Text that a unique index compares; undefined if a key is null. */
export function uniqueText({ keys }: UniqueKeys, values: Readonly<Record<string, Scalar>>): string | undefined {
  const own = keys.map((key) => values[key] ?? null);
  return own.includes(null) ? undefined : JSON.stringify(own);
}

function uniqueTexts(layout: Layout, values: Readonly<Record<string, Scalar>>): Record<string, string> | undefined {
  const texts: Record<string, string> = {};
  for (const one of layout.unique) {
    const text = uniqueText(one, values);
    if (text !== undefined) texts[one.mark] = text;
  }
  return Object.keys(texts).length === 0 ? undefined : texts;
}

function checkedKeys(layout: Layout, document: NewDocument): Record<string, Scalar> {
  const keys: Record<string, Scalar> = {};
  let given = 0;
  for (const name of layout.keyNames) {
    const value = document.keys[name];
    if (value !== undefined) given++;
    keys[name] = value === undefined ? null : checkedScalar(layout, name, value);
  }
  if (given < Object.keys(document.keys).length) refuseUndeclaredKeys(layout, document);
  return keys;
}

function checkedId(layout: Layout, { id }: { readonly id: string }): string {
  if (typeof id === 'string') return id;
  throw new DocumentRefused('no_id', `a document of ${layout.definition.name} has no id`);
}

/** Before it is sent: servers and driver each refuse what is too large in words of their own, some not at all. */
function checkSize({ definition }: Layout, stored: Stored): void {
  // A character is at most 3 bytes, so most need no closer look.
  if (stored.body!.length * 3 < MOST_BYTES / 2) return;
  const bytes = BSON.calculateObjectSize(stored);
  if (bytes <= MOST_BYTES) return;
  throw new DocumentRefused(
    'document_too_large',
    `document '${stored._id.slice(0, 100)}' of ${definition.name} is ${bytes} bytes large; MongoDB's maximum is ${MOST_BYTES}`,
  );
}

/**
 * A document as it is stored. Rejects keys and bodies as the embedded engine does, and with `document_too_large` what
 * MongoDB cannot hold.
 */
export function storedOf(layout: Layout, document: NewDocument, guard?: Guard): Stored {
  const keys = checkedKeys(layout, document);
  const unique = layout.unique.length === 0 ? undefined : uniqueTexts(layout, keys);
  const expires = layout.definition.expiresAt === undefined ? null : keys[layout.definition.expiresAt]!;
  const stored: Stored = {
    _id: checkedId(layout, document),
    revision: document.revision,
    keys,
    body: bodyJson(layout, document),
    ...(unique && { unique }),
    ...(guard && { fences: { [guard.field]: guard.fence } }),
    ...(typeof expires === 'number' && Math.abs(expires) <= LATEST_DATE && { expireAt: new Date(expires) }),
  };
  checkSize(layout, stored);
  return stored;
}

/** The mark of a removal; it outlives every write that was under way, and goes after a day. */
export const removalMark = (id: string, revision: number, guard?: Guard): Stored => ({
  _id: id,
  revision,
  removed: true,
  expireAt: new Date(Date.now() + MARK_MS),
  ...(guard && { fences: { [guard.field]: guard.fence } }),
});

/** Numbers come back as the driver's Long when they were written or counted as 64 bit integers. */
export const plainNumber = (value: unknown): number => Number(value);
const plain = (value: unknown): Scalar =>
  value === null || value === undefined ? null : typeof value === 'object' ? plainNumber(value) : (value as Scalar);

/** A document that was read; its body is parsed on first use. */
export class MongoDocument<B> implements StoredDocument<B> {
  readonly id: string;
  readonly revision: number;
  readonly json: string;
  readonly removed?: true;
  readonly #layout: Layout;
  readonly #stored: Stored;
  #keys: Readonly<Record<string, Scalar>> | undefined;
  #body: B | undefined;

  constructor(layout: Layout, stored: Stored) {
    this.id = stored._id;
    this.revision = plainNumber(stored.revision);
    this.json = stored.body ?? 'null';
    if (stored.removed === true) this.removed = true;
    this.#layout = layout;
    this.#stored = stored;
  }
  get keys(): Readonly<Record<string, Scalar>> {
    this.#keys ??= Object.fromEntries(this.#layout.keyNames.map((name) => [name, plain(this.#stored.keys?.[name])]));
    return this.#keys;
  }
  get body(): B {
    this.#body ??= JSON.parse(this.json) as B;
    return this.#body;
  }
}
