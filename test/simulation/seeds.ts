/** Many seeds on several threads. */
import { Worker } from 'node:worker_threads';
import type { Kind } from './kinds.js';
import type { Part } from './parts/all.js';
import type { Outcome } from './run.js';
import type { FromSeeds, ToSeeds } from './seedsThread.js';

export interface Seeds {
  readonly seeds: readonly number[];
  readonly threads: number;
  /** See `RunOptions`. */
  readonly harsh?: boolean;
  /** Worlds of this part instead of the whole service. */
  readonly part?: Part | undefined;
  /** Kind of the worlds. Absent: each seed draws it. */
  readonly kind?: Kind | undefined;
  /** Receives each outcome, in order of completion. `false` ends the run. */
  ended(outcome: Outcome): boolean | undefined;
}

/** Resolves when all seeds have run. Rejects when a thread fails. */
export async function runSeeds({ seeds, threads, harsh = false, part, kind, ended }: Seeds): Promise<void> {
  const left = [...seeds];
  const one = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = (): void => {
        const seed = left.shift();
        if (seed === undefined) resolve();
        else worker.postMessage({ seed, harsh, part, kind } satisfies ToSeeds);
      };
      worker.on('error', reject);
      worker.on('message', (message: FromSeeds) => {
        if ('broken' in message) return reject(new Error(`seed ${message.seed} could not be run: ${message.broken}`));
        if (ended(message) === false) left.length = 0;
        give();
      });
      give();
    });
  const workers = Array.from(
    { length: Math.min(threads, seeds.length) },
    () => new Worker(new URL('./seedsThread.js', import.meta.url)),
  );
  try {
    await Promise.all(workers.map(one));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
