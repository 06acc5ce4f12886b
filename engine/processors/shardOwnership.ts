import type { Holder, Lease } from '../ownership/lease.js';
import type { Leases } from '../ownership/leases.js';
import { Fenced } from '../ports/documents.js';
import type { ProcessorRuntimeParts } from './contract.js';
import { partitionWork } from './partitioning.js';
import { shardName } from './shards.js';
import { ownedShard } from './tasks/workPlaces.js';
import type { OwnedShard, ProcessorWorker } from './worker.js';

/** Time to gather acquired shards before they begin together, in ms. */
const JOIN_MS = 50;

/** Passes the shards that this instance owns, by one lease each, to the workers of all processors. */
export class ShardOwnership {
  readonly #parts: ProcessorRuntimeParts;
  readonly #workers: readonly ProcessorWorker[];
  readonly #leases: Pick<Leases, 'hold'>;
  readonly #count: number;
  #isStopped = false;
  /** Shards that are claimed and not yet passed to the workers. */
  #arriving: OwnedShard[] = [];
  #cancelJoin: (() => void) | undefined;

  constructor(
    parts: ProcessorRuntimeParts,
    workers: readonly ProcessorWorker[],
    leases: Pick<Leases, 'hold'>,
    count: number,
  ) {
    this.#parts = parts;
    this.#workers = workers;
    this.#leases = leases;
    this.#count = count;
  }

  start(): void {
    for (const worker of this.#workers)
      this.#leases.hold(`processor:${worker.name}`, {
        acquired: (lease) => this.#partition(worker, lease),
        lost: () => undefined,
      });
    for (let shard = 0; shard < this.#count; shard++)
      this.#leases.hold(`shard:${shardName(shard)}`, this.#holderOf(shard));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelJoin?.();
  }

  /** Returns the holder of one shard, for all processors. */
  #holderOf(shard: number): Holder {
    return {
      acquired: async (lease) => {
        if (this.#isStopped) throw new Error('the processors are being stopped');
        try {
          await this.#parts.work.claim({ name: ownedShard(shard), fence: lease.fence });
        } catch (error) {
          if (!(error instanceof Fenced)) throw error;
          lease.fenced();
          return;
        }
        this.#arriving.push({ shard, lease });
        const { steady } = this.#parts.clock;
        this.#cancelJoin ??= steady.at(steady.now() + JOIN_MS, () => this.#join());
      },
      lost: async (how) => {
        this.#arriving = this.#arriving.filter((one) => one.shard !== shard);
        await Promise.all(this.#workers.map((worker) => worker.leave(shard, how)));
      },
    };
  }

  #join(): void {
    this.#cancelJoin = undefined;
    const shards = this.#arriving;
    this.#arriving = [];
    if (shards.length > 0 && !this.#isStopped) for (const worker of this.#workers) worker.join(shards);
  }

  async #partition({ processor, sharding }: ProcessorWorker, lease: Lease): Promise<void> {
    try {
      await partitionWork(processor, this.#parts, lease, sharding);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      lease.fenced();
    }
  }
}
