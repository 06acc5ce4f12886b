import type { SteadyClock } from '../ports/clock.js';
import type { EventStore } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { Build } from './build.js';
import { type Running, skippedNow } from './opening.js';
import type { Turns } from './turns.js';

interface Parts {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: SteadyClock;
  readonly turns: Turns;
  readonly log: Log;
  readonly running: ReadonlyMap<string, Running>;
  /** Returns true if nobody feeds a stopped build. */
  isStopped(build: Build): boolean;
  /** In a turn: continues builds that were stopped at events which are skipped now. */
  goOn(builds: readonly Build[]): void;
}

const LOOK_MS = 1000;

/**
 * While builds are stopped at events, checks every second if an operator, on any instance, has skipped these events.
 */
export class SkipWatch {
  readonly #parts: Parts;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Call it when a build has stopped. */
  checkSoon(): void {
    if (this.#stopped || this.#cancel !== undefined) return;
    const { clock, log } = this.#parts;
    this.#cancel = clock.at(clock.now() + LOOK_MS, () => {
      this.#cancel = undefined;
      void this.#check()
        .catch((error) => log.warn({ err: error }, 'skipped events could not be read, retrying'))
        .then(() => this.#stoppedBuilds().length > 0 && this.checkSoon());
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #stoppedBuilds(): Running[] {
    return [...this.#parts.running.values()].filter((one) => this.#buildsOf(one).length > 0);
  }

  async #check(): Promise<void> {
    const { eventStore, turns } = this.#parts;
    for (const one of this.#stoppedBuilds()) {
      const skipped = await skippedNow(eventStore, one.projection);
      await turns.run(() => this.#takeIn(one, skipped));
    }
  }

  #takeIn(one: Running, skipped: ReadonlySet<string>): void {
    // The projection may have been handed over in the meantime.
    if (this.#stopped || this.#parts.running.get(one.projection.name) !== one) return;
    for (const id of skipped) one.skipped.add(id);
    const able = this.#buildsOf(one).filter(({ poison }) => skipped.has(poison!.eventId!));
    for (const build of able) build.reset();
    if (able.length > 0) this.#parts.goOn(able);
  }

  #buildsOf({ current, next }: Running): Build[] {
    return [current, next]
      .filter((build) => build !== undefined)
      .filter((build) => build.poison?.eventId !== undefined && this.#parts.isStopped(build));
  }
}
