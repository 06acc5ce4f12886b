/** How memories of the library let go of what nobody uses any more: they follow what is going on, and are not filled to their bounds by what was. */

import type { SteadyClock } from './ports/clock.js';

/** What is not used for so long, ms, is looked up again, which takes a moment. */
export const IDLE_MS = 3 * 60_000;
/** ms between two looks for what counts no more. */
const SWEEP_MS = 10_000;

/** For the library: the time of an entry is counted from its last use, and to the ms. */
export const FROM_LAST_USE = { updateAgeOnGet: true, ttlResolution: 0 } as const;

/** Removes what counts no more, now and then as a memory is added to: it would otherwise stay until others need its place. */
export class Sweeps {
  readonly #clock: Pick<SteadyClock, 'now' | 'isSteady'>;
  #at: number;

  constructor(clock: Pick<SteadyClock, 'now' | 'isSteady'>) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  over(entries: { purgeStale(): unknown }): void {
    const now = this.#clock.now();
    if (now - this.#at < SWEEP_MS) return;
    this.#at = now;
    entries.purgeStale();
  }
}
