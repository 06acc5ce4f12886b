/** What the rows of the conformance tests are made of. */
import type { Operation } from '../../../api/contract/operation.js';
import type { ConformanceStage, Store } from './stage.js';

export interface Specified {
  readonly id: string;
  readonly route: string;
  /** Absent: the credential itself is all that is needed. */
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
  /** Members that these values need beside them; undefined takes one out. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

export interface Limited {
  readonly operation: string;
  /** With every property. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** Beside what is required: of properties of which one or the other is. */
  readonly least?: Readonly<Record<string, unknown>>;
  /** That have properties: each refuses one that it does not know. */
  readonly objects: readonly string[];
  readonly limits: readonly Limit[];
}

/** Values of the path's parameters that have been made before. */
export type Made = Record<string, string>;

/** Makes something of the store that a path's parameter names, just now. */
export type Maker = (stage: ConformanceStage, store: Store, operation: Operation, made: Made) => Promise<string>;
