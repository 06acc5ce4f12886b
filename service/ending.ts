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

/** A signal so soon after the first is the same one again, in ms: npm passes Ctrl-C on, which the terminal has sent to all. */
const SAME_MS = 500;
const IMPATIENT = 130;

/** What of the process is needed to hear when it is to end. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', told: () => void): unknown;
  exit(code: number): unknown;
}

/** Resolves with SIGTERM or SIGINT. A second signal ends the process at once. `now`: ms of a steady clock. */
export function untilSignal(signals: Signals = process, now = (): number => performance.now()): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const told = (): void => {
      first ??= now();
      if (now() - first > SAME_MS) signals.exit(IMPATIENT);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) signals.on(signal, told);
  });
}
