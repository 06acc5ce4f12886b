const LOOK_MS = 25;

/** Waits, in real time, until something outside this process holds. Fails with `what` after `ms`. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 80_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not in ${ms / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
