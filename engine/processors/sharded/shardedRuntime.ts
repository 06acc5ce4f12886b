/** Processors whose work several instances share by shards. */
import type { Holder, Lease } from '../../ownership/lease.js';
import type { Leases } from '../../ownership/leases.js';
import { Fenced } from '../../ports/documents.js';
import type { AnyProcessor } from '../processor.js';
import { shardingOf, shardName } from '../shards.js';
import { ownedShard } from '../tasks/workPlaces.js';
import type { ProcessorRuntimeParts, Workers } from '../worker.js';
import { partWork } from './parting.js';
import { createShardedWorker, type OwnedShard } from './shardedWorker.js';
import { together } from './together.js';

/** Shards that come within this time begin together, in ms. */
const TOGETHER_MS = 50;

export function shardedRuntime(parts: ProcessorRuntimeParts, leases: Pick<Leases, 'hold'>, count: number): Workers {
  const written = together(parts.work, parts.clock.steady);
  const workers = parts.processors.map((processor) => createShardedWorker(processor, parts, count, written));
  let isStopped = false;

  /** Claimed, and not yet given to the workers. */
  let arriving: OwnedShard[] = [];
  let cancelJoin: (() => void) | undefined;

  function join(): void {
    cancelJoin = undefined;
    const all = arriving;
    arriving = [];
    if (all.length > 0 && !isStopped) for (const worker of workers) worker.join(all);
  }

  /** One shard of every processor. */
  const holderOf = (shard: number): Holder => ({
    async acquired(lease) {
      if (isStopped) throw new Error('the processors are being stopped');
      try {
        await parts.work.claim({ name: ownedShard(shard), fence: lease.fence });
      } catch (error) {
        if (!(error instanceof Fenced)) throw error;
        lease.fenced();
        return;
      }
      arriving.push({ shard, lease });
      cancelJoin ??= parts.clock.steady.at(parts.clock.steady.now() + TOGETHER_MS, join);
    },
    async lost(how) {
      arriving = arriving.filter((one) => one.shard !== shard);
      await Promise.all(workers.map((worker) => worker.leave(shard, how)));
    },
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
        leases.hold(`processor:${processor.name}`, {
          acquired: (lease) => part(processor, lease),
          lost: () => undefined,
        });
      for (let shard = 0; shard < count; shard++) leases.hold(`shard:${shardName(shard)}`, holderOf(shard));
    },
    async stop() {
      isStopped = true;
      cancelJoin?.();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    lookAgain(processor, from) {
      for (const [i, { name }] of parts.processors.entries()) if (name === processor) workers[i]!.lookAgain(from);
    },
    status: () => workers.flatMap((worker) => worker.status() ?? []),
  };
}
