const LOOK_MS = 25;
const LONGEST_LOOK_MS = 250;
/** Of the time waited so far: what is looked at is often a service that has work to do, and the more so the longer it takes. */
const SHARE = 0.1;

/** Waits, in real time, until something outside this process holds; fails with `what` after `ms`, by default just before the test would. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 80_000): Promise<void> {
  const began = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - began;
    if (waited > ms) throw new Error(`not in ${ms / 1000} s: ${what}`);
    const pause = Math.min(LONGEST_LOOK_MS, Math.max(LOOK_MS, waited * SHARE));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
