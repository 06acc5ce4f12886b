import type { EventMark, Position } from './eventStore.js';

/**
 * Documents for lists and gets. A document is found by its keys (declared, indexed scalars) and carries a JSON body.
 * The engine never looks into the body, so a response can be passed on as it is stored. The contract suite
 * test/contracts/readModels.ts holds for each engine.
 */
export type Scalar = string | number | null;
export type KeyType = 'text' | 'number';

/** Keys in index order; a leading '-' means descending. The document's id always ends the order as the tie-breaker. */
export interface IndexDefinition {
  readonly keys: readonly string[];
  /** At most one document for each combination that has no null. */
  readonly unique?: boolean;
}

export interface CollectionDefinition {
  /** Letters, digits and underscore. */
  readonly name: string;
  readonly keys: Readonly<Record<string, KeyType>>;
  readonly indexes: readonly IndexDefinition[];
  /** A number key in ms since 1970 after which the document may be removed; readers must check it themselves. */
  readonly expiresAt?: string;
}

export interface NewDocument {
  readonly id: string;
  readonly keys: Readonly<Record<string, Scalar>>;
  readonly body: unknown;
  /**
   * Position of the last event in it (projections), or a counter (work). Writes with a lower or equal one are ignored.
   */
  readonly revision: number;
  /**
   * State of the stored document under this id, as far as the writer knows. Absent: unknown. It only saves cost: the
   * engine need not check its indexes, or read the stored document.
   */
  readonly existing?: 'none' | 'sameKeys' | undefined;
}

export interface StoredDocument<Body = unknown> {
  readonly id: string;
  readonly keys: Readonly<Record<string, Scalar>>;
  readonly revision: number;
  /** Parsed on first use. Do not change it. */
  readonly body: Body;
  /** The body as JSON text, without parsing where the engine stores text. */
  readonly json: string;
  /** The document that was here was removed at this revision. Only from getMany with `removed`. */
  readonly removed?: true;
}

export type Condition =
  | Scalar
  | { readonly in: readonly Scalar[] }
  | { readonly gt?: Scalar; readonly gte?: Scalar; readonly lt?: Scalar; readonly lte?: Scalar };

export interface Query {
  readonly where?: Readonly<Record<string, Condition>>;
  /** As in an index: ['workspaceId' is not needed when it is an equality], '-createdAt'. The id is appended. */
  readonly sort?: readonly string[];
  /** Keyset page: the sort keys' values and the id of the last document of the previous page, in sort order. */
  readonly after?: readonly Scalar[];
  readonly limit: number;
  /** Keys that are needed in the result besides the sort keys; the engine may leave out others. Absent: all. */
  readonly keys?: readonly string[];
}

/** Returns the `after` of a query that continues behind a document. */
export const placeOf = (sort: readonly string[], { keys, id }: Pick<StoredDocument, 'keys' | 'id'>): Scalar[] => [
  ...sort.map((key) => keys[key.replace(/^-/, '')] ?? null),
  id,
];

export interface WriteBatch {
  readonly put?: readonly NewDocument[];
  /** Removed unless the stored revision is higher. */
  readonly remove?: readonly { readonly id: string; readonly revision: number }[];
}

/**
 * Permission to write under a checkpoint's name. Each new owner has a higher number. Once it has claimed the name,
 * writes with a lower number are refused as a whole with `Fenced`. So an owner that was paused changes nothing when it
 * wakes.
 */
export interface Fence {
  readonly name: string;
  readonly fence: number;
}

/**
 * A named place in the log, written together with the documents derived up to it. Without a fence there is one writer.
 */
export interface Checkpoint {
  readonly name: string;
  readonly position: Position;
  /** Newest known event at or before the position. It identifies this log among others. */
  readonly mark?: EventMark | undefined;
  readonly fence?: number;
}

/** Documents that a claim takes over: a whole collection, or those that match declared keys. */
export type Claimed = string | { readonly collection: string; readonly where: NonNullable<Query['where']> };

export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/**
 * The call is refused because of its arguments, with a stable code: a query without an index, a name in use. Do not
 * retry.
 */
