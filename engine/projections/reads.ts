import type { Query, StoredDocument } from '../ports/documents.js';

/**
 * Properties of a projection (engine/projections/projection.ts) that `read` needs: its name, and the type of its
 * bodies.
 */
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
  /** Returns reads with other waiting rules. Absent if no read waits. */
  within?(wait: Within): Reads;
}

/** Waiting rules of queries that wait for acknowledged changes. */
export interface Within {
  /** Scopes whose changes are awaited. Default: all scopes. */
  readonly scopes?: readonly string[] | undefined;
  /** Creates the error for a view that is late or has stopped. Default: the query returns the current state. */
  late?(): Error;
}

/** Waits until views show all events, of every writer. */
export interface CaughtUp {
  /**
   * Resolves when the views of these categories show everything that was in the log at the call. Rejects when they are
   * late.
   */
  caughtUp(categories: readonly string[]): Promise<void>;
}
