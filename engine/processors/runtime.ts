import type { Lease } from '../ownership/lease.js';
import { Fenced } from '../ports/documents.js';
import type { AnyProcessor } from './processor.js';
import { followRetries } from './retries.js';
import { shardedRuntime } from './sharded/shardedRuntime.js';
import {
  createWorker,
  type ProcessorRuntime,
  type ProcessorRuntimeParts,
  type Worker,
  type Workers,
} from './worker.js';

export type { ProcessorRuntime } from './worker.js';

/** Runs processors on this process: each on its own, so that one that fails or is slow holds up no other. */
export function createProcessorRuntime(parts: ProcessorRuntimeParts): ProcessorRuntime {
  const workers = workersOf(parts);
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

function workersOf(parts: ProcessorRuntimeParts): Workers {
  const { leases, shards } = parts;
  if (leases === undefined) return soleRuntime(parts);
  return shards === undefined ? sharedRuntime(parts, leases) : shardedRuntime(parts, leases, shards);
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

/** A worker for each processor while it is owned; each time a new one, so that nothing is left over of the time before. */
function sharedRuntime(parts: ProcessorRuntimeParts, leases: NonNullable<ProcessorRuntimeParts['leases']>): Workers {
  const workers = new Map<string, Worker>();
  let stopped = false;

  async function begin(processor: AnyProcessor, lease: Lease): Promise<void> {
    if (stopped) throw new Error('the processors are being stopped');
    const worker = createWorker(processor, parts, lease);
    try {
      await worker.start();
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      lease.fenced();
      return;
    }
    workers.set(processor.name, worker);
  }

  async function end({ name }: AnyProcessor, how: 'handover' | 'lost'): Promise<void> {
    const worker = workers.get(name);
    workers.delete(name);
    await (how === 'handover' ? worker?.stop() : worker?.abandon());
  }

  return {
    async start() {
      for (const processor of parts.processors)
        leases.hold(`processor:${processor.name}`, {
          acquired: (lease) => begin(processor, lease),
          lost: (how) => end(processor, how),
        });
    },
    async stop() {
      stopped = true;
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
      workers.clear();
    },
    lookAgain: (processor, from) => workers.get(processor)?.lookAgain(from),
    status: () => [...workers.values()].map((worker) => worker.status()),
  };
}
