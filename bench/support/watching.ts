import { setTimeout as pause } from 'node:timers/promises';

/** Of what has been waited so far, the share that passes until the next look. */
const SHARE = 0.1;

/**
 * ms from `started` until `shows` holds, or `limitMs` at least when it did not by then. Looks every `everyMs`, and less often the longer it lasts:
 * who waits for much would otherwise be a load that grows with the waits, and they with it. So a long wait may be told a tenth too long.
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
