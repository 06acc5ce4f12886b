import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../engine/ports/clock.js';

export interface FakeClock extends Clock {
  /**
   * Moves time by `ms`, running what falls due in order of time (then of setting), each with the clock at its own time.
   * Lets promises and I/O callbacks go on after each, so that what they set within the span runs too.
   */
  advance(ms: number): Promise<void>;
  /** Timers that have not run. */
  waiting(): number;
}

interface Timer {
  readonly time: number;
  readonly run: () => void;
}

/** Turns of the event loop after each timer: enough for embedded engines and in-process chains of promises. */
const TURNS = 5;

export async function settle(turns = TURNS): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

/** A clock that stands still until a test moves it. `start`: ms since 1970. */
export function fakeClock(start = Date.parse('2026-03-01T08:00:00Z')): FakeClock {
  let now = start;
  let timers: Timer[] = [];
  const next = (until: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers)
      if (timer.time <= until && (first === undefined || timer.time < first.time)) first = timer;
    return first;
  };
  return {
    now: () => now,
    at(time, run) {
      const timer = { time, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        const due = timer;
        timers = timers.filter((other) => other !== due);
        now = Math.max(now, due.time);
        due.run();
        await settle();
      }
      now = until;
      await settle();
    },
    waiting: () => timers.length,
  };
}

/** Looks without a pause, before the waiting leaves the processor to whatever is waited for. */
const EAGER_LOOKS = 100;

/** Waits, in real time, until `condition` holds; fails with `what` after `ms`, by default just before the test would. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 80_000): Promise<void> {
  const end = performance.now() + ms;
  for (let looks = 1; !(await condition()); looks += 1) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await (looks < EAGER_LOOKS ? turn() : pause(1));
  }
}
