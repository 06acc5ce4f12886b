import { setImmediate as breath } from 'node:timers/promises';
import type { SteadyClock } from '../ports/clock.js';
import { DocumentRefused, Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type EventFilter, type EventStore, type Position } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { Build } from './build.js';
import type { Landmarks } from './checking/landmarks.js';
import { DispatchTable } from './dispatchTable.js';
import { type PageOf, pageOf, requestOf } from './page.js';
import { handlersOf } from './projection.js';
import { isCareful, positionOf, type Track, Tracks } from './tracks.js';
import type { Turns } from './turns.js';

/** A folded page: the builds that folded it, and whether it ended at the end of the log. */
interface Taken {
  readonly builds: readonly Build[];
  readonly end: boolean;
}

export interface CatchUpOwner {
  /** In a turn: accepts builds that have read the whole log. Returns false if they must read on. */
  arrived(builds: readonly Build[]): Promise<boolean>;
  /** Compares new builds with the log, once each. Returns true if that took time. */
  compare?(builds: readonly Build[]): Promise<boolean>;
  poisoned(build: Build): void;
  /** Documents of the build were written, or some of them before a write failed. */
  wrote(build: Build): void;
  /** A newer owner exists: the build has left. */
  fenced(build: Build): void;
  /** Returns true if live builds run in this thread and must not wait long. */
  sharesThread(): boolean;
}

type Source = {
  eventStore: Pick<EventStore, 'readAll'>;
  turns: Turns;
  clock: SteadyClock;
  log: Log;
  page?: PageOf;
  landmarks?: Pick<Landmarks, 'add'>;
};

const PAGE = 1000;
/**
 * Changed views of a build that make a write due. The number is high, since a view that changes repeatedly is then
 * written once.
 */
const WRITE_AT = 4000;
/** Scanned events that make a write due, so that a crash during a long fill costs little. */
const WRITE_EVERY = 50_000;
/** Documents in one write while live builds wait (about 15 µs each). */
const SLICE = 800;
/**
 * Written documents after which indexes are built, while that is still quick (about 1 µs per document and index).
 * Applies only if live builds share the thread.
 */
const INDEX_EARLY = 15_000;

const isDue = (build: Build): boolean =>
  build.poison !== undefined ||
  build.unwritten >= WRITE_AT ||
  build.views > 3 * WRITE_AT ||
  build.scanned > WRITE_EVERY;

/** Returns a filter for the events that any of these builds needs. */
function filterOf(builds: readonly Build[]): EventFilter {
  const categories = [...new Set(builds.flatMap((build) => build.projection.categories))];
  // Waiters on other instances also wait for events without a handler.
  if (builds.some(({ skipsTypes }) => !skipsTypes)) return { categories };
  const types = [...new Set(builds.flatMap(({ projection }) => [...handlersOf(projection).keys()]))];
  return { categories, types };
}

/**
 * Brings builds that are far behind up to the head, in slices between which live builds continue. Builds may join and
 * leave a track during a read or a write. A result therefore counts only for the builds it was for that are still here.
 */
