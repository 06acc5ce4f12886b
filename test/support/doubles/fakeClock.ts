import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { type Clock, SET_BACK_MS, type SteadyClock } from '../../../engine/ports/clock.js';

/** Clock that is both a wall clock and a steady clock. */
export type EitherClock = Clock & SteadyClock;

/** `onSetBack` of a clock that is never set back. */
export const neverSetBack = () => () => undefined;

/** Turns a clock that is never set into both kinds of clock. */
export function unset<C extends Pick<Clock, 'now' | 'at'>>(clock: C): C & EitherClock {
  const steady = clock as C & EitherClock;
  const either: C & EitherClock = Object.assign(clock, { isSteady: true as const, steady, onSetBack: neverSetBack });
  return either;
}

/** Fake wall clock that also serves as a steady clock. If a test sets the clock, `steady` does not jump. */
export interface FakeClock extends Clock, SteadyClock {
  /**
   * Moves time by `ms` and runs due timers in order of time, then of creation, each at its own time. Lets promises and
   * I/O callbacks run after each, so that timers they set within the span run too.
   */
  advance(ms: number): Promise<void>;
  /** Sets the clock forwards or backwards, as an operator does. No time passes, and timers that become due run. */
  set(ms: number): Promise<void>;
  /** Number of pending timers. */
  waiting(): number;
}

interface Timer {
  /** Time by the clock that the timer was set on. */
  readonly time: number;
  readonly isSteady: boolean;
  readonly run: () => void;
}

/** Turns of the event loop after each timer, enough for embedded engines and in-process chains of promises. */
const TURNS = 5;

export async function settle(turns = TURNS): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

/** Creates a clock that moves only when a test moves it. `start`: ms since 1970. */
export function fakeClock(start = Date.parse('2026-03-01T08:00:00Z')): FakeClock {
  let passed = start;
  /** Difference that the clock was set by, in ms. */
  let ahead = 0;
  let timers: Timer[] = [];
  const whenSetBack = new Set<() => void>();
  /** Returns the passed time at which the timer runs. */
  const due = ({ time, isSteady }: Timer): number => (isSteady ? time : time - ahead);
  const next = (until: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers)
      if (due(timer) <= until && (first === undefined || due(timer) < due(first))) first = timer;
    return first;
  };
  const at = (isSteady: boolean) => (time: number, run: () => void) => {
    const timer = { time, run, isSteady };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  const runUntil = async (until: number): Promise<void> => {
    await settle();
    for (let timer = next(until); timer !== undefined; timer = next(until)) {
      const first = timer;
      timers = timers.filter((other) => other !== first);
      passed = Math.max(passed, due(first));
      first.run();
      await settle();
    }
    passed = until;
    await settle();
  };
  return {
    isSteady: true,
    steady: { isSteady: true, now: () => passed, at: at(true) },
    now: () => passed + ahead,
    at: at(false),
    advance: (ms) => runUntil(passed + ms),
    onSetBack(run) {
      whenSetBack.add(run);
      return () => whenSetBack.delete(run);
    },
    set(ms) {
      ahead += ms;
      if (-ms > SET_BACK_MS) for (const run of whenSetBack) run();
      return runUntil(passed);
    },
    waiting: () => timers.length,
  };
}

/** Number of checks without a pause, before `until` pauses between them. */
const EAGER_LOOKS = 100;

/** Waits, in real time, until `condition` holds. Fails with `what` after `ms`, by default before the test does. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 80_000): Promise<void> {
  const end = performance.now() + ms;
  for (let polls = 1; !(await condition()); polls += 1) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await (polls < EAGER_LOOKS ? turn() : pause(1));
  }
}
