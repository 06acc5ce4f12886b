import type { SteadyClock } from './ports/clock.js';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Adds ±20 %, so that simultaneous failures are not retried simultaneously. `random` is in [0, 1). */
export const jittered = (ms: number, random: number): number => Math.round(ms * (0.8 + 0.4 * random));

/** Longest pause before a retry, with jitter, in ms. */
export const LONGEST_PAUSE_MS = LONGEST_MS * 1.2;

/** Returns the ms to wait after the n-th consecutive failure (from 1): 1 s doubling to 60 s, ±20 %. */
export const backOff = (failures: number, random = Math.random()): number =>
  jittered(Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10)), random);

/** Waits `ms`, or until the signal aborts. Never rejects. */
export function pause(clock: SteadyClock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.at(clock.now() + ms, end);
    signal.addEventListener('abort', end);
  });
}