export class CatchUp {
  readonly #source: Source;
  readonly #owner: CatchUpOwner;
  readonly #tracks: Tracks;
  readonly #table = new DispatchTable();
  #running: Promise<void> | undefined;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(source: Source, owner: CatchUpOwner) {
    this.#source = source;
    this.#owner = owner;
    this.#tracks = new Tracks(source.clock);
  }

  /** Adds builds that are not here yet; those that have left are ignored. */
  add(builds: readonly Build[]): void {
    this.#tracks.add(builds);
    this.#go();
  }

  /** Adds a build whose write failed elsewhere. `through`: last position of that write. */
  retry(build: Build, through: Position, error: unknown): void {
    this.#tracks.retry(build, through, error, { attempts: 0, careUntil: BEFORE_ALL });
    this.#go();
  }

  remove(build: Build): void {
    this.#tracks.remove(build);
  }

  has(build: Build): boolean {
    return this.#tracks.has(build);
  }

  /** Stops after the slice in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
  }

  #go(): void {
    this.#wake();
    if (this.#running !== undefined || this.#stopped) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (!this.#tracks.isEmpty) this.#go();
    });
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const due = this.#tracks.due();
      if (this.#tracks.isEmpty) return;
      if (due.length === 0) await this.#untilDue();
      for (const track of due) {
        if (track.builds.length > 0) await this.#advance(track);
        this.#tracks.merge(track);
      }
    }
  }

  #untilDue(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#source.clock.at(this.#tracks.nextAt, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Reads one page, and does the writes that it makes due. */
  async #advance(track: Track): Promise<void> {
    const { turns } = this.#source;
    const careful = isCareful(track);
    let taken: Taken;
    try {
      taken = await turns.run(() => this.#readPage(track, careful ? 1 : PAGE));
    } catch (error) {
      return this.#stumbled(track, error);
    }
    await breath();
    const arriving: Build[] = [];
    for (const build of taken.builds) {
      const due = taken.end || careful || isDue(build);
      if (!due || (await this.#write(track, build, careful))) arriving.push(build);
    }
    if (taken.end) await this.#arrive(track, arriving);
    else if (arriving.length > 0) this.#tracks.wentOn(track, arriving);
  }

  async #readPage(track: Track, limit: number): Promise<Taken> {
    const builds = [...track.builds];
    if (builds.length === 0) return { builds, end: false };
    const [after, filter] = [positionOf(builds), filterOf(builds)];
    const page = await this.#source.eventStore.readAll(after, { filter, limit });
    this.#tracks.measure(page.events);
    const last = page.events.at(-1);
    if (last !== undefined) this.#source.landmarks?.add(last.position);
    const events = (this.#source.page ?? pageOf)(page.events, requestOf(after, filter));
    const deliveries = this.#table.deliver(builds, events);
    const folded: Build[] = [];
    for (const build of builds) {
      if (!track.builds.includes(build)) continue;
      try {
        await build.fold(events, page.through, page.last, deliveries(build.projection));
        folded.push(build);
      } catch (error) {
        this.#failed(track, build, { through: page.through, careful: limit === 1, error });
      }
    }
    return { builds: folded, end: page.end };
  }

  /** Returns false if the build could not be written or is no longer here. */
  async #write(track: Track, build: Build, careful: boolean): Promise<boolean> {
    if (!track.builds.includes(build)) return false;
    const { position: through, poison } = build;
    try {
      const shared = this.#owner.sharesThread();
      await build.flush('filling', shared ? SLICE : undefined, (work) => this.#turn(work));
      if (build.indexesLater && build.writes > INDEX_EARLY && shared) await build.buildIndexes();
    } catch (error) {
      this.#failed(track, build, { through, careful, error });
      return false;
    } finally {
      this.#owner.wrote(build);
    }
    if (!track.builds.includes(build)) return false;
    if (poison === undefined) return true;
    this.remove(build);
    this.#owner.poisoned(build);
    return false;
  }

  async #turn(work: () => Promise<void>): Promise<void> {
    await this.#source.turns.run(work);
    await breath();
  }

  /**
   * Handles a failed write. A refused document stops its build if it was written alone. A store failure is retried
   * until the store works again.
   */
  #failed(track: Track, build: Build, at: { through: Position; careful: boolean; error: unknown }): void {
    // The build was removed, and may belong to another owner already.
    if (!track.builds.includes(build)) return;
    const { through, careful, error } = at;
    this.remove(build);
    if (error instanceof Fenced) this.#owner.fenced(build);
    else if (careful && error instanceof DocumentRefused) {
      build.refuse(error);
      this.#owner.poisoned(build);
    } else {
      build.reset();
      const attempts = track.attempts + 1;
      this.#source.log.warn({ err: error, projection: build.name, attempts }, 'projection write failed, retrying');
      this.#tracks.retry(build, through, error, track);
    }
  }

  #stumbled(track: Track, error: unknown): void {
    this.#tracks.defer(track, error);
    for (const build of track.builds) build.reset();
    this.#source.log.warn({ err: error, attempts: track.attempts }, 'projection read failed, retrying');
  }

  /** Completes the builds that have read the whole log and are still here. */
  async #arrive(track: Track, builds: readonly Build[]): Promise<void> {
    const here = (): Build[] => builds.filter((build) => track.builds.includes(build));
    try {
      const later = here().filter((build) => build.indexesLater);
      for (const build of later) await build.buildIndexes();
      const hasCompared = (await this.#owner.compare?.(here())) === true;
      this.#tracks.wentOn(track, builds);
      // Events may have arrived in the meantime: read one more page first.
      if (later.length > 0 || hasCompared) return;
      await this.#source.turns.run(async () => {
        const arriving = here();
        if (arriving.length === 0 || !(await this.#owner.arrived(arriving))) return;
        for (const build of arriving) this.remove(build);
      });
    } catch (error) {
      this.#stumbled(track, error);
    }
  }
}
