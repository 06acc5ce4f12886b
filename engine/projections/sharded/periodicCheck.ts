import type { SteadyClock } from '../../ports/clock.js';

/** Something that is looked at now and then, sooner when asked; one piece of work after the other. */
export class PeriodicCheck {
  readonly #clock: SteadyClock;
  readonly #everyMs: number;
  readonly #look: () => Promise<void>;
  #working: Promise<void> = Promise.resolve();
  #dueAt = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => undefined;
  #stopped = false;

  /** `look` never rejects. */
  constructor(clock: SteadyClock, everyMs: number, look: () => Promise<void>) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#look = look;
  }

  /** Looks within `ms`. */
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
      if (!this.#stopped) await this.#look();
    });
  }

  /** Work between two looks. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#working.then(work);
    this.#working = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  /** Resolves when the work that is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#working;
  }
}
