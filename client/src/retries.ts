/** When a call is made again, and after how long. */
import { SuuqConnectionError, SuuqProblem } from './problems.js';

export interface RetryPolicy {
  /** How often a call is made again at most; 0: never. 3 when absent. */
  readonly retries?: number;
  /** Longest wait before one of them, in ms; a `Retry-After` that is longer ends the call. 30,000 when absent. */
  readonly longestWaitMs?: number;
}

export const DEFAULT_POLICY = { retries: 3, longestWaitMs: 30_000 } as const satisfies Required<RetryPolicy>;

/** First wait without a `Retry-After`, in ms; doubles each time. */
const FIRST_MS = 250;

/** Statuses of a proxy, or of a service that stops: the request may have been carried out. */
const UNCERTAIN = [502, 503, 504];

/** Returns true if the request may be retried. `repeatable`: a second run has no further effect. */
function mayRepeat(failure: unknown, repeatable: boolean): boolean {
  if (failure instanceof SuuqConnectionError) return repeatable;
  if (!(failure instanceof SuuqProblem)) return false;
  // Refused before it was looked at.
  if (failure.status === 429) return true;
  // The first one, of which no answer came, is still being carried out.
  if (failure.code === 'idempotency_in_flight') return true;
  return repeatable && UNCERTAIN.includes(failure.status);
}

/**
 * Returns the delay before call number `attempt` + 1, in ms; undefined: no retry. Without a `Retry-After` the delay
 * doubles and is drawn from its upper half, so that clients that failed together do not return together. `random` is
 * from 0 to 1.
 */
export function waitAfter(
  failure: unknown,
  attempt: number,
  repeatable: boolean,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  const { retries, longestWaitMs } = { ...DEFAULT_POLICY, ...policy };
  if (attempt > retries || !mayRepeat(failure, repeatable)) return undefined;
  const retryAfterMs = failure instanceof SuuqProblem ? failure.retryAfterMs : undefined;
  if (retryAfterMs !== undefined) return retryAfterMs > longestWaitMs ? undefined : retryAfterMs;
  return Math.min(longestWaitMs, FIRST_MS * 2 ** (attempt - 1) * (0.5 + random() / 2));
}

/** Converts a `Retry-After` to milliseconds: seconds or a date (RFC 9110). */
export function retryAfterMs(field: string | null, now: number): number | undefined {
  if (field === null) return undefined;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const date = Date.parse(field);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
