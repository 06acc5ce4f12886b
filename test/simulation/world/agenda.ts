import { Heap } from '../../../harness/chance/heap.js';
import type { Trace } from './trace.js';

/** Process of the simulated world. Its next steps are dropped when it dies, and wait while it is frozen. */
export interface Process {
  readonly name: string;
  alive: boolean;
  /** End of the freeze in simulated ms. */
  frozenUntil: number;
  /** Amount by which the wall clock is ahead, in ms. */
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

/** The only queue of the world. Everything that waits is in it, so one order of steps is one run. */
export interface Agenda {
  /** ms since the world began. */
  readonly now: number;
  /** Process whose step is running. */
  readonly current: Process;
  /** Steps that have run. */
  readonly steps: number;
  /** Schedules a step of the process in `ms`. Returns a function that cancels it. */
  add(ms: number, of: Process, what: string, run: () => void): () => void;
  /** Runs on behalf of the process: steps it schedules belong to that process. */
  as<T>(of: Process, run: () => T): T;
  /** Runs steps until the condition holds. Rejects when no step is left, or after `mostSteps`. */
  until(holds: () => boolean, mostSteps?: number): Promise<void>;
}

/** Owner of everything that is not simulated: customers, engines, providers. */
export const OUTSIDE = process('outside');

const MOST_STEPS = 2_000_000;

/** `turn` resolves when no promise can make progress. Create it before the platform's clocks are replaced. */
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

  /** Runs the next step. Returns false if none is left. */
  function next(): boolean {
    for (;;) {
      const step = heap.pop();
      if (step === undefined) return false;
      const { of, run, what } = step;
      if (run === undefined || !of.alive) continue;
      if (of.frozenUntil > step.at) {
        // On waking, the process runs all steps it missed, in their order.
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
