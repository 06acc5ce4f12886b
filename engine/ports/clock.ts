/** Time, so that tests can move it. All times are ms since 1970. */
export interface Clock {
  now(): number;
  /** Runs once at or after `time`; the answer cancels it. Never runs before this call has returned. */
  at(time: number, run: () => void): () => void;
}

const LONGEST = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  at(time, run) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const wait = time - Date.now();
      timer = wait > LONGEST ? setTimeout(arm, LONGEST) : setTimeout(run, Math.max(0, wait));
    };
    arm();
    return () => clearTimeout(timer);
  },
};
