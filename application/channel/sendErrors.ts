/** Consequences of errors when the channel refuses a message. (shared reference: 'Outbound', table of codes.) */
import type { ProviderError } from '../ports/catalogProvider.js';

const MINUTE = 60_000;
const LONGEST_MS = 24 * 60 * MINUTE;
const ACCESS_MS = 15 * MINUTE;
/** Access errors. They are retried for `ACCESS_MS`, since an access that was just renewed may still be refused. */
const ACCESS = new Set(['0', '190']);
const PAIR_LIMIT = '131056';
const RATE = new Set(['4', '17', '32', '613', '80004', '80007', '80009', '130429']);
const SPAM = new Set(['131048', '131064']);
/** Errors after which the channel may still have accepted the message. Its status shows that after a moment. */
const UNCLEAR = new Set(['timeout', 'bad_answer']);
const UNCLEAR_MS = 10_000;
const MOST_BACK_OFF_MS = 5 * MINUTE;
const MOST_PAUSE_MS = MINUTE;
const SPAM_PAUSE_MS = MINUTE;

export interface Consequence {
  /** Delay before the retry, in ms. Absent: the message has failed. */
  readonly againInMs?: number;
  /** Maximum time since it was queued. Later it is not retried. */
  readonly withinMs: number;
  /** Pause for the number's other messages, in ms. */
  readonly pauseMs?: number;
}

const doubling = (failures: number, most: number): number => Math.min(1_000 * 2 ** Math.min(failures, 20), most);

/**
 * Returns the consequence of an error. `failures`: number of failures before this one. Refused access is retried for a quarter of an hour,
 * since it may be being renewed.
 */
export function consequenceOf({ code, retry, retryAfterMs = 0 }: ProviderError, failures: number): Consequence {
  if (code === PAIR_LIMIT) return { againInMs: 4 ** Math.min(failures, 8) * 1_000, withinMs: LONGEST_MS };
  if (ACCESS.has(code)) {
    const againInMs = Math.max(5_000, doubling(failures, MOST_PAUSE_MS));
    return { againInMs, withinMs: ACCESS_MS, pauseMs: againInMs };
  }
  if (SPAM.has(code)) return { withinMs: 0, pauseMs: SPAM_PAUSE_MS };
  if (!retry) return { withinMs: 0 };
  const againInMs = Math.max(retryAfterMs, doubling(failures, MOST_BACK_OFF_MS));
  if (RATE.has(code) || retryAfterMs > 0)
    return { againInMs, withinMs: LONGEST_MS, pauseMs: Math.max(retryAfterMs, doubling(failures, MOST_PAUSE_MS)) };
  return { againInMs: UNCLEAR.has(code) ? Math.max(againInMs, UNCLEAR_MS) : againInMs, withinMs: LONGEST_MS };
}
