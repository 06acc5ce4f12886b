import { jittered } from '../../engine/processors/backOff.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Retried for up to 3 days from the delivery's creation. (Specification 2, 'Delivery rules', 1.) */
export const RETRY_PERIOD_MS = 72 * HOUR;
/** Disabled after every delivery failed for 3 days. (Rule 2.) */
export const FAILING_MS = 72 * HOUR;
/** The end of those 3 days within which a failure is needed: a little more than the longest wait between two attempts. */
export const FAILING_END_MS = 15 * HOUR;

/** Attempts that began so much later than they were due count as late: the service was down, or its clock was set. */
const LATE_MS = HOUR;
/** Longest time that is added to the 72 hours for being late. */
const MOST_LATE_MS = 30 * 24 * HOUR;

/** Time within the 72 hours in which the service did not try, with an attempt that was due and began at these times. */
export const lateAfter = (lateMs: number, dueAt: number, begun: number): number =>
  begun - dueAt < LATE_MS ? lateMs : Math.min(MOST_LATE_MS, lateMs + begun - dueAt);

/** Waits after the first, second … failure; then the last one again and again. (DESIGN.) */
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
  /** When it ended, and when the delivery was created: ms since 1970. */
  readonly now: number;
  readonly createdAt: number;
  /** Time in which the service did not try; it does not count. */
  readonly lateMs?: number | undefined;
  /** What the receiver asked for. */
  readonly retryAfterMs?: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

/**
 * When to try again, ±20 %; undefined: never, the next time would be past the 72 hours. A longer wait that the receiver
 * asks for (Retry-After) is granted, but never past that end.
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
