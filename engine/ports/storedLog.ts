import type { Position } from './eventStore.js';

/** An event with the exact bytes that it was written with. */
export interface StoredEvent {
  readonly position: Position;
  readonly stream: string;
  /** From 0. */
  readonly revision: number;
  readonly type: string;
  /** 32 hexadecimal digits, lower case. */
  readonly id: string;
  /** True if it was written as JSON. */
  readonly json: boolean;
  readonly data: Uint8Array;
  readonly meta: Uint8Array;
  /** Microseconds since 1970, as noted by the engine. Used only if the metadata have no time. */
  readonly recorded: number;
}

export interface StoredPage {
  readonly events: readonly StoredEvent[];
  /** Everything up to this position was scanned. */
  readonly through: Position;
  readonly end: boolean;
}

/**
 * The log as it is stored, to prove its content. Nothing is parsed or upcast. Data of the engine itself is left out:
 * streams and types whose names begin with '$' (metadata, links, tombstones).
 */
export interface StoredLog {
  /**
   * Returns about `limit` events after (exclusive) a position, in log order. Rejects with LogDamaged, StoreUnavailable.
   */
  readAfter(after: Position, limit: number): Promise<StoredPage>;
  /** Returns events of one stream in order, from (inclusive) a revision, at most `limit`. */
  readStream(stream: string, from: number, limit: number): Promise<StoredEvent[]>;
  /**
   * Returns missing revisions below the newest of each stream, at most `most`. Absent if the engine cannot find them.
   */
  gaps?(most: number): Promise<readonly { readonly stream: string; readonly revision: number }[]>;
  /** Returns the position of the newest event; BEFORE_ALL if there is none. */
  head(): Promise<Position>;
  close(): Promise<void>;
}

/** True if an event belongs to the engine itself and not to the history. */
export const isEnginesOwn = (stream: string, type: string): boolean => stream.startsWith('$') || type.startsWith('$');
