import type { Clock } from '../../ports/clock.js';

/** Between two due times, in ms: the least that a number of ms since 1970 can tell apart. */
const APART_MS = 2 ** -12;
/** A clock that is set back by more than this, in ms, is followed, though what was noted before then waits longer. */
const MOST_BACK_MS = 1_000;

/**
 * Due times of tasks that are due at once, each later than the one before (of thousands in one millisecond the last ones are
 * alike). A lane is worked in the order of due times, so what is noted in the same millisecond, or after the clock was set back
 * a little, keeps its place also when it is read again.
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
