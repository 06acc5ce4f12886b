/** Clocks, so that tests can control time. */

/**
 * A clock that never jumps and never goes back, for measuring durations. Times are ms since some moment of this thread.
 * Never store them: they mean nothing to another process.
 */
export interface SteadyClock {
  now(): number;
  /** Runs once at or after `time`, never before this call has returned. The returned function cancels it. */
  at(time: number, run: () => void): () => void;
  /** Prevents a wall clock from being passed as a steady clock. */
  readonly isSteady: true;
}

/** Wall clock: times are ms since 1970. It may be set forwards or backwards at any moment. */
export interface Clock {
  now(): number;
  /** Runs once at or after `time`, within a minute of it even if the clock is set. The returned function cancels it. */
  at(time: number, run: () => void): () => void;
  /** Runs within a second whenever the clock is set back by more than `SET_BACK_MS`. The returned function ends it. */
  onSetBack(run: () => void): () => void;
  /** For durations and freshness. */
  readonly steady: SteadyClock;
  /** Evidence that the clock is right, to wait for before irreversible actions. Absent: the clock is trusted. */
  readonly evidence?: ClockEvidence;
}

export interface ClockEvidence {
  /** Returns the ms until the clock may be confirmed; 0 if it is confirmed. */
  waitMs(): number;
  /** Returns a sentence for the operator until the clock is confirmed. */
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
/** Longest time between two checks of the clock, in ms: it may be set, and the machine may be suspended. */
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
      timer = setTimeout(check, Math.max(0, Math.min(LOOK_MS, time - Date.now())));
    };
    const check = (): void => (Date.now() >= time ? run() : arm());
    arm();
    return () => clearTimeout(timer);
  },
  onSetBack: watchSetBack(),
});

export const systemClock: Clock = createSystemClock();
