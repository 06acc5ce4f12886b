/** The last requests of each key. */
import type { ConsoleMissedBody } from './events.js';

/** A request with a key, as the process that served it recorded it. */
export interface ConsoleRequestBody {
  /** Counted from 1 by each process. */
  readonly number: number;
  /** When it was answered. */
  readonly at: string;
  readonly key: { readonly id: string; readonly name: string };
  /** Present for a session in a store. */
  readonly member?: string;
  /** The store that it reached, or that its key belongs to. */
  readonly workspaceId?: string;
  readonly operation: string;
  readonly status: number;
  readonly code?: string;
  readonly ms: number;
  readonly requestId: string;
  /** How many events it appended: those with its id as their correlation id. */
  readonly events: number;
}

export interface ConsoleRequestsBody {
  /** Newest first. */
  readonly requests: readonly ConsoleRequestBody[];
  /** `before` of the next page. */
  readonly next?: number;
  /** From where the tail goes on. */
  readonly since: string;
}

/** One message of the tail of requests. */
export interface ConsoleLiveRequestsBody {
  readonly requests: readonly ConsoleRequestBody[];
  readonly left: number;
  readonly missed?: ConsoleMissedBody;
}
