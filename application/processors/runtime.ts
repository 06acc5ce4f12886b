import type { ProcessorRuntimeParts, ProcessorStatus } from './runtimeParts.js';
import { createWorker } from './worker.js';

export interface ProcessorRuntime {
  /** Opens the task collections, goes on with what is owed, and follows the log. */
  start(): Promise<void>;
  /** Aborts the signal, waits up to 5 s for what is in flight, writes the outcomes. Tasks without one are performed again. */
  stop(): Promise<void>;
  status(): readonly ProcessorStatus[];
}

/** Runs processors on this process: each on its own, so that one that fails or is slow holds up no other. */
export function createProcessorRuntime(parts: ProcessorRuntimeParts): ProcessorRuntime {
  const workers = parts.processors.map((processor) => createWorker(processor, parts));
  return {
    async start() {
      await Promise.all(workers.map((worker) => worker.start()));
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    status: () => workers.map((worker) => worker.status()),
  };
}
