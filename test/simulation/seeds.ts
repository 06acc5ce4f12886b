/** Many seeds on several threads. */
import { Worker } from 'node:worker_threads';
import type { Outcome } from './run.js';
import type { FromSeeds, ToSeeds } from './seedsThread.js';

export interface Seeds {
  readonly from: number;
  readonly count: number;
  readonly threads: number;
  /** See `RunOptions`. */
  readonly harsh?: boolean;
  /** Receives each outcome, in order of completion. `false` ends the run. */
  ended(outcome: Outcome): boolean | undefined;
}

/** Resolves when all seeds have run. Rejects when a thread fails. */
export async function runSeeds({ from, count, threads, harsh = false, ended }: Seeds): Promise<void> {
  let next = from;
  const end = from + count;
  const one = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        if (next >= end) resolve();
        else worker.postMessage({ seed: next++, harsh } satisfies ToSeeds);
      };
      worker.on('error', reject);
      worker.on('message', (message: FromSeeds) => {
        if ('broken' in message) return reject(new Error(`seed ${message.seed} could not be run: ${message.broken}`));
        if (ended(message) === false) next = end;
        give();
      });
      give();
    });
  const workers = Array.from(
    { length: Math.min(threads, count) },
    () => new Worker(new URL('./seedsThread.js', import.meta.url)),
  );
  try {
    await Promise.all(workers.map(one));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
