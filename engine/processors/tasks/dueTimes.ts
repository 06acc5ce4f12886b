import type { Clock } from '../../ports/clock.js';

/** Distance between two due times, in ms: the smallest difference that ms since 1970 can represent. */
const APART_MS = 2 ** -12;
/** Largest step back of the clock, in ms, that is smoothed over. After a larger one, earlier tasks wait longer. */
const MOST_BACK_MS = 1_000;

/**
 * Returns due times for tasks that are due at once, each later than the previous one. (Of thousands in one millisecond,
 * the last ones are equal.) A lane is processed in the order of due times. So tasks noted in the same millisecond, or
 * after the clock was set back a little, stay in order when they are read from the store.
 */
export function dueTimes(clock: Clock): () => number {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.now();
    const next = last + APART_MS;
    if (last <= now) last = Math.min(now, Math.max(now - 1, next));
    else last = last - now > MOST_BACK_MS ? now - 1 : next;
    return last;
  };
}
