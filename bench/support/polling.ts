import { setTimeout as pause } from 'node:timers/promises';

/** Share of the elapsed wait that passes until the next poll. */
const SHARE = 0.1;

/**
 * ms from `started` until `shows` is true, or at least `limitMs` if it was not by then. Polls every `everyMs`, and less often the longer it
 * lasts: otherwise the polling load would grow with the waits, and the waits with the load. So a long wait may be reported a tenth too
 * long.
 */
export async function untilShown(
  { started, everyMs, limitMs }: { started: number; everyMs: number; limitMs: number },
  shows: () => Promise<boolean>,
): Promise<number> {
  for (;;) {
    const isShown = await shows();
    const ms = performance.now() - started;
    if (isShown || ms >= limitMs) return ms;
    await pause(Math.max(everyMs, ms * SHARE));
  }
}
