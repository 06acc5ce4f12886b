/**
 * Worlds of one part of the engine instead of the whole service: pending tasks, or builds of read models. They reach
 * rare moments of this part within few seeds, because nothing else happens (docs/internals/simulation.md, 'Worlds of one part').
 */

import { type Agenda, agenda as newAgenda, process as newProcess, OUTSIDE, type Process } from '../world/agenda.js';
import { type Chance, chance } from '../world/chance.js';
import { takeOver } from '../world/clocks.js';
import { type Connected, connect, type Data, data as newData } from '../world/engines.js';
import { type Rates, type Storm, storm } from '../world/storm.js';
import type { Trace } from '../world/trace.js';
import { trace } from '../world/trace.js';

/** Component of a process on its own connections. */
export interface Component {
  stop(): Promise<void>;
}

/** Processes that run one component each. */
export interface Processes<C extends Component> {
  /** Running components, by the name of their instance. */
  readonly running: ReadonlyMap<string, C>;
  start(name: string): void;
  kill(name: string): void;
  /** Stops as an operator does. Resolves when the process has ended. */
  stop(name: string): void;
  freeze(name: string, ms: number): void;
  /** Runs on behalf of the process, if it is running. */
  within(name: string, what: string, run: (component: C) => Promise<void>): void;
}

export interface PartWorld {
  readonly agenda: Agenda;
  readonly random: Chance;
  readonly data: Data;
  readonly storm: Storm;
  /** Collects what is wrong. */
  readonly wrong: string[];
  /** Schedules a step outside all processes, in `ms`. */
  later(ms: number, what: string, run: () => void): void;
  processes<C extends Component>(begin: (engines: Connected, name: string, life: Process) => Promise<C>): Processes<C>;
}

export interface PartOutcome {
  readonly hash: string;
  readonly violations: readonly string[];
  readonly steps: number;
  /** Duration in simulated ms. */
  readonly took: number;
}

const CALM: Rates = {
  ...{ refused: 0, lost: 0, unanswered: 0, late: 0, partly: 0, failed: 0 },
  ...{ slow: 0, slowMs: 0, quickMs: 4 },
};
const AGAIN_MS = 1_000;
const TICK_MS = 500;
const real = { setImmediate };

/** Processes on the world's engines. One that cannot start is started again. */
function processesOf<C extends Component>(
  { agenda, data, storm: weather, later }: Pick<PartWorld, 'agenda' | 'data' | 'storm' | 'later'>,
  begin: (engines: Connected, name: string, life: Process) => Promise<C>,
): Processes<C> {
  const lives = new Map<string, Process>();
  const running = new Map<string, C>();
  let count = 0;
  function kill(name: string): void {
    const life = lives.get(name);
    if (life !== undefined) life.alive = false;
    lives.delete(name);
    running.delete(name);
  }
  function start(name: string): void {
    kill(name);
    count += 1;
    const life = newProcess(`${name}.${count}`);
    lives.set(name, life);
    const isCurrent = (): boolean => lives.get(name) === life;
    const up = (component: C): void => {
      if (isCurrent()) running.set(name, component);
    };
    const failed = (): void => {
      if (!isCurrent()) return;
      kill(name);
      later(AGAIN_MS, `start ${name} again`, () => {
        if (!lives.has(name)) start(name);
      });
    };
    agenda.add(0, life, 'start', () => void begin(connect(agenda, weather, data, life), name, life).then(up, failed));
  }
  return {
    running,
    start,
    kill,
    stop(name) {
      const [life, component] = [lives.get(name), running.get(name)];
      if (life === undefined || component === undefined) return;
      running.delete(name);
      const ended = (): void => {
        if (lives.get(name) === life) kill(name);
      };
      agenda.add(0, life, 'stop', () => void component.stop().then(ended, ended));
    },
    freeze(name, ms) {
      const life = lives.get(name);
      if (life !== undefined) life.frozenUntil = agenda.now + ms;
    },
    within(name, what, run) {
      const [life, component] = [lives.get(name), running.get(name)];
      if (life === undefined || component === undefined) return;
      agenda.add(0, life, what, () => void run(component).catch(() => undefined));
    },
  };
}

/** Runs a part's world from one seed: `live` resolves when nothing is left to do. */
export async function runPart(
  name: string,
  seed: number,
  rates: (random: Chance) => Partial<Rates>,
  live: (world: PartWorld) => Promise<void>,
  print?: (line: string) => void,
): Promise<PartOutcome> {
  const random = chance(`${name} ${seed}`);
  const traced: Trace = trace(print);
  const agenda = newAgenda(traced, () => new Promise((resolve) => void real.setImmediate(resolve)));
  const wrong: string[] = [];
  const unhandled = (error: unknown): void => void wrong.push(`nobody handled: ${(error as Error)?.stack ?? error}`);
  process.on('unhandledRejection', unhandled);
  const giveBack = takeOver(agenda, random.fork('platform'));
  try {
    const data = newData(true);
    const weather = storm(agenda, random.fork('weather'), { ...CALM, ...rates(random.fork('rates')) });
    const later = (ms: number, what: string, run: () => void): void => void agenda.add(ms, OUTSIDE, what, run);
    // Time passes, also while nothing happens.
    const tick = (): void => later(TICK_MS, 'tick', tick);
    tick();
    const base = { agenda, data, storm: weather, later };
    await live({ ...base, random, wrong, processes: (begin) => processesOf(base, begin) });
    return { hash: traced.hash(), violations: wrong, steps: agenda.steps, took: agenda.now };
  } finally {
    giveBack();
    process.off('unhandledRejection', unhandled);
  }
}
