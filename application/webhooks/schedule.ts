import { jittered } from '../../engine/processors/backOff.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Retried for up to 3 days from the delivery's creation. (Specification 2, 'Delivery rules', 1.) */
export const RETRY_PERIOD_MS = 72 * HOUR;
/** Disabled after every delivery failed for 3 days. (Rule 2.) */
export const FAILING_MS = 72 * HOUR;

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
  retryAfterMs = 0,
  random,
}: FailedAttempt): number | undefined {
  const end = createdAt + RETRY_PERIOD_MS;
  const scheduled = now + jittered(WAITS[Math.min(attempt, WAITS.length) - 1]!, random);
  return scheduled > end ? undefined : Math.min(end, Math.max(scheduled, now + retryAfterMs));
}
