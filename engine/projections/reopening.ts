import { messageOf } from '../messageOf.js';
import type { SteadyClock } from '../ports/clock.js';
import { Fenced, ReadModelError } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import type { Build } from './build.js';
import type { Turns } from './turns.js';

interface Parts {
  readonly clock: SteadyClock;
  readonly turns: Turns;
  readonly log: Log;
  /** In a turn: its collection is open now, and it may go on. */
  goOn(build: Build): void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** Tries after a refusal, such as a changed shape: a minute in all. */
const MOST_TRIES = 10;

/**
 * Builds whose collection could not be opened: tried again while the engine fails, for as long as that lasts, and a
 * bounded number of times after a refusal. Meanwhile the build is stopped, and its status says why.
 */
export class Reopening {
  readonly #parts: Parts;
  readonly #waiting = new Map<Build, () => void>();
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Those of them whose collection could not be opened. */
  watch(builds: readonly Build[]): void {
    for (const build of builds) if (build.reopen !== undefined) this.#later(build, 1);
  }

  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #later(build: Build, tries: number): void {
    const { clock, log } = this.#parts;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
    log.warn(
      { projection: build.name, reason: build.poison?.error, tries },
      "a projection's collection cannot be opened; trying again",
    );
    this.#waiting.set(
      build,
      clock.at(clock.now() + wait, () => {
        this.#waiting.delete(build);
        void this.#open(build, tries);
      }),
    );
  }

  async #open(build: Build, tries: number): Promise<void> {
    const { turns, log } = this.#parts;
    if (this.#gone(build)) return;
    try {
      await build.reopen!();
    } catch (error) {
      if (this.#gone(build)) return;
      if (error instanceof Fenced) return build.lease?.fenced();
      build.stop({ position: build.position, error: messageOf(error) });
      if (!(error instanceof ReadModelError) || tries < MOST_TRIES) return this.#later(build, tries + 1);
      log.error(
        { err: error, projection: build.name },
        'a projection stays stopped: its collection cannot be opened, and the next start tries again',
      );
      return;
    }
    await turns.run(() => {
      if (this.#gone(build)) return;
      build.reopen = undefined;
      build.goOn();
      this.#parts.goOn(build);
    });
  }

  /** Nothing of it is to be done here any more. */
  #gone(build: Build): boolean {
    return this.#stopped || build.hasLeft;
  }
}
