import type { Clock } from '../../application/ports/clock.js';
import type { ReadModels } from '../../application/ports/readModels.js';
import { removeBuild } from './builds.js';
import type { RuntimeLog } from './log.js';
import type { Turns } from './turns.js';

/** Removes builds that were replaced, when queries that began before have surely ended. */
export class Retirement {
  readonly #source: { readModels: ReadModels; clock: Clock; turns: Turns; log: RuntimeLog };
  readonly #graceMs: number;
  readonly #waiting = new Map<string, () => void>();

  constructor(source: { readModels: ReadModels; clock: Clock; turns: Turns; log: RuntimeLog }, graceMs: number) {
    this.#source = source;
    this.#graceMs = graceMs;
  }

  retire(physical: string): void {
    const { clock } = this.#source;
    this.#waiting.get(physical)?.();
    this.#waiting.set(
      physical,
      clock.at(clock.now() + this.#graceMs, () => void this.#remove(physical)),
    );
  }

  /** What still waits is left over, and found at the next start. */
  stop(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  async #remove(physical: string): Promise<void> {
    this.#waiting.delete(physical);
    const { readModels, turns, log } = this.#source;
    try {
      await turns.run(() => removeBuild(readModels, physical));
    } catch (error) {
      log.warn(
        { err: error, collection: physical },
        'an old build could not be removed; the next start will try again',
      );
    }
  }
}
