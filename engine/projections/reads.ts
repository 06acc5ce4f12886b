import type { Query, StoredDocument } from '../ports/documents.js';

/** What `read` needs to know of a projection (engine/projections/projection.ts): its name, and the type of its bodies. */
export interface Readable<Body> {
  readonly name: string;
  readonly _body?: Body;
}

/** Queries over the current build of a projection. */
export interface Reads {
  get<B>(projection: Readable<B>, id: string): Promise<StoredDocument<B> | undefined>;
  getMany<B>(projection: Readable<B>, ids: readonly string[]): Promise<Map<string, StoredDocument<B>>>;
  find<B>(projection: Readable<B>, query: Query): Promise<StoredDocument<B>[]>;
  count(projection: Readable<unknown>, where: Query['where'], limit: number): Promise<number>;
}

/** Where nothing may be missed, whoever wrote it. */
export interface CaughtUp {
  /** Resolves when the views of these categories show all that stood in the log at the call; rejects when they are late. */
  caughtUp(categories: readonly string[]): Promise<void>;
}
