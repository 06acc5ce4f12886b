/**
 * One collection of a simulated document store. Each change returns its undo, for engines that lose their last writes.
 */
import type { Condition, NewDocument, Query, Scalar, StoredDocument } from '../../../engine/ports/documents.js';
import { compare, conditionsOf } from '../../../infrastructure/readModels/conditions.js';
import { requireIndex, requireListIndex } from '../../../infrastructure/readModels/indexChoice.js';
import { armsOf } from '../../../infrastructure/readModels/ranges.js';
import {
  bodyJson,
  checkedScalar,
  checkLimit,
  orderedKey,
  ReadModelError,
  refuseUndeclaredKeys,
  type Shape,
} from '../../../infrastructure/readModels/shape.js';

export type Undo = () => void;

/** A document, or the tombstone of a removed one. */
export interface StoredRow {
  readonly id: string;
  readonly revision: number;
  readonly keys: Readonly<Record<string, Scalar>>;
  /** Undefined marks a removal. */
  readonly json: string | undefined;
  /** Fence of the last owner that wrote or claimed the document, by checkpoint name. */
  readonly fences: Readonly<Record<string, number>>;
}

export interface Collection {
  readonly shape: Shape;
  readonly documents: Map<string, StoredRow>;
  /** Unique keys are enforced once the indexes exist. */
  hasIndexes: boolean;
}

export interface Guard {
  readonly name: string;
  readonly fence: number;
}

/** Builds the stored form of a document. Rejects undeclared keys, values of another type, and invalid bodies. */
export function rowOf(shape: Shape, document: NewDocument, guard?: Guard): StoredRow {
  refuseUndeclaredKeys(shape, document);
  const names = Object.keys(shape.definition.keys);
  const keys = Object.fromEntries(names.map((name) => [name, checkedScalar(shape, name, document.keys[name] ?? null)]));
  const fences = guard === undefined ? {} : { [guard.name]: guard.fence };
  return { id: document.id, revision: document.revision, keys, json: bodyJson(shape, document), fences };
}

export const storedOf = <B>({ id, revision, keys, json = 'null' }: StoredRow, removed = false): StoredDocument<B> => {
  let body: B | undefined;
  return {
    id,
    revision,
    keys,
    json,
    get body() {
      body ??= JSON.parse(json) as B;
      return body;
    },
    ...(removed && { removed: true }),
  };
};

/** Checks for another document with the same values in a unique index. */
export function isTaken(
  { shape, documents, hasIndexes }: Collection,
  retained: StoredRow,
  besides: readonly StoredRow[] = [],
): boolean {
  if (!hasIndexes) return false;
  const changed = new Set(besides.map(({ id }) => id));
  return shape.indexes.some(({ unique, keys }) => {
    const values: Scalar[] = keys.map(({ key }) => retained.keys[key]!);
    if (!unique || values.includes(null)) return false;
    const isSame = (other: StoredRow): boolean =>
      other.id !== retained.id && other.json !== undefined && keys.every(({ key }, i) => other.keys[key] === values[i]);
    for (const other of documents.values()) if (!changed.has(other.id) && isSame(other)) return true;
    return besides.some(isSame);
  });
}

export const uniqueKeyTaken = ({ shape }: Collection): ReadModelError =>
  new ReadModelError('unique_key_taken', `a document of ${shape.definition.name} has the same unique key`);

/** Replaces the stored document, or removes it if undefined. */
export function set({ documents }: Collection, id: string, retained: StoredRow | undefined): Undo {
  const before = documents.get(id);
  const place = (one: StoredRow | undefined): void =>
    void (one === undefined ? documents.delete(id) : documents.set(id, one));
  place(retained);
  return () => place(before);
}

const live = ({ documents }: Collection): StoredRow[] =>
  [...documents.values()].filter(({ json }) => json !== undefined);

function holds(value: Scalar, condition: Condition): boolean {
  if (condition === null || typeof condition !== 'object') return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  if (value === null) return false;
  const { gt, gte, lt, lte } = condition;
  return (
    (gt === undefined || compare(value, gt) > 0) &&
    (gte === undefined || compare(value, gte) >= 0) &&
    (lt === undefined || compare(value, lt) < 0) &&
    (lte === undefined || compare(value, lte) <= 0)
  );
}

const matching = (collection: Collection, where: Query['where'] = {}): StoredRow[] =>
  live(collection).filter(({ keys }) =>
    Object.entries(where).every(([key, condition]) => holds(keys[key]!, condition)),
  );

/** Lists as every engine does: only queries that an index serves, in its order. */
export function find<B>(
  collection: Collection,
  { where, sort = [], after, limit, keys: named = [] }: Query,
): StoredDocument<B>[] {
  const { shape } = collection;
  checkLimit(limit);
  const by = sort.map(orderedKey);
  const idDesc = by.at(-1)?.desc ?? false;
  const conditions = conditionsOf(shape, where);
  for (const key of [...by.map((one) => one.key), ...named]) checkedScalar(shape, key, null);
  requireListIndex(shape, conditions, by, idDesc);
  armsOf(shape, conditions, by, idDesc, after);
  const order = (values: readonly Scalar[], id: string, others: readonly Scalar[], otherId: string): number => {
    for (const [i, { desc }] of by.entries()) {
      const compared = compare(values[i]!, others[i]!);
      if (compared !== 0) return desc ? -compared : compared;
    }
    return idDesc ? -compare(id, otherId) : compare(id, otherId);
  };
  const valuesOf = ({ keys }: StoredRow): Scalar[] => by.map(({ key }) => keys[key]!);
  const rows = matching(collection, where).map((row) => ({ kept: row, values: valuesOf(row) }));
  const rest =
    after === undefined
      ? rows
      : rows.filter(({ kept, values }) => order(values, kept.id, after.slice(0, -1), String(after.at(-1))) > 0);
  rest.sort((a, b) => order(a.values, a.kept.id, b.values, b.kept.id));
  return rest.slice(0, limit).map(({ kept }) => storedOf<B>(kept));
}

/** Returns at most `limit` matching documents, for queries that an index serves. */
export function matches(collection: Collection, where: Query['where'], limit: number): StoredRow[] {
  checkLimit(limit);
  requireIndex(collection.shape, conditionsOf(collection.shape, where));
  return matching(collection, where).slice(0, limit);
}
