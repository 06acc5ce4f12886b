import { backOff } from '../backOff.js';
import type { SteadyClock } from '../ports/clock.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import type { Log } from '../ports/log.js';
import { removeBuild } from './builds.js';
import { assertRight } from './ownerRight.js';
import type { ReadModel } from './readModel.js';
import type { Turns } from './turns.js';

type Owned = Pick<ReadModel, 'projection' | 'lease'>;

/** Removes replaced builds after queries that began before have surely ended. */
export class Retirement {
  readonly #source: { readModels: DocumentStore; clock: SteadyClock; turns: Turns; log: Log };
  readonly #graceMs: number;
  readonly #waiting = new Map<string, () => void>();
  #stopped = false;

  readonly #removed: (physical: string) => Promise<void>;

  /** `removed`: removes a build. */
  constructor(
    source: { readModels: DocumentStore; clock: SteadyClock; turns: Turns; log: Log },
    graceMs: number,
    removed = (physical: string) => removeBuild(source.readModels, physical),
  ) {
    this.#source = source;
    this.#graceMs = graceMs;
    this.#removed = removed;
  }

  retire(model: Owned, physical: string): void {
    this.#removeIn(this.#graceMs, model, physical, 1);
  }

  #removeIn(ms: number, model: Owned, physical: string, attempt: number): void {
    const { clock } = this.#source;
    if (this.#stopped) return;
    this.#waiting.get(physical)?.();
    this.#waiting.set(
      physical,
      clock.at(clock.now() + ms, () => void this.#remove(model, physical, attempt)),
    );
  }

  /** Cancels pending removals. The next start finds these builds. */
  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  async #remove(model: Owned, physical: string, attempt: number): Promise<void> {
    const { projection, lease } = model;
    this.#waiting.delete(physical);
    const { readModels, turns, log } = this.#source;
    try {
      await turns.run(async () => {
        await assertRight(readModels, projection, lease);
        // A previous owner that switched late may have brought it back.
        if ((await readModels.resolve(projection.name)) !== physical) await this.#removed(physical);
      });
    } catch (error) {
      // The current owner removes it.
      if (error instanceof Fenced) return;
      log.warn({ err: error, collection: physical }, 'old projection build could not be removed, retrying');
      this.#removeIn(backOff(attempt), model, physical, attempt + 1);
    }
  }
}
