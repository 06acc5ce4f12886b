import type { SteadyClock } from '../../ports/clock.js';

/** Check that runs periodically, or sooner on request. Only one piece of work runs at a time. */
export class PeriodicCheck {
  readonly #clock: SteadyClock;
  readonly #everyMs: number;
  readonly #check: () => Promise<void>;
  #working: Promise<void> = Promise.resolve();
  #dueAt = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;
  #stopped = false;

  /** `check` never rejects. */
  constructor(clock: SteadyClock, everyMs: number, check: () => Promise<void>) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#check = check;
  }

  /** Runs the check within `ms`. */
  within(ms: number): void {
    const at = this.#clock.now() + ms;
    if (this.#stopped || at >= this.#dueAt) return;
    this.#cancel();
    this.#dueAt = at;
    this.#cancel = this.#clock.at(at, () => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      void this.now().then(() => this.within(this.#everyMs));
    });
  }

  now(): Promise<void> {
    return this.run(async () => {
      if (!this.#stopped) await this.#check();
    });
  }

  /** Runs work between two checks. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#working.then(work);
    this.#working = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  /** Resolves when the work in progress has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#working;
  }
}
