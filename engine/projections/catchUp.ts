import { setImmediate as breath } from 'node:timers/promises';
import type { Clock } from '../ports/clock.js';
import { Fenced } from '../ports/documents.js';
import {
  type EventFilter,
  type EventStore,
  type Position,
  type RecordedEvent,
  StoreUnavailable,
} from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { Build } from './build.js';
import type { Fed } from './fed.js';
import { type Page, pageOf } from './page.js';
import { handlersOf } from './projection.js';
import type { Turns } from './turns.js';

/** Builds that read together. */
interface Track<B extends Fed> {
  builds: B[];
  /** Up to here single events are read and written, because a write with one of them was refused. */
  careUntil: Position;
  attempts: number;
  notBefore: number;
}

export interface CatchUpOwner<B extends Fed = Build> {
  /** In a turn: takes in builds that have read all there is; false when they must read on. */
  arrived(builds: readonly B[]): Promise<boolean>;
  poisoned(build: B): void;
  /** Documents of the build were written, or some of them before a write failed. */
  wrote(build: B): void;
  /** There is a newer owner: the build has left. */
  fenced(build: B): void;
  /** Whether live builds run in this thread, whose wait must stay short. */
  sharesThread(): boolean;
}

type Source = {
  eventStore: Pick<EventStore, 'readAll'>;
  turns: Turns;
  clock: Clock;
  log: Log;
  page?: (events: readonly RecordedEvent[]) => Page;
};

const PAGE = 1000;
/** Changed views of a build that make a write due: many, since one that is touched again before is written once. */
const WRITE_AT = 4000;
/** The same in events passed, so that a crash in a long fill costs little. */
const WRITE_EVERY = 50_000;
/** Documents in one write while live builds wait (about 15 µs each). */
const SLICE = 800;
/** Beside live builds, indexes are built while that is still quick (about 1 µs a document and index). */
const INDEX_EARLY = 15_000;
/** Builds with fewer events between them read together, the foremost waiting for the others. */
const NEAR = 5000;
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;

const isDue = (build: Fed): boolean =>
  build.poison !== undefined || build.unwritten >= WRITE_AT || build.views > 3 * WRITE_AT || build.looked > WRITE_EVERY;

/** Positions from one event to the next: one where events are numbered, their bytes where positions are places in a file. */
const stepIn = (events: readonly { readonly position: Position }[]): number =>
  events.length < 2 ? Number.POSITIVE_INFINITY : (events.at(-1)!.position - events[0]!.position) / (events.length - 1);

const positionOf = (track: Track<Fed>): Position => Math.min(...track.builds.map((build) => build.position));

/** What any of them looks at. */
function filterOf({ builds }: Track<Fed>): EventFilter {
  const categories = [...new Set(builds.flatMap((build) => build.projection.categories))];
  // Those who wait for a place on another instance wait for events that lead to nothing, too.
  if (builds.some(({ skipsTypes }) => !skipsTypes)) return { categories };
  const types = [...new Set(builds.flatMap(({ projection }) => [...handlersOf(projection).keys()]))];
  return { categories, types };
}

