/** How a process ends: when, and in which order what it has started is stopped. */
import type { Log } from '../engine/ports/log.js';

/** Longest wait for one part, in ms: each bounds its own end well below. */
const PART_MS = 20_000;

interface Part {
  readonly name: string;
  readonly guards: boolean;
  readonly stop: () => Promise<unknown> | unknown;
}

/** Steps of a shutdown, in reverse order of the starts. Each step runs once, even if an earlier one has failed or hangs. */
export class Undo {
  readonly #partMs: number;
  #parts: Part[] = [];

  constructor(partMs = PART_MS) {
    this.#partMs = partMs;
  }

  /** `name`: of the part, in the log when it does not stop. */
  add(name: string, stop: Part['stop']): void {
    this.#parts.push({ name, stop, guards: false });
  }

  /**
   * Adds a lock that keeps other processes away: it is not released while one of the later parts still runs. The process's end releases it.
   */
  guard(name: string, stop: Part['stop']): void {
    this.#parts.push({ name, stop, guards: true });
  }

  async run(log: Log): Promise<void> {
    const parts = this.#parts.reverse();
    this.#parts = [];
    let goesOn = false;
    for (const { name, stop, guards } of parts) {
      if (guards && goesOn) continue;
      try {
        if (await isOverWithin(this.#partMs, stop)) continue;
        goesOn = true;
        log.error({ part: name }, 'shutdown step timed out');
      } catch (error) {
        log.error({ part: name, err: error }, 'shutdown step failed');
      }
    }
  }
}

async function isOverWithin(ms: number, stop: Part['stop']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const over = Promise.resolve(stop()).then(() => true);
  return Promise.race([over, late]).finally(() => clearTimeout(timer));
}

/** How long a process may live on when all its parts were stopped, in ms. */
const LEFT_MS = 2_000;

/** Ends the process with `code` although something that it has opened is still there; at once and without a word where that is known. */
export function exitWithOpenResources(code: number, log: Log, isKnown = false): void {
  const end = (): void => {
    if (!isKnown) log.error({ open: process.getActiveResourcesInfo() }, 'exiting with open resources');
    process.exit(code);
  };
  // Not waited for: where nothing is left the process ends at once.
  setTimeout(end, isKnown ? 0 : LEFT_MS).unref();
}

/** A signal so soon after the first is the same one again, in ms: npm passes Ctrl-C on, which the terminal has sent to all. */
const SAME_MS = 500;
const IMPATIENT = 130;

/** Signals of the process that stop it. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', notify: () => void): unknown;
  exit(code: number): unknown;
}

/** Resolves with SIGTERM or SIGINT. A second signal ends the process at once. `now`: ms of a steady clock. */
export function untilSignal(signals: Signals = process, now = (): number => performance.now()): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (): void => {
      first ??= now();
      if (now() - first > SAME_MS) signals.exit(IMPATIENT);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) signals.on(signal, onSignal);
  });
}
