import type { Clock } from '../ports/clock.js';

/** Waits `ms` of the clock's time, or until the signal aborts. Never rejects. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
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
