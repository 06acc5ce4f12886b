import { Heap } from '../../../harness/chance/heap.js';
import type { Trace } from './trace.js';

/** A process of the simulated world: what it would do next is dropped when it is dead, and waits while it is frozen. */
export interface Process {
  readonly name: string;
  alive: boolean;
  /** ms of the world's time. */
  frozenUntil: number;
  /** What its wall clock is ahead by, in ms. */
  ahead: number;
}

export const process = (name: string): Process => ({ name, alive: true, frozenUntil: 0, ahead: 0 });

interface Step {
  readonly at: number;
  readonly seq: number;
  readonly of: Process;
  readonly what: string;
  run: (() => void) | undefined;
}

/** The world's one queue. All that waits for anything stands in it, so that one order of steps is one run. */
export interface Agenda {
  /** ms since the world began. */
  readonly now: number;
  /** Whose step is running. */
  readonly current: Process;
  /** Steps that have run. */
  readonly steps: number;
  /** Runs in `ms` as a step of the process; the answer cancels it. */
  add(ms: number, of: Process, what: string, run: () => void): () => void;
  /** Runs as if it were the process's: what it sets off belongs to that. */
  as<T>(of: Process, run: () => T): T;
  /** Steps one after another until it is so. Rejects when there is nothing left to do, or after so many steps. */
  until(holds: () => boolean, mostSteps?: number): Promise<void>;
}

/** Whoever is not simulated: customers, engines, providers. */
export const OUTSIDE = process('outside');

const MOST_STEPS = 2_000_000;

/** `turn`: resolves when every promise that can go on has gone on. Taken before the world's clocks take the place of the real ones. */
export function agenda(trace: Trace, turn: () => Promise<void>): Agenda {
  const heap = new Heap<Step>();
  let now = 0;
  let seq = 0;
  let steps = 0;
  let current = OUTSIDE;

  const enter = (at: number, of: Process, what: string, run: () => void): Step => {
    const step = { at, seq: seq++, of, what, run };
    heap.push(step);
    return step;
  };

  /** False: nothing is left. */
  function next(): boolean {
    for (;;) {
      const step = heap.pop();
      if (step === undefined) return false;
      const { of, run, what } = step;
      if (run === undefined || !of.alive) continue;
      if (of.frozenUntil > step.at) {
        // It wakes with everything at once, in the order in which it came.
        enter(of.frozenUntil, of, what, () => {
          if (step.run !== undefined) run();
        });
        continue;
      }
      now = step.at;
      steps++;
      step.run = undefined;
      current = of;
      trace.note(`${now.toFixed(3)} ${of.name} ${what}`);
      run();
      return true;
    }
  }

  return {
    get now() {
      return now;
    },
    get current() {
      return current;
    },
    get steps() {
      return steps;
    },
    add(ms, of, what, run) {
      const step = enter(now + Math.max(0, ms), of, what, run);
      return () => {
        step.run = undefined;
      };
    },
    as(of, run) {
      const before = current;
      current = of;
      try {
        return run();
      } finally {
        current = before;
      }
    },
    async until(holds, mostSteps = MOST_STEPS) {
      const most = steps + mostSteps;
      await turn();
      while (!holds()) {
        if (steps >= most) throw new Error(`no end after ${mostSteps} steps`);
        if (!next()) throw new Error('nothing is left to happen');
        await turn();
        current = OUTSIDE;
      }
    },
  };
}
