/** Entry point of a thread that runs seeds. Each thread replaces its own timers, clocks and randomness. */
import { parentPort } from 'node:worker_threads';
import { type Outcome, run } from './run.js';

export interface ToSeeds {
  readonly seed: number;
  readonly harsh: boolean;
}

export type FromSeeds = Outcome | { readonly seed: number; readonly broken: string };

const port = parentPort!;

port.on('message', ({ seed, harsh }: ToSeeds) => {
  run(seed, { harsh }).then(
    (outcome) => port.postMessage(outcome satisfies FromSeeds),
    (error: Error) => port.postMessage({ seed, broken: error.stack ?? error.message } satisfies FromSeeds),
  );
});
