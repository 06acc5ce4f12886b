import { Worker } from 'node:worker_threads';
import { nameThread } from '../threads.js';

export interface Checkpointer {
  /** Resolves when its connections are closed; bounded. */
  stop(): Promise<void>;
}

/** What the thread says when a log could not be moved. */
export interface Trouble {
  readonly trouble: string;
}

const PATIENCE_MS = 5000;

/**
 * Moves what was committed from the write-ahead logs of these files into the files, in a thread of its own: moving
 * takes flushes that a committing thread would otherwise wait for. Without it, or when it fails, the committing threads do
 * it themselves, only later and with a pause. The files must exist. `failed`: told of each failure; what passes, such as a full
 * disk, is tried again every two seconds.
 */
export function startCheckpointer(files: readonly string[], failed: (error: Error) => void): Checkpointer {
  const worker = new Worker(new URL('./checkpointerThread.js', import.meta.url), {
    workerData: { files },
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  nameThread(worker, 'checkpointer');
  worker.on('error', failed);
  worker.on('message', ({ trouble }: Trouble) => failed(new Error(trouble)));
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    async stop() {
      worker.postMessage('stop');
      const late = setTimeout(() => void worker.terminate(), PATIENCE_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
