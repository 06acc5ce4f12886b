/** How fast the channel lets messages through. (shared reference: 'Throughput'.) */

import type { Clock } from '../../engine/ports/clock.js';
import { dropOldest } from '../dropOldest.js';
import { GraphError } from './graphError.js';

const PER_SECOND = 80;
const BURST = 45;
const PAIR_MS = 6_000;
const KEPT = 20_000;

/** Tokens that come back with time. */
interface Bucket {
  tokens: number;
  /** Time on the steady clock. */
  at: number;
}

/** Counts a message of the number to the customer; throws a GraphError with 130429 or 131056 when it is one too many. */
export type SendLimits = (phoneNumberId: string, customer: string) => void;

export function createSendLimits(clock: Clock): SendLimits {
  const buckets = new Map<string, Bucket>();
  function take(key: string, most: number, eachMs: number): boolean {
    const now = clock.steady.now();
    const before = buckets.get(key) ?? { tokens: most, at: now };
    const tokens = Math.min(most, before.tokens + (now - before.at) / eachMs);
    buckets.delete(key);
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    dropOldest(buckets, KEPT);
    return tokens >= 1;
  }
  return (phoneNumberId, customer) => {
    if (!take(phoneNumberId, PER_SECOND, 1_000 / PER_SECOND)) throw new GraphError(130429, '(#130429) Rate limit hit');
    if (!take(`${phoneNumberId} ${customer}`, BURST, PAIR_MS))
      throw new GraphError(131056, '(#131056) (Business Account, Consumer Account) pair rate limit hit');
  };
}
