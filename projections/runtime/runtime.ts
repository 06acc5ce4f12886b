import { type Clock, systemClock } from '../../application/ports/clock.js';
import { type EventStore, type Position, StoreUnavailable } from '../../application/ports/eventStore.js';
import type { ReadModels } from '../../application/ports/readModels.js';
import type { AnyProjection } from '../projection.js';
import type { Build } from './build.js';
import { CatchUp } from './catchUp.js';
import { LiveFeed } from './liveFeed.js';
import { type RuntimeLog, silent } from './log.js';
import { Opening, type Running } from './opening.js';
import { ProgressBoard } from './progressBoard.js';
import { Retirement } from './retirement.js';
import { hasStopped, type ProjectionStatus, statusOf } from './status.js';
import { Turns } from './turns.js';

export interface ProjectionRuntimeOptions {
  readonly eventStore: Omit<EventStore, 'append'>;
  readonly readModels: ReadModels;
  readonly projections: readonly AnyProjection[];
  readonly clock?: Clock;
  readonly log?: RuntimeLog;
  /** How long a build that was replaced is kept for queries that are under way, in ms; 5,000 when absent. */
  readonly graceMs?: number;
  /** Nobody waits for live projections (a command on a resting data folder): what is built is built at full speed. */
  readonly unattended?: boolean;
}

/** What the rest of the service may ask of the projections, wherever they run. */
export interface ProjectionHost {
  /** True when queries on all `names` show everything up to `position`; false after `timeoutMs`, or when one has stopped before. */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  status(): Promise<ProjectionStatus[]>;
  /** Begins a new build beside the one that serves; status() shows its progress. Rejects for an unknown name or while one is under way. */
  rebuild(name: string): Promise<void>;
  /** Finishes the write that is under way. */
  stop(): Promise<void>;
}

export type Positions = Readonly<Record<string, Position>>;

export interface ProjectionRuntime extends ProjectionHost {
  /** Resolves when what was built before is followed; what is far behind or new is filled meanwhile. */
  start(): Promise<void>;
  /** Calls back with the positions (inclusive) that queries have newly reached; the answer ends it. */
  onProgress(callback: (positions: Positions) => void): () => void;
  /** Calls back with the names of all projections that have stopped, when that has changed. */
  onStopped(callback: (names: readonly string[]) => void): () => void;
}

/** Further behind than this at the start, a projection catches up beside the live ones. */
const FAR = 10_000;
const GRACE_MS = 5000;

class Runtime implements ProjectionRuntime {
  readonly #options: ProjectionRuntimeOptions;
  readonly #log: RuntimeLog;
  readonly #turns = new Turns();
  readonly #board = new ProgressBoard();
  readonly #running = new Map<string, Running>();
  readonly #opening: Opening;
  readonly #retirement: Retirement;
  readonly #feed: LiveFeed;
  readonly #catchUp: CatchUp;
  readonly #progress = new Set<(positions: Positions) => void>();
  readonly #halts = new Set<(names: readonly string[]) => void>();

