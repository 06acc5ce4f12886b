/**
 * Compares read models with the log while the service runs: each new build before it serves, and every serving build
 * once an hour.
 */
import type { SteadyClock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { type Findings, type SpotCheckParts, type Subject, spotCheck } from './spotCheck.js';

interface Parts extends SpotCheckParts {
  readonly clock: SteadyClock;
  readonly log: Log;
  /** Builds that serve and run here. */
  serving(): readonly Subject[];
}

const HOUR_MS = 3_600_000;
/** Time to the first comparison after a start, and to the next one where a document differs or a store failed. */
const SOON_MS = 60_000;
/** Budget of the hourly comparison of all read models. */
const HOURLY_BUDGET_MS = 500;
/** Share of a build's time that its comparison before serving may take, up to a limit. */
const SHARE = 0.01;
const MOST_BUDGET_MS = 5000;
/** Budget that is enough for some hundred documents. A build that has less is compared again soon after it serves. */
const FULL_BUDGET_MS = 250;

export class SpotChecks {
  readonly #parts: Parts;
  /** Documents that differ, by build: document id to stream id. */
  readonly #differing = new Map<string, ReadonlyMap<string, string>>();
  readonly #compared = new Set<string>();
  #turn = 0;
  #nextAt = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#within(SOON_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#running;
  }

  /** Returns the number of documents of a build that differ. */
  differing(physical: string | undefined): number {
    return physical === undefined ? 0 : (this.#differing.get(physical)?.size ?? 0);
  }

  /**
   * Compares new builds, each once. Returns false if there was none. `begunAt`: begin of the builds, by the clock.
   * Never rejects.
   */
  async beforeServing(subjects: readonly Subject[], startedAt: number): Promise<boolean> {
    const fresh = subjects.filter(({ physical }) => !this.#compared.has(physical));
    if (fresh.length === 0 || this.#stopped) return false;
    for (const { physical } of fresh) this.#compared.add(physical);
    const share = (this.#parts.clock.now() - startedAt) * SHARE;
    const isDone = await this.#compare(fresh, Math.min(MOST_BUDGET_MS, share));
    if (!isDone || share < FULL_BUDGET_MS) this.#soon();
    return true;
  }

  /** Schedules a comparison soon. An earlier due time stays, so that builds in quick succession do not postpone it. */
  #soon(): void {
    if (this.#nextAt > this.#parts.clock.now() + SOON_MS) this.#within(SOON_MS);
  }

  #within(ms: number): void {
    const { clock } = this.#parts;
    if (this.#stopped) return;
    this.#cancel?.();
    this.#nextAt = clock.now() + ms;
    this.#cancel = clock.at(this.#nextAt, () => {
      this.#nextAt = Number.POSITIVE_INFINITY;
      this.#running = this.#checkAll();
    });
  }

  async #checkAll(): Promise<void> {
    const serving = this.#parts
      .serving()
      .map((one) => ({ ...one, suspects: this.#differing.get(one.physical)?.values() ?? [] }));
    const names = new Set(serving.map(({ physical }) => physical));
    for (const physical of this.#differing.keys()) if (!names.has(physical)) this.#differing.delete(physical);
    const done = await this.#compare(serving, HOURLY_BUDGET_MS);
    this.#within(done && this.#differing.size === 0 ? HOUR_MS : SOON_MS);
  }

  /** Returns false if a store failed. */
  async #compare(subjects: readonly Subject[], budgetMs: number): Promise<boolean> {
    const { clock, log } = this.#parts;
    const turn = this.#turn++;
    const startedAt = clock.now();
    try {
      const found = await spotCheck(this.#parts, subjects, turn, budgetMs);
      const documents = [...found.values()].reduce((sum, { equal, differing }) => sum + equal.size + differing.size, 0);
      const ms = Math.round(clock.now() - startedAt);
      log.debug({ projections: subjects.length, documents, ms }, 'read models compared with the log');
      for (const { projection, physical } of subjects) this.#note(projection.name, physical, found.get(physical));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'read model comparison failed, retrying');
      return false;
    }
  }

  #note(projection: string, physical: string, found: Findings | undefined): void {
    if (found === undefined) return;
    const before = this.#differing.get(physical) ?? new Map<string, string>();
    const now = new Map([...[...before].filter(([id]) => !found.equal.has(id)), ...found.differing]);
    if (now.size === 0) this.#differing.delete(physical);
    else this.#differing.set(physical, now);
    if (now.size <= before.size) return;
    this.#parts.log.error(
      { projection, documents: now.size, compared: found.equal.size + found.differing.size },
      "documents of a read model differ from the log: run 'suuq verify' to list them, and 'suuq projections rebuild' to rebuild them",
    );
  }
}