export class ReadModelError extends Error {
  override readonly name: string = 'ReadModelError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The engine can never store the document as it is: too large, a key of another type, or a unique key in use. */
export class DocumentRefused extends ReadModelError {
  override readonly name = 'DocumentRefused';
}

/** Documents of named collections: read by id or keys, and conditional writes for when only one writer may win. */
export interface Documents {
  get<B>(collection: string, id: string): Promise<StoredDocument<B> | undefined>;
  /**
   * `removed`: include documents that were removed lately. Engines that write documents and checkpoint in several steps
   * mark each removal for a day. An event that is folded a second time must find that its document was removed since.
   */
  getMany<B>(
    collection: string,
    ids: readonly string[],
    options?: { readonly removed?: boolean },
  ): Promise<Map<string, StoredDocument<B>>>;
  find<B>(collection: string, query: Query): Promise<StoredDocument<B>[]>;
  /** Counts at most `limit`. */
  count(collection: string, where: Query['where'], limit: number): Promise<number>;

  /** False when a document with the id, or with the same unique keys, exists. Durable when it resolves to true. */
  insert(collection: string, document: NewDocument): Promise<boolean>;
  /** False when the stored revision is not `expected` (compare and set). `document.revision` is stored. */
  replace(collection: string, expected: number, document: NewDocument): Promise<boolean>;
  /** Removes documents that match, at most `limit`. Returns how many were removed. */
  removeWhere(collection: string, where: NonNullable<Query['where']>, limit: number): Promise<number>;
}

/** Arguments of one `write`. */
export interface OneWrite {
  readonly batches: Readonly<Record<string, WriteBatch>>;
  readonly checkpoints: readonly (Checkpoint | Fence)[];
}

/** Checkpoints record how far the log was read, and are written together with the documents derived from it. */
export interface Checkpoints {
  /**
   * Writes documents of several collections with their checkpoints. Embedded engines use one transaction. Others write
   * puts first (in order within a collection), then removals, and checkpoints last. Rejects with `Fenced` if a given
   * name was claimed with a higher fence.
   */
  write(batches: Readonly<Record<string, WriteBatch>>, ...checkpoints: readonly (Checkpoint | Fence)[]): Promise<void>;
  /**
   * Combines several writes into one call, each under its own fences, for owners of many shards. Rejects if one write
   * is refused. Any of them may then be incomplete, as after an interrupted write, so repeat each one. Absent if an
   * engine gains nothing by it.
   */
  writeAll?(writes: readonly OneWrite[]): Promise<void>;
  checkpoint(name: string): Promise<Position>;
  /** Returns several positions with one query; BEFORE_ALL for a name that has none. */
  checkpoints(names: readonly string[]): Promise<Map<string, Position>>;
  /** Returns the events that these checkpoints were written with. A checkpoint without a mark is left out. */
  marks(names: readonly string[]): Promise<Map<string, EventMark>>;
  /**
   * Takes over a checkpoint's name. From now on, writes under it with a lower fence are refused, and they no longer
   * change documents of `claimed`. Returns the position. Rejects with `Fenced` if a higher fence is stored.
   */
  claim(fence: Fence, claimed?: readonly Claimed[]): Promise<Position>;
  dropCheckpoint(name: string): Promise<void>;
}

/** Management of collections and of names that are aliases of them. */
export interface Collections {
  /** Creates the collection or verifies it; `indexes: 'later'` leaves them to buildIndexes (fast first fill). */
  open(definition: CollectionDefinition, options?: { indexes?: 'now' | 'later' }): Promise<void>;
  buildIndexes(collection: string): Promise<void>;
  drop(collection: string): Promise<void>;
  list(): Promise<string[]>;
  /**
   * Makes the name an alias of a collection, such as a projection's current build. Names without an alias resolve to
   * themselves.
   */
  setAlias(name: string, collection: string): Promise<void>;
  /** Removes the alias if it points to this collection. The collection itself is unchanged. */
  dropAlias(name: string, collection: string): Promise<void>;
  resolve(name: string): Promise<string>;
}

/**
 * The whole interface of an engine over one store. Refusals are `Fenced`, `DocumentRefused` and other
 * `ReadModelError`s. Every other rejection is a temporary failure of the store (`StoreUnavailable`), whatever its
 * class.
 */
export interface DocumentStore extends Documents, Checkpoints, Collections {
  close(): Promise<void>;
}
