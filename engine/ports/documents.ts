import type { EventMark, Position } from './eventStore.js';

/**
 * Documents for lists and gets. A document is found by its keys (declared, indexed scalars) and carries a body: JSON
 * that the engine never looks into, so that an answer can be passed on as it is stored.
 * One contract suite, test/contracts/readModels.ts, holds for each engine.
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
  /** Position of the last event in it (projections), or a counter (work). A write with a lower or equal one is ignored. */
  readonly revision: number;
  /**
   * What stands under this id, as far as the writer knows; absent: not known. Only what a write costs follows from it: an engine need not look
   * at its indexes then, or at what stands.
   */
  readonly stands?: 'none' | 'sameKeys' | undefined;
}

export interface StoredDocument<Body = unknown> {
  readonly id: string;
  readonly keys: Readonly<Record<string, Scalar>>;
  readonly revision: number;
  /** Parsed on first use. Do not change it. */
  readonly body: Body;
  /** The body as JSON text, without parsing where the engine stores text. */
  readonly json: string;
  /** Only from getMany with `removed`: what stood here was removed at this revision. */
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
  /** Keyset page: the sort keys' values and the id of the last document of the page before, in sort order. */
  readonly after?: readonly Scalar[];
  readonly limit: number;
  /** The keys that are looked at beside those of the sort: others may be left out of what is answered. All when absent. */
  readonly keys?: readonly string[];
}

/** `after` of the query that goes on behind a document. */
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
 * Who may write under a checkpoint's name. Each new owner has a higher number; once it has claimed the name, a write with
 * a lower one is refused as a whole with `Fenced`, so that an owner that was paused changes nothing when it wakes.
 */
export interface Fence {
  readonly name: string;
  readonly fence: number;
}

/** A name that owns a place in the log, written together with the documents it led to. Without a fence: nobody else writes. */
export interface Checkpoint {
  readonly name: string;
  readonly position: Position;
  /** The newest event that is known to stand at the position or before: it tells this log from others. */
  readonly mark?: EventMark | undefined;
  readonly fence?: number;
}

/** Documents that a claim takes over: a whole collection, or those that are found by declared keys. */
export type Claimed = string | { readonly collection: string; readonly where: NonNullable<Query['where']> };

export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** A call that is refused for what it asks, with a stable code: a query without an index, a name in use. Repeating it is in vain. */
export class ReadModelError extends Error {
  override readonly name: string = 'ReadModelError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A document that the engine can never store as it is: too large, a key of another type, a unique key that another one has. */
export class DocumentRefused extends ReadModelError {
  override readonly name = 'DocumentRefused';
}

/** Documents of named collections: by id, by their keys, one at a time where only one may come first. */
export interface Documents {
  get<B>(collection: string, id: string): Promise<StoredDocument<B> | undefined>;
  /**
   * `removed`: also what was removed lately, where the engine writes documents and checkpoint in several steps and keeps a
   * mark of each removal for a day: an event that is folded again must find that its document has gone since.
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
  /** Removes every document that matches, at most `limit`; answers how many. */
  removeWhere(collection: string, where: NonNullable<Query['where']>, limit: number): Promise<number>;
}

/** How far the log has been read under a name, written together with what was made of it. */
/** What one `write` is about. */
export interface OneWrite {
  readonly batches: Readonly<Record<string, WriteBatch>>;
  readonly checkpoints: readonly (Checkpoint | Fence)[];
}

export interface Checkpoints {
  /**
   * Documents of several collections and their checkpoints: embedded engines write them in one transaction, others first what
   * is put (of one collection in its order), then what is removed, and the checkpoints last. Rejects with `Fenced` when a name given here has been claimed with a higher fence.
   */
  write(batches: Readonly<Record<string, WriteBatch>>, ...checkpoints: readonly (Checkpoint | Fence)[]): Promise<void>;
  /**
   * Several writes in the calls of one, each under its own fences: for owners of many parts. Rejects when one of them is refused; what
   * then stands of them is as after a write that was interrupted, so each is repeated. Absent where an engine gains nothing by it.
   */
  writeAll?(writes: readonly OneWrite[]): Promise<void>;
  checkpoint(name: string): Promise<Position>;
  /** The positions of several, in one query; BEFORE_ALL for a name that has none. */
  checkpoints(names: readonly string[]): Promise<Map<string, Position>>;
  /** The events that these checkpoints were written with; nothing for a name whose checkpoint was written without one. */
  marks(names: readonly string[]): Promise<Map<string, EventMark>>;
  /**
   * Takes a checkpoint's name over: from now on writes under it with a lower fence are refused, and documents of
   * `claimed` are no longer changed by them. Answers the position. Rejects with `Fenced` when a higher one stands.
   */
  claim(fence: Fence, claimed?: readonly Claimed[]): Promise<Position>;
  dropCheckpoint(name: string): Promise<void>;
}

/** Which collections there are, and which of them a name stands for. */
export interface Collections {
  /** Creates the collection or verifies it; `indexes: 'later'` leaves them to buildIndexes (fast first fill). */
  open(definition: CollectionDefinition, options?: { indexes?: 'now' | 'later' }): Promise<void>;
  buildIndexes(collection: string): Promise<void>;
  drop(collection: string): Promise<void>;
  list(): Promise<string[]>;
  /** Names that stand for another collection (a projection's current build). Unknown names stand for themselves. */
  setAlias(name: string, collection: string): Promise<void>;
  /** If it stands for this collection, the name stands for itself again; the collection is left as it is. */
  dropAlias(name: string, collection: string): Promise<void>;
  resolve(name: string): Promise<string>;
}

/**
 * What an engine implements: all three over one store. Refusals are `Fenced`, `DocumentRefused` and other `ReadModelError`; every
 * other rejection is the store's own trouble, whatever it is called, and passes (`StoreUnavailable`).
 */
export interface DocumentStore extends Documents, Checkpoints, Collections {
  close(): Promise<void>;
}
