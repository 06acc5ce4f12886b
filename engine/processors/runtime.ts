import { SHARDS } from '../shards.js';
import { type CombinedWrites, combinedWrites } from './combinedWrites.js';
import type { ProcessorRuntime, ProcessorRuntimeParts } from './contract.js';
import type { ProcessorStatus } from './processor.js';
import { followRetries } from './retries.js';
import { ShardOwnership } from './shardOwnership.js';
import { ProcessorWorker } from './worker.js';

export type { ProcessorRuntime, ProcessorRuntimeParts } from './contract.js';

/** Runs processors in this process, each independently, so that a failing or slow one delays no other. */
class Processors implements ProcessorRuntime {
  readonly #parts: ProcessorRuntimeParts;
  readonly #workers: readonly ProcessorWorker[];
  readonly #retries: ReturnType<typeof followRetries>;
  /** Absent if this instance does all the work. */
  readonly #ownership: ShardOwnership | undefined;

  constructor(parts: ProcessorRuntimeParts) {
    const { leases, shards = SHARDS, processors } = parts;
    this.#parts = parts;
    const count = leases === undefined ? undefined : shards;
    const writes: CombinedWrites = leases === undefined ? parts.work : combinedWrites(parts.work, parts.clock.steady);
    this.#workers = processors.map((processor) => new ProcessorWorker(processor, parts, writes, count));
    this.#ownership = leases && new ShardOwnership(parts, this.#workers, leases, shards);
    this.#retries = followRetries(parts, (processor, from) => {
      for (const worker of this.#workers) if (worker.name === processor) worker.rescan(from);
    });
  }

  async start(): Promise<void> {
    const { patient = (step) => step() } = this.#parts;
    this.#retries.start();
    if (this.#ownership !== undefined) this.#ownership.start();
    else await Promise.all(this.#workers.map((worker) => patient(() => worker.start())));
  }

  async stop(): Promise<void> {
    await this.#retries.stop();
    this.#ownership?.stop();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  status(): readonly ProcessorStatus[] {
    return this.#workers.flatMap((worker) => worker.status() ?? []);
  }
}

/** Creates the runtime of processors in this process. Without leases it does all their work, as one shard each. */
export const createProcessorRuntime = (parts: ProcessorRuntimeParts): ProcessorRuntime => new Processors(parts);
