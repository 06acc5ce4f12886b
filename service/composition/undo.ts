import type { Log } from '../../engine/ports/log.js';

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
