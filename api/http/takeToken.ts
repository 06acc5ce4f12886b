/** Rate limits of requests. (Specification 1, 'Errors': per IP address, per user and per key.) */
import { Refusal } from '../contract/problems.js';
import type { Exchange } from './exchange.js';
import type { RateLimiter, Taken } from './rates/rateLimit.js';

function checkTaken(exchange: Exchange, limiter: RateLimiter, taken: Taken): void {
  exchange.limited(limiter.name, limiter.policy, taken);
  if (!taken.allowed)
    throw new Refusal('rate_limited', `Too many requests; the next is allowed in ${taken.retrySeconds} s.`, {
      headers: { 'Retry-After': String(taken.retrySeconds) },
    });
}

/**
 * Counts the request for `who`; refuses `rate_limited`. Returns a promise only if other instances have to be consulted.
 */
export function takeToken(
  exchange: Exchange,
  limiter: RateLimiter | undefined,
  who: string,
  now: number,
  cost = 1,
): Promise<void> | undefined {
  if (limiter === undefined) return undefined;
  const taken = limiter.take(who, now, cost);
  if (taken instanceof Promise) return taken.then((found) => checkTaken(exchange, limiter, found));
  checkTaken(exchange, limiter, taken);
  return undefined;
}

/** A body counts as one request more for each of so many bytes. */
const BYTES_A_REQUEST = 65_536;

/** How many requests more a body of so many bytes counts as. */
export const costOf = (bytes: number): number => Math.floor(bytes / BYTES_A_REQUEST);
