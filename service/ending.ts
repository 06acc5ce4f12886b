/** How a process ends: when, and in which order what it has started is stopped. */
import type { Log } from '../engine/ports/log.js';

/** What is stopped at the end, the last that was started first. Each step runs once, also when one before it has failed. */
export class Undo {
  #steps: (() => Promise<unknown> | unknown)[] = [];

  add(step: () => Promise<unknown> | unknown): void {
    this.#steps.push(step);
  }

  async run(log: Log): Promise<void> {
    const steps = this.#steps.reverse();
    this.#steps = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, 'a part did not stop cleanly');
      }
    }
  }
}

/** Resolves with SIGTERM or SIGINT. A second signal ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
  });
}
