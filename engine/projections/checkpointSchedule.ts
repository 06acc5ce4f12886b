import type { SteadyClock } from '../ports/clock.js';
import type { Checkpoint, Fence } from '../ports/documents.js';
import { BEFORE_ALL, type LogPlace } from '../ports/eventStore.js';
import { isCheckpointPending, type ShardStates } from './shardStates.js';

/** Maximum delay of a checkpoint that moved over events without effect, in ms. */
const IDLE_SAVE_MS = 10_000;
/** The same of a build that is filling, which serves only when its checkpoints have reached the end of the log. */
const FILLING_SAVE_MS = 1000;
/** Maximum delay of a checkpoint that moved over folded events, in ms. Waiters get the progress from elsewhere. */
const SAVE_MS = 2000;

export interface ShardUse {
  /**
   * Returns true if the progress of a shard is published next to its documents (`shardProgress`), and not by each
   * checkpoint. Default: none is.
   */
  readonly isPublished?: (shard: number) => boolean;
  /** Returns true if no query reads the shards of the build yet. */
  readonly isFilling?: () => boolean;
}

/** Due times of the checkpoints of a build's shards. The one of a build that is not partitioned is always due. */
export class CheckpointSchedule {
  readonly #clock: Pick<SteadyClock, 'now' | 'isSteady'>;
  readonly #shards: ShardStates;
  readonly #use: ShardUse;
  /** Time at which all were written. New shards reset it, because waiters read their checkpoints. */
  #savedAt = Number.NEGATIVE_INFINITY;
  #placedAt: number;

  constructor(clock: Pick<SteadyClock, 'now' | 'isSteady'>, shards: ShardStates, use: ShardUse) {
    this.#clock = clock;
    this.#shards = shards;
    this.#use = use;
    this.#placedAt = clock.now();
  }

  /** True if waiters on other instances may wait for a checkpoint that is not written. */
  get isAwaited(): boolean {
    if (!this.#shards.isShared) return false;
    for (const [shard, one] of this.#shards) if (isCheckpointPending(one) && this.#isPlaced(shard)) return true;
    return !this.#shards.isWhole && this.#areAllDue;
  }

  /** Returns the checkpoints to write with the documents, with fences. `passed`: place that all shards have passed. */
  due(passed: LogPlace): (Checkpoint | Fence)[] {
    if (this.#shards.isWhole || this.#areAllDue) return this.#shards.checkpoints(passed);
    const due = [...this.#shards].filter(([, one]) => isCheckpointPending(one)).map(([shard]) => shard);
    return this.#shards.checkpoints(passed, due, (shard) => this.#isPlaced(shard));
  }

  wrote(checkpoints: readonly (Checkpoint | Fence)[], passed: LogPlace): void {
    const written = this.#shards.wrote(checkpoints);
    if (written === 0) return;
    this.#placedAt = this.#clock.now();
    if (written >= this.#shards.size && passed.position !== BEFORE_ALL) this.#savedAt = this.#placedAt;
  }

  /** Makes all checkpoints due, since shards have arrived. */
  shardsCame(): void {
    this.#savedAt = Number.NEGATIVE_INFINITY;
  }

  get #areAllDue(): boolean {
    const waitMs = this.#use.isFilling?.() === true ? FILLING_SAVE_MS : IDLE_SAVE_MS;
    return this.#clock.now() - this.#savedAt >= waitMs;
  }

  /** Returns true if the checkpoint of a shard with folded events is due, not only its fence. */
  #isPlaced(shard: number): boolean {
    return this.#clock.now() - this.#placedAt >= SAVE_MS || this.#use.isPublished?.(shard) !== true;
  }
}
