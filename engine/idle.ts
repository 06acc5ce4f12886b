/** Expiry of unused cache entries. Caches follow the current load and do not stay full of old entries. */

import type { SteadyClock } from './ports/clock.js';

/** Time after its last use at which an entry expires, in ms. Loading it again takes a moment. */
export const IDLE_MS = 3 * 60_000;
/** Minimum time between two sweeps, in ms. */
const SWEEP_MS = 10_000;

/** Options for lru-cache: the TTL restarts at each use, and expiry is exact to the ms. */
export const FROM_LAST_USE = { updateAgeOnGet: true, ttlResolution: 0 } as const;

/**
 * Removes expired entries now and then when a cache is written to. Otherwise they would stay until their room is
 * needed.
 */
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
