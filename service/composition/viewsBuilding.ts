/** Read models that are built for the first time, after a restore or a move: until then nobody can read them. */
import type { SteadyClock } from '../../engine/ports/clock.js';
import type { Log } from '../../engine/ports/log.js';
import type { ProjectionHost } from '../../engine/projections/runtime.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';

/** How far they are. */
export interface Building {
  /** Names of those that cannot be read yet. */
  readonly names: readonly string[];
  /** How many there are in all. */
  readonly of: number;
  /** How much of the log the slowest of them has read, 0 to 99. */
  readonly percent: number;
}

export interface ViewsBuilding {
  /** At the last look; undefined when all can be read, or nothing is known yet. */
  now(): Building | undefined;
  /** Progress of a build, as far as it is known. */
  percentOf(name: string): number | undefined;
  /** Resolves when all can be read, have stopped, or do not move for a minute; or when the signal is aborted. */
  untilBuilt(signal: AbortSignal): Promise<void>;
  stop(): void;
}

const LOOK_MS = 500;
const STANDSTILL_MS = 60_000;

/** One hundred is when it serves: until then something is left to do. */
export const percentOf = ({ position, head }: Pick<ProjectionStatus, 'position' | 'head'>): number =>
  head < 0 ? 0 : Math.max(0, Math.min(99, Math.floor(((position + 1) / (head + 1)) * 100)));

const isUnread = ({ served }: ProjectionStatus): boolean => served === undefined;

export function buildingOf(all: readonly ProjectionStatus[]): Building | undefined {
  const unread = all.filter(isUnread);
  if (unread.length === 0) return undefined;
  const names = unread.map(({ name }) => name).sort();
  return { names, of: all.length, percent: Math.min(...unread.map(percentOf)) };
}

interface Parts {
  readonly projections: Pick<ProjectionHost, 'status'>;
  readonly clock: SteadyClock;
  readonly log: Log;
}

class Watch implements ViewsBuilding {
  readonly #parts: Parts;
  #status: readonly ProjectionStatus[] = [];
  #building: Building | undefined;
  #isBuilt = false;
  #isLogged = false;
  #sum = Number.NaN;
  #movedAt: number;
  #cancel: () => void = () => undefined;
  #waiting: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#movedAt = parts.clock.now();
    this.#check();
  }

  now(): Building | undefined {
    return this.#building;
  }

  percentOf(name: string): number | undefined {
    const one = this.#status.find((each) => each.name === name);
    return one === undefined ? this.#building?.percent : percentOf(one);
  }

  async untilBuilt(signal: AbortSignal): Promise<void> {
    if (this.#isBuilt || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  stop(): void {
    this.#isBuilt = true;
    this.#cancel();
    this.#wake();
  }

  #check(): void {
    void this.#parts.projections
      .status()
      .then((status) => this.#take(status))
      // It is retried: the thread may be starting.
      .catch(() => undefined)
      .then(() => {
        const { clock } = this.#parts;
        if (!this.#isBuilt) this.#cancel = clock.at(clock.now() + LOOK_MS, () => this.#check());
      });
  }

  #take(status: readonly ProjectionStatus[]): void {
    if (this.#isBuilt) return;
    const { clock, log } = this.#parts;
    this.#status = status;
    this.#building = buildingOf(status);
    if (this.#building !== undefined && !this.#isLogged) {
      this.#isLogged = true;
      log.info({ projections: this.#building.names.length }, 'building read models, processors wait for them');
    }
    this.#isBuilt = this.#building === undefined;
    const coming = status.filter((one) => isUnread(one) && one.state !== 'stopped');
    const sum = coming.reduce((all, { position }) => all + position, coming.length);
    if (sum !== this.#sum) this.#movedAt = clock.now();
    this.#sum = sum;
    if (coming.length === 0 || clock.now() - this.#movedAt > STANDSTILL_MS) this.#wake();
    if (this.#isBuilt && this.#isLogged) log.info({}, 'all read models built');
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Looks how far they are, until all can be read. */
export const watchBuilding = (parts: Parts): ViewsBuilding => new Watch(parts);

/** For a single command: nobody waits, and nothing is logged. */
export const unwatched: ViewsBuilding = {
  now: () => undefined,
  percentOf: () => undefined,
  untilBuilt: async () => undefined,
  stop: () => undefined,
};
