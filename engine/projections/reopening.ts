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
  /** In a turn: continues a build whose collection is open now. */
  goOn(build: Build): void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** Maximum number of attempts after a refusal, such as a changed shape. They take about a minute. */
const MOST_TRIES = 10;

/**
 * Retries to open collections of builds: as long as the engine fails, and a limited number of times after a refusal. In
 * the meantime the build is stopped, and its status shows the reason.
 */
export class Reopening {
  readonly #parts: Parts;
  readonly #waiting = new Map<Build, () => void>();
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Retries those builds whose collection could not be opened. */
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
      'projection collection could not be opened, retrying',
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
        'projection collection could not be opened, projection stays stopped until the next start',
      );
      return;
    }
    await turns.run(() => {
      if (this.#gone(build)) return;
      build.reopen = undefined;
      build.reset();
      this.#parts.goOn(build);
    });
  }

  /** True if nothing more must be done for the build here. */
  #gone(build: Build): boolean {
    return this.#stopped || build.hasLeft;
  }
}
