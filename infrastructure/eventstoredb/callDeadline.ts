import { setTimeout as wait } from 'node:timers/promises';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { failureOf, Passing } from './failures.js';

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;

/** How long one call may go on without progress, over all its tries. */
export class CallDeadline {
  readonly #ms: number;
  #until: number;

  constructor(ms: number) {
    this.#ms = ms;
    this.#until = performance.now() + ms;
  }

  progress(): void {
    this.#until = performance.now() + this.#ms;
  }

  /** In ms; 0 or less: it is exhausted. */
  left(): number {
    return this.#until - performance.now();
  }
}

/** Tries again after failures that pass, until the deadline. Rejects with StoreUnavailable, or what does not pass. */
export async function tried<T>(what: string, deadline: CallDeadline, attempt: () => Promise<T>): Promise<T> {
  for (let pause = FIRST_WAIT_MS; ; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
    try {
      return await attempt();
    } catch (error) {
      const failure = failureOf(error);
      if (!(failure instanceof Passing)) throw failure;
      if (deadline.left() <= pause) throw new StoreUnavailable(`${what}: ${failure.message}`);
    }
    await wait(pause);
  }
}
