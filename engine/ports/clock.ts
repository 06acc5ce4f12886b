/** Time, so that tests can move it. */

/**
 * Time that never jumps and never goes back, in ms since some moment of this thread: for how long something lasts or has lasted.
 * Its readings mean nothing to another process, so none is stored.
 */
export interface SteadyClock {
  now(): number;
  /** Runs once at or after `time`; the answer cancels it. Never runs before this call has returned. */
  at(time: number, run: () => void): () => void;
  /** Keeps a wall clock from being taken for one. */
  readonly isSteady: true;
}

/** Wall clock: times are ms since 1970. It may be set at any moment, forwards and backwards. */
export interface Clock {
  now(): number;
  /** Runs once at or after `time`, within a minute of it, also when the clock was set meanwhile; the answer cancels it. */
  at(time: number, run: () => void): () => void;
  /** Runs within a second whenever the clock was set back by more than `SET_BACK_MS`; the answer ends it. */
  onSetBack(run: () => void): () => void;
  /** For durations and freshness. */
  readonly steady: SteadyClock;
  /** Where it may be wrong: what is to be waited for before anything that cannot be undone. */
  readonly evidence?: ClockEvidence;
}

export interface ClockEvidence {
  /** ms until the clock may be confirmed; 0: it is. */
  waitMs(): number;
  /** A sentence for the operator, until it is. */
  report(): string | undefined;
}

const LONGEST = 2 ** 31 - 1;

export const steadyClock: SteadyClock = {
  isSteady: true,
  now: () => performance.now(),
  at(time, run) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const wait = Math.max(0, Math.ceil(time - performance.now()));
      timer = wait > LONGEST ? setTimeout(arm, LONGEST) : setTimeout(run, wait);
    };
    arm();
    return () => clearTimeout(timer);
  },
};

/** Least step back, in ms, that counts as setting the clock. */
export const SET_BACK_MS = 60_000;
/** Longest time without a look at the clock, in ms: it may be set, and the machine may have been suspended. */
const LOOK_MS = 30_000;
/** Interval between two checks for a clock that was set back, in ms. */
const COMPARE_MS = 1000;

/** Notifies listeners when the clock was set back. Checks the clock only while there are listeners. */
function watchSetBack(): Clock['onSetBack'] {
  const listeners = new Set<() => void>();
  const aheadNow = (): number => Date.now() - performance.now();
  let ahead: number;
  let timer: NodeJS.Timeout | undefined;
  const compare = (): void => {
    const before = ahead;
    ahead = aheadNow();
    if (before - ahead > SET_BACK_MS) for (const run of [...listeners]) run();
  };
  return (run) => {
    const listener = (): void => run();
    listeners.add(listener);
    if (timer === undefined) {
      ahead = aheadNow();
      timer = setInterval(compare, COMPARE_MS).unref();
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}

/** Creates a clock that shows the machine's time. One timer of a second serves all of its `onSetBack` listeners. */
export const createSystemClock = (): Clock => ({
  steady: steadyClock,
  now: () => Date.now(),
  at(time, run) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      timer = setTimeout(look, Math.max(0, Math.min(LOOK_MS, time - Date.now())));
    };
    const look = (): void => (Date.now() >= time ? run() : arm());
    arm();
    return () => clearTimeout(timer);
  },
  onSetBack: watchSetBack(),
});

export const systemClock: Clock = createSystemClock();
