import type { Clock } from '../ports/clock.js';

/**
 * Time that never jumps and never goes back: ms since some moment of this thread's own. For leases, which measure how
 * long ago something was; a wall clock that is set would end them or make them last.
 */
export const steadyClock: Clock = {
  now: () => performance.now(),
  at(time, run) {
    const timer = setTimeout(run, Math.max(0, Math.ceil(time - performance.now())));
    return () => clearTimeout(timer);
  },
};