/** Brings builds that are far behind up to the head, in slices between which live builds go on. */
export class CatchUp<B extends Fed = Build> {
  readonly #source: Source;
  readonly #owner: CatchUpOwner<B>;
  #tracks: Track<B>[] = [];
  /** The smallest step of a page so far; infinite before the first. */
  #step = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(source: Source, owner: CatchUpOwner<B>) {
    this.#source = source;
    this.#owner = owner;
  }

  /** `careUntil`: go event by event up to there. */
  add(builds: readonly B[], careUntil: Position = Number.NEGATIVE_INFINITY, attempts = 0): void {
    for (const build of [...builds].sort((a, b) => a.position - b.position)) {
      const careful = careUntil > build.position;
      const near = this.#tracks.find((track) => !careful && this.#careless(track) && this.#isNear(track, build));
      if (near !== undefined) near.builds.push(build);
      else this.#tracks.push({ builds: [build], careUntil, attempts, notBefore: this.#notBefore(attempts) });
    }
    this.#wake();
    if (this.#running === undefined && !this.#stopped)
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
        if (this.#tracks.length > 0 && !this.#stopped) this.add([]);
      });
  }

  remove(build: B): void {
    for (const track of this.#tracks) track.builds = track.builds.filter((one) => one !== build);
  }

  has(build: B): boolean {
    return this.#tracks.some((track) => track.builds.includes(build));
  }

  /** Ends after the slice that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
  }

  #careless(track: Track<B>): boolean {
    return track.careUntil <= positionOf(track);
  }

  #isNear(track: Track<B>, build: B): boolean {
    const step = Number.isFinite(this.#step) ? this.#step : 1;
    return Math.abs(positionOf(track) - build.position) < NEAR * step;
  }

  #notBefore(attempts: number): number {
    const wait = attempts === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempts);
    return this.#source.clock.now() + wait;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#tracks = this.#tracks.filter((track) => track.builds.length > 0);
      if (this.#tracks.length === 0) return;
      const due = this.#tracks.filter((track) => track.notBefore <= this.#source.clock.now());
      if (due.length === 0) await this.#untilDue();
      for (const track of due) {
        await this.#advance(track);
        this.#merge(track);
      }
    }
  }

  #untilDue(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#source.clock.at(Math.min(...this.#tracks.map((track) => track.notBefore)), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** A track that has come up to another goes on with it. */
  #merge(track: Track<B>): void {
    if (track.builds.length === 0 || !this.#careless(track)) return;
    const other = this.#tracks.find(
      (one) => one !== track && one.builds.length > 0 && this.#careless(one) && this.#isNear(one, track.builds[0]!),
    );
    if (other === undefined) return;
    other.builds.push(...track.builds);
    track.builds = [];
  }

  /** One page, and the writes that it makes due. */
  async #advance(track: Track<B>): Promise<void> {
    const { turns } = this.#source;
    const careful = !this.#careless(track);
    let end: boolean;
    try {
      end = await turns.run(() => this.#readPage(track, careful ? 1 : PAGE));
    } catch (error) {
      return this.#stumbled(track, error);
    }
    await breath();
    for (const build of [...track.builds]) {
      if (end || careful || isDue(build)) await this.#write(track, build, careful);
    }
    if (end && track.builds.length > 0) await this.#arrive(track);
  }

  async #readPage(track: Track<B>, limit: number): Promise<boolean> {
    if (track.builds.length === 0) return true;
    const page = await this.#source.eventStore.readAll(positionOf(track), { filter: filterOf(track), limit });
    this.#step = Math.min(this.#step, stepIn(page.events));
    const events = (this.#source.page ?? pageOf)(page.events);
    for (const build of track.builds) await build.fold(events, page.through, page.last);
    return page.end;
  }

  async #write(track: Track<B>, build: B, careful: boolean): Promise<void> {
    const { position, poison } = build;
    try {
      const shared = this.#owner.sharesThread();
      await build.flush('filling', shared ? SLICE : undefined, (work) => this.#turn(work));
      if (build.indexesLater && build.writes > INDEX_EARLY && shared) await build.buildIndexes();
    } catch (error) {
      return this.#refused(track, build, { position, careful, error });
    } finally {
      this.#owner.wrote(build);
    }
    track.attempts = 0;
    if (poison !== undefined) this.#leave(track, build);
  }

  async #turn(work: () => Promise<void>): Promise<void> {
    await this.#source.turns.run(work);
    await breath();
  }

  #leave(track: Track<B>, build: B): void {
    track.builds = track.builds.filter((one) => one !== build);
    this.#owner.poisoned(build);
  }

  /** What cannot be written alone, in several attempts, stops its build; what the engine cannot take now is tried until it can. */
  #refused(track: Track<B>, build: B, at: { position: Position; careful: boolean; error: unknown }): void {
    const { position, careful, error } = at;
    if (error instanceof Fenced) {
      track.builds = track.builds.filter((one) => one !== build);
      this.#owner.fenced(build);
      return;
    }
    const attempts = track.attempts + 1;
    this.#source.log.warn({ err: error, projection: build.name, attempts }, 'a projection could not be written');
    track.builds = track.builds.filter((one) => one !== build);
    const lasting = !(error instanceof StoreUnavailable);
    if (lasting && careful && attempts >= ATTEMPTS) {
      build.refuse(error);
      this.#owner.poisoned(build);
      return;
    }
    this.add([build], lasting ? Math.max(position, track.careUntil) : undefined, attempts);
  }

  #stumbled(track: Track<B>, error: unknown): void {
    track.attempts += 1;
    track.notBefore = this.#notBefore(track.attempts);
    for (const build of track.builds) build.reset();
    this.#source.log.warn({ err: error, attempts: track.attempts }, 'projections could not read; trying again');
  }

  async #arrive(track: Track<B>): Promise<void> {
    try {
      const later = track.builds.filter((build) => build.indexesLater);
      for (const build of later) await build.buildIndexes();
      // Events may have come meanwhile: one more page first.
      if (later.length > 0) return;
      const taken = await this.#source.turns.run(() => this.#owner.arrived(track.builds));
      if (taken) track.builds = [];
      track.attempts = 0;
    } catch (error) {
      this.#stumbled(track, error);
    }
  }
}
