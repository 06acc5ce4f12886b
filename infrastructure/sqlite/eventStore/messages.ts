/** Messages between the threads that append and the thread that writes. */
import type { MessagePort } from 'node:worker_threads';
import type { Expected } from '../../../engine/ports/eventStore.js';

/** The port's expectations, and the one more that EventStoreDB's clients have. */
export type Expectation = Expected | 'streamExists';

interface Write {
  readonly seq: number;
  readonly stream: string;
  readonly expected: Expectation;
  /** Rough size in bytes, for the bounds of queue and group. */
  readonly weight: number;
}

/** One append; `ids`, `types`, `data`, `meta` and `formats` run in parallel; see `shared`. */
export interface AppendRequest extends Write {
  readonly ids: readonly string[];
  readonly types: readonly string[];
  /** JSON text in the format `objects`, bytes in the others. */
  readonly data: readonly (string | Uint8Array)[];
  readonly meta: readonly (string | Uint8Array)[];
  /** One of `Format` for each event. Absent in the port's own appends: all are `objects`, and their time is meta.at. */
  readonly formats?: readonly number[];
}

/** A list of one entry if all events of an append share it: otherwise each would be copied from thread to thread. */
export const shared = <T>(values: readonly T[]): readonly T[] =>
  values.length > 1 && values.every((value) => value === values[0]) ? values.slice(0, 1) : values;

/** Entry of the event at this index, from a list that may be `shared`. */
export const oneOf = <T>(values: readonly T[], index: number): T => values[values.length === 1 ? 0 : index]!;

/** As in EventStoreDB: a soft deletion hides what is there, a hard one ends the stream for ever. */
export interface DeleteRequest extends Write {
  readonly deletion: 'soft' | 'hard';
}

export type WriteRequest = AppendRequest | DeleteRequest;

export type ToWriter =
  | { readonly appends: readonly WriteRequest[] }
  | { readonly notices: MessagePort }
  | { readonly appender: MessagePort }
  | { readonly close: true };

export interface Written {
  readonly seq: number;
  readonly written: true;
  /** -1 after an append without events to a stream that is not there. */
  readonly revision: number;
  readonly position: number;
  /** It had been written before: nothing is new. */
  readonly repeat?: true;
  /** A repeat of events that are deleted or truncated since. */
  readonly hidden?: boolean;
}

export interface Refused {
  readonly seq: number;
  readonly written: false;
  /** Revision of the newest event; -1 when there is none. */
  readonly actual: number;
  /** Not the expectation: the stream is deleted. */
  readonly deleted?: boolean;
}

/** The commit could not be made, for the file's sake. */
export interface Failed {
  readonly seq: number;
  readonly failed: string;
  /** The disk has no room: nothing of it was written. */
  readonly full: boolean;
}

export type Answer = Written | Refused | Failed;

/** `head` is the position of the newest event. */
export interface FromWriter {
  readonly head: number;
  readonly answers?: readonly Answer[];
}
