import type { SteadyClock } from '../../ports/clock.js';

/** Maximum delay of a checkpoint that moved over events without effect, in ms. */
const IDLE_SAVE_MS = 10_000;
/** The same of a build that is filling, which serves only when its checkpoints have reached the end of the log. */
const FILLING_SAVE_MS = 1000;
/** Maximum delay of a checkpoint that moved over folded events, in ms. Waiters get the progress from elsewhere. */
const SAVE_MS = 2000;

/** Due times of the checkpoints of a part's shards. */
export class SaveTimes {
  readonly #clock: Pick<SteadyClock, 'now' | 'isSteady'>;
  /** Time at which all were written. New shards reset it, because waiters read their checkpoints. */
  #savedAt = Number.NEGATIVE_INFINITY;
  #placedAt: number;

  constructor(clock: Pick<SteadyClock, 'now' | 'isSteady'>) {
    this.#clock = clock;
    this.#placedAt = clock.now();
  }

  /** True if the checkpoints of all shards are due. */
  allDue(isFilling: boolean): boolean {
    return this.#clock.now() - this.#savedAt >= (isFilling ? FILLING_SAVE_MS : IDLE_SAVE_MS);
  }

  /** True if the checkpoints of shards with folded events are due. */
  get placesDue(): boolean {
    return this.#clock.now() - this.#placedAt >= SAVE_MS;
  }

  wrote(which: 'all' | 'some'): void {
    const now = this.#clock.now();
    if (which === 'all') this.#savedAt = now;
    this.#placedAt = now;
  }

  /** Makes all checkpoints due, since shards have arrived. */
  shardsCame(): void {
    this.#savedAt = Number.NEGATIVE_INFINITY;
  }
}
