import { SHARDS } from '../shards.js';
import { followRetries } from './retries.js';
import { shardedRuntime } from './sharded/shardedRuntime.js';
import { createWorker, type ProcessorRuntime, type ProcessorRuntimeParts, type Workers } from './worker.js';

export type { ProcessorRuntime } from './worker.js';

/** Runs processors on this process: each on its own, so that one that fails or is slow holds up no other. */
export function createProcessorRuntime(parts: ProcessorRuntimeParts): ProcessorRuntime {
  const { leases, shards = SHARDS } = parts;
  const workers = leases === undefined ? soleRuntime(parts) : shardedRuntime(parts, leases, shards);
  const retries = followRetries(parts, workers.lookAgain);
  return {
    async start() {
      retries.start();
      await workers.start();
    },
    async stop() {
      await retries.stop();
      await workers.stop();
    },
    status: workers.status,
  };
}

function soleRuntime(parts: ProcessorRuntimeParts): Workers {
  const { patient = (step) => step() } = parts;
  const workers = parts.processors.map((processor) => createWorker(processor, parts));
  return {
    async start() {
      await Promise.all(workers.map((worker) => patient(() => worker.start())));
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    lookAgain(processor, from) {
      for (const [i, { name }] of parts.processors.entries()) if (name === processor) workers[i]!.lookAgain(from);
    },
    status: () => workers.map((worker) => worker.status()),
  };
}
