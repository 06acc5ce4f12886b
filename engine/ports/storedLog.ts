import type { Position } from './eventStore.js';

/** An event with the very bytes that it was written with. */
export interface StoredEvent {
  readonly position: Position;
  readonly stream: string;
  /** From 0. */
  readonly revision: number;
  readonly type: string;
  /** 32 hexadecimal digits, lower case. */
  readonly id: string;
  /** Whether it was written as JSON. */
  readonly json: boolean;
  readonly data: Uint8Array;
  readonly meta: Uint8Array;
  /** Microseconds since 1970, as the engine has noted it; counts only where the metadata tell no time. */
  readonly recorded: number;
}

export interface StoredPage {
  readonly events: readonly StoredEvent[];
  /** Everything up to here has been looked at. */
  readonly through: Position;
  readonly end: boolean;
}

/**
 * The log as it is stored, for who proves what stands in it: nothing is parsed, and no event is made into a newer version.
 * What belongs to the engine itself is left out: streams and types whose names begin with '$' (metadata, links, tombstones).
 */
export interface StoredLog {
  /** Events after (exclusive) a position, in the order of the log, about `limit` of them. Rejects with LogDamaged, StoreUnavailable. */
  readAfter(after: Position, limit: number): Promise<StoredPage>;
  /** Those of one stream, in its order, from (inclusive) a revision, at most `limit`. */
  readStream(stream: string, from: number, limit: number): Promise<StoredEvent[]>;
  /** Revisions that streams lack before others of theirs, at most `most`; absent where the engine cannot tell. */
  gaps?(most: number): Promise<readonly { readonly stream: string; readonly revision: number }[]>;
  /** Position of the newest event; BEFORE_ALL when there is none. */
  head(): Promise<Position>;
  close(): Promise<void>;
}

/** Whether an event belongs to the engine itself, and to no history. */
export const isEnginesOwn = (stream: string, type: string): boolean => stream.startsWith('$') || type.startsWith('$');
