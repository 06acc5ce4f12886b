/** Entry point of a thread that runs seeds. Each thread replaces its own timers, clocks and randomness. */
import { parentPort } from 'node:worker_threads';
import type { Kind } from './kinds.js';
import { type Part, runPartOf } from './parts/all.js';
import { type Outcome, run } from './run.js';

export interface ToSeeds {
  readonly seed: number;
  readonly harsh: boolean;
  /** Runs the world of this part instead of the whole service. */
  readonly part?: Part | undefined;
  /** Kind of the worlds. Absent: each seed draws it. */
  readonly kind?: Kind | undefined;
}

export type FromSeeds = Outcome | { readonly seed: number; readonly broken: string };

const port = parentPort!;

port.on('message', ({ seed, harsh, part, kind }: ToSeeds) => {
  (part === undefined ? run(seed, { harsh, kind }) : runPartOf(part, seed)).then(
    (outcome) => port.postMessage(outcome satisfies FromSeeds),
    (error: Error) => port.postMessage({ seed, broken: error.stack ?? error.message } satisfies FromSeeds),
  );
});
