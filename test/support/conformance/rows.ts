/** Types of the rows of the conformance tests. */
import type { Operation } from '../../../api/contract/operation.js';
import type { ConformanceStage, Store } from './stage.js';

export interface Specified {
  readonly id: string;
  readonly route: string;
  /** Absent when any valid credential is enough. */
  readonly scope?: string;
  readonly feature?: string;
  /** Schema of the request's body. */
  readonly takes?: string;
  /** Schema by success status; null: no body. */
  readonly answers: Readonly<Record<number, string | null>>;
  /** 'Other statuses' of the table. */
  readonly others: readonly number[];
  /** Query parameters. */
  readonly query?: readonly string[];
}

export interface Limit {
  /** Place in the body, such as `variants[0].size`. */
  readonly at: string;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** Other members that these values require; undefined removes a member. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface Limited {
  readonly operation: string;
  /** Body with every property. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /**
   * Members that the smallest body needs in addition to `required`, where one of several properties must be present.
   */
  readonly least?: Readonly<Record<string, unknown>>;
  /** Places of objects in the body. Each of them refuses an unknown property. */
  readonly objects: readonly string[];
  readonly limits: readonly Limit[];
}

/** Values of the path's parameters created so far. */
export type Made = Record<string, string>;

/** Creates an object of the store that a path parameter names. */
export type Maker = (stage: ConformanceStage, store: Store, operation: Operation, made: Made) => Promise<string>;
