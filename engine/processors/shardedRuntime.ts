/** Processors whose work several instances share by shards. */
import type { Holder, Lease } from '../ownership/lease.js';
import type { Leases } from '../ownership/leases.js';
import { Fenced } from '../ports/documents.js';
import { partWork } from './parting.js';
import type { AnyProcessor } from './processor.js';
import { createShardedWorker } from './shardedWorker.js';
import { shardingOf, shardName } from './shards.js';
import type { ProcessorRuntime, ProcessorRuntimeParts } from './worker.js';

/** Higher than that of releases that work on processors as a whole: those let go of what is being parted, or was. */
const RANK = 1;

export function shardedRuntime(
  parts: ProcessorRuntimeParts,
  leases: Pick<Leases, 'hold'>,
  count: number,
): ProcessorRuntime {
  const workers = parts.processors.map((processor) => createShardedWorker(processor, parts, count));
  let isStopped = false;

  /** One shard of every processor. */
  const holderOf = (shard: number): Holder => ({
    acquired(lease) {
      if (isStopped) throw new Error('the processors are being stopped');
      for (const worker of workers) worker.join(shard, lease);
    },
    lost: async (how) => void (await Promise.all(workers.map((worker) => worker.leave(shard, how)))),
  });

  async function part(processor: AnyProcessor, lease: Lease): Promise<void> {
    try {
      await partWork(processor, parts, lease, shardingOf(processor.spread, count));
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      lease.fenced();
    }
  }

  return {
    async start() {
      for (const processor of parts.processors)
        leases.hold(
          `processor:${processor.name}`,
          { acquired: (lease) => part(processor, lease), lost: () => undefined },
          RANK,
        );
      for (let shard = 0; shard < count; shard++) leases.hold(`shard:${shardName(shard)}`, holderOf(shard));
    },
    async stop() {
      isStopped = true;
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    status: () => workers.map((worker) => worker.status()),
  };
}