  constructor(options: ProjectionRuntimeOptions) {
    this.#options = options;
    this.#log = options.log ?? silent;
    const clock = options.clock ?? systemClock;
    const source = { ...options, turns: this.#turns, clock, log: this.#log };
    this.#opening = new Opening(options.readModels, clock);
    this.#retirement = new Retirement(source, options.graceMs ?? GRACE_MS);
    const categories = [...new Set(options.projections.flatMap((projection) => projection.categories))];
    this.#feed = new LiveFeed(source, categories, {
      moved: (builds) => this.#moved(builds),
      poisoned: (build) => this.#poisoned(build),
      refused: (build, through, error) => {
        this.#log.warn(
          { err: error, projection: build.name },
          'a projection could not be written; going event by event',
        );
        this.#catchUp.add([build], error instanceof StoreUnavailable ? undefined : through, 1);
      },
    });
    this.#catchUp = new CatchUp(source, {
      arrived: (builds) => this.#arrived(builds),
      poisoned: (build) => this.#poisoned(build),
      sharesThread: () => options.unattended !== true && this.#feed.builds.size > 0,
    });
  }

  async start(): Promise<void> {
    const head = await this.#options.eventStore.head();
    const collections = await this.#options.readModels.list();
    for (const projection of this.#options.projections) {
      const { running, leftovers } = await this.#opening.open(projection, collections, head);
      this.#running.set(projection.name, running);
      for (const physical of leftovers) this.#retirement.retire(physical);
    }
    const running = [...this.#running.values()];
    const current = running.flatMap((one) => one.current ?? []);
    const able = current.filter((build) => !build.frozen && build.poison === undefined);
    const isNear = (build: Build): boolean => head - build.position <= FAR;
    await this.#turns.run(() => this.#feed.join(able.filter(isNear)));
    this.#publish(Object.fromEntries(current.map((build) => [build.name, build.position])));
    this.#announceStopped();
    const next = running.flatMap((one) => one.next ?? []).filter((build) => build.poison === undefined);
    this.#catchUp.add([...able.filter((build) => !isNear(build)), ...next]);
  }

  async stop(): Promise<void> {
    this.#retirement.stop();
    await this.#catchUp.stop();
    await this.#feed.stop();
    // Spares the next start what the lazily written checkpoints would make it read again.
    await this.#turns.run(() => Promise.allSettled([...this.#feed.builds].map((build) => build.flush('live'))));
    this.#board.close();
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    return this.#board.waitFor(names, position, timeoutMs);
  }

  async status(): Promise<ProjectionStatus[]> {
    const head = await this.#options.eventStore.head();
    return [...this.#running.values()].map((one) => statusOf(one, head, (build) => this.#feed.builds.has(build)));
  }

  rebuild(name: string): Promise<void> {
    return this.#turns.run(async () => {
      const one = this.#running.get(name);
      if (one === undefined) throw new Error(`there is no projection '${name}'`);
      const abandoned = one.next;
      if (abandoned !== undefined && abandoned.poison === undefined)
        throw new Error(`'${name}' is being rebuilt already; 'projections status' shows how far it is`);
      const next = await this.#opening.again(one.projection);
      one.next = next;
      if (abandoned !== undefined) this.#retirement.retire(abandoned.physical);
      this.#announceStopped();
      this.#catchUp.add([next]);
    });
  }

  onProgress(callback: (positions: Positions) => void): () => void {
    this.#progress.add(callback);
    return () => this.#progress.delete(callback);
  }

  onStopped(callback: (names: readonly string[]) => void): () => void {
    this.#halts.add(callback);
    return () => this.#halts.delete(callback);
  }

  /** In a turn: the builds have read everything. New ones take the place of those that served. */
  async #arrived(builds: readonly Build[]): Promise<boolean> {
    if (!this.#feed.admits(builds)) return false;
    const taking = builds.map((build) => this.#running.get(build.name)!).filter((one) => builds.includes(one.next!));
    for (const { next } of taking) await this.#options.readModels.setAlias(next!.name, next!.physical);
    this.#feed.join(builds);
    for (const one of taking) this.#replace(one);
    this.#moved(builds);
    this.#announceStopped();
    return true;
  }

  #replace(one: Running): void {
    const { current: old, next } = one;
    if (next !== undefined) one.current = next;
    delete one.next;
    this.#log.info(
      { projection: one.projection.name, collection: next?.physical },
      'a new build of a projection serves',
    );
    if (old === undefined) return;
    this.#feed.builds.delete(old);
    this.#catchUp.remove(old);
    this.#retirement.retire(old.physical);
  }

  #poisoned(build: Build): void {
    this.#log.error({ projection: build.name, ...build.poison }, 'a projection has stopped');
    this.#announceStopped();
  }

  #moved(builds: readonly Build[]): void {
    const moved: [string, Position][] = [];
    for (const build of builds)
      if (this.#running.get(build.name)?.current === build) moved.push([build.name, build.position]);
    if (moved.length > 0) this.#publish(Object.fromEntries(moved));
  }

  #publish(positions: Positions): void {
    this.#board.moved(positions);
    for (const callback of this.#progress) callback(positions);
  }

  #announceStopped(): void {
    const stopped = [...this.#running.values()].filter(hasStopped).map(({ projection }) => projection.name);
    this.#board.setStopped(stopped);
    for (const callback of this.#halts) callback(stopped);
  }
}

/** Keeps read models up to date with the event log. One owner at a time for one set of read models. */
export function createProjectionRuntime(options: ProjectionRuntimeOptions): ProjectionRuntime {
  return new Runtime(options);
}
