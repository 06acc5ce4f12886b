import { DomainError, refuse } from '../domain/decider.js';
import { type Hold, STALE_CHANGE } from '../domain/hold.js';

/**
 * Time in ms for which a hold without a holder is valid: the maximum time of a request between reserving a thing and storing its holder.
 * After a stop in between, the thing is free once this time is over.
 */
export const IN_FLIGHT_MS = 60_000;

/** Returns true if a hold is stale: its holder does not have the thing (`gone`: for good), and is not about to have it. */
export const isLeftOver = (hold: Hold, has: 'yes' | 'no' | 'gone', now: number): boolean =>
  has === 'gone' || (has === 'no' && now - hold.since > IN_FLIGHT_MS);

const TRIES = 8;

/** Retries a change that was decided on an outdated state. */
export async function untilCurrent<R>(change: (attempt: number) => Promise<R>): Promise<R> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    try {
      return await change(attempt);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === STALE_CHANGE)) throw error;
    }
  }
  return refuse('concurrent_change', 'Concurrent changes to the same object. Try again.');
}
