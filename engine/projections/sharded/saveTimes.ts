import type { SteadyClock } from '../../ports/clock.js';

/** A checkpoint that moved over events which led to nothing: how long it may stay unwritten, in ms. */
const IDLE_SAVE_MS = 10_000;
/** The same over events which were taken in, where whoever waits is told otherwise. */
const SAVE_MS = 2000;

/** When the checkpoints of a part's shards are due. */
export class SaveTimes {
  readonly #clock: Pick<SteadyClock, 'now' | 'isSteady'>;
  /** When all were written; those of shards that have come are written soon, since who waits looks for them. */
  #savedAt = Number.NEGATIVE_INFINITY;
  #placedAt: number;

  constructor(clock: Pick<SteadyClock, 'now' | 'isSteady'>) {
    this.#clock = clock;
    this.#placedAt = clock.now();
  }

  /** Those of all shards. */
  get allDue(): boolean {
    return this.#clock.now() - this.#savedAt >= IDLE_SAVE_MS;
  }

  /** Those of shards that have taken events in. */
  get placesDue(): boolean {
    return this.#clock.now() - this.#placedAt >= SAVE_MS;
  }

  wrote(which: 'all' | 'some'): void {
    const now = this.#clock.now();
    if (which === 'all') this.#savedAt = now;
    this.#placedAt = now;
  }

  /** Shards have come: all are written soon. */
  shardsCame(): void {
    this.#savedAt = Number.NEGATIVE_INFINITY;
  }
}
