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
  /** The same, waiting otherwise; absent where no read waits. */
  within?(wait: Within): Reads;
}

/** What queries wait for, where they wait for what was acknowledged. */
export interface Within {
  /** Changes elsewhere are not waited for; absent: changes anywhere. */
  readonly scopes?: readonly string[] | undefined;
  /** Thrown when a view is late or has stopped; absent: what there is is answered. */
  late?(): Error;
}

/** Where nothing may be missed, whoever wrote it. */
export interface CaughtUp {
  /** Resolves when the views of these categories show all that stood in the log at the call; rejects when they are late. */
  caughtUp(categories: readonly string[]): Promise<void>;
}
