import { jittered } from '../../engine/backOff.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Retries end 3 days after the delivery's creation. (Specification 2, 'Delivery rules', 1.) */
export const RETRY_PERIOD_MS = 72 * HOUR;
/** An endpoint is disabled after every delivery failed for 3 days. (Rule 2.) */
export const FAILING_MS = 72 * HOUR;
/** Last part of those 3 days that needs a failure: slightly more than the longest wait between two attempts. */
export const FAILING_END_MS = 15 * HOUR;

/** Delay after which an attempt counts as late: the service was down, or its clock was set. */
const LATE_MS = HOUR;
/** Maximum time added to the 72 hours for late attempts. */
const MOST_LATE_MS = 30 * 24 * HOUR;

/** Returns the time within the 72 hours in which the service made no attempt, including an attempt with this due time and start. */
export const lateAfter = (lateMs: number, dueAt: number, startedAt: number): number =>
  startedAt - dueAt < LATE_MS ? lateMs : Math.min(MOST_LATE_MS, lateMs + startedAt - dueAt);

/** Waits after the first, second … failure. The last one repeats. (DESIGN.) */
const WAITS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
];

export interface FailedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** End of the attempt. `createdAt`: creation of the delivery. ms since 1970. */
  readonly now: number;
  readonly createdAt: number;
  /** Time in which the service made no attempt. It does not count. */
  readonly lateMs?: number | undefined;
  /** Delay requested by the receiver. */
  readonly retryAfterMs?: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

/**
 * Returns the time of the next attempt, ±20 %. Undefined: it would be after the 72 hours. A longer delay that the receiver requests
 * (Retry-After) is granted, but never beyond that end.
 */
export function nextAttemptAt({
  attempt,
  now,
  createdAt,
  lateMs = 0,
  retryAfterMs = 0,
  random,
}: FailedAttempt): number | undefined {
  const end = createdAt + lateMs + RETRY_PERIOD_MS;
  const scheduled = now + jittered(WAITS[Math.min(attempt, WAITS.length) - 1]!, random);
  return scheduled > end ? undefined : Math.min(end, Math.max(scheduled, now + retryAfterMs));
}
