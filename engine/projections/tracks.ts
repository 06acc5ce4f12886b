/**
 * Groups builds that catch up together. Builds near each other read the log once. A build that failed continues alone.
 */
import { messageOf } from '../messageOf.js';
import type { Clock } from '../ports/clock.js';
import { DocumentRefused } from '../ports/documents.js';
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import type { Build } from './build.js';

/** Builds that read together. */
export interface Track {
  builds: Build[];
  /** Position up to which events are read and written one by one, because a write with one of them was refused. */
  careUntil: Position;
  /** Failures since it last made progress. No event is the cause of them. */
  attempts: number;
  notBefore: number;
}

/** Maximum distance of builds that read together, in events. The foremost one waits for the others. */
const NEAR = 5000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;

export const positionOf = (builds: readonly Build[]): Position => Math.min(...builds.map((build) => build.position));

export const isCareful = (track: Track): boolean => track.careUntil > positionOf(track.builds);

/** Returns true if other builds may join the track. */
const goesOn = (track: Track): boolean => track.builds.length > 0 && track.attempts === 0 && !isCareful(track);

/** Returns the positions per event: one if events are numbered, their bytes if positions are offsets in a file. */
const stepIn = (events: readonly { readonly position: Position }[]): number =>
  events.length < 2 ? Number.POSITIVE_INFINITY : (events.at(-1)!.position - events[0]!.position) / (events.length - 1);

export class Tracks {
  readonly #clock: Pick<Clock, 'now'>;
  #all: Track[] = [];
  /** The smallest step of a page so far; infinite before the first. */
  #step = Number.POSITIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Time at which the next track is due, in ms of the clock. */
  get nextAt(): number {
    return Math.min(...this.#all.map((track) => track.notBefore));
  }

  has(build: Build): boolean {
    return this.#all.some((track) => track.builds.includes(build));
  }

  /** Adds builds that are not here yet; those that have left are ignored. */
  add(builds: readonly Build[]): void {
    const fresh = builds.filter((build) => this.#isNew(build)).sort((a, b) => a.position - b.position);
    for (const build of fresh) {
      const near = this.#all.find((track) => goesOn(track) && this.#isNear(track, build));
      if (near !== undefined) near.builds.push(build);
      else this.#all.push({ builds: [build], careUntil: BEFORE_ALL, attempts: 0, notBefore: 0 });
    }
  }

  /**
   * Adds a build after a failure, on a track of its own. If the engine refused a document, the track goes event by
   * event up to `through`, so that the event is found. If a store failed, it begins after a pause.
   */
  retry(
    build: Build,
    through: Position,
    error: unknown,
    { attempts, careUntil }: Pick<Track, 'attempts' | 'careUntil'>,
  ): void {
    if (!this.#isNew(build)) return;
    if (error instanceof DocumentRefused)
      this.#all.push({ builds: [build], careUntil: Math.max(through, careUntil), attempts: 0, notBefore: 0 });
    else {
      this.#troubled(build, error, attempts + 1);
      this.#all.push({ builds: [build], careUntil, ...this.#later(attempts + 1) });
    }
  }

  /** Delays a track that failed. All its builds wait. */
  defer(track: Track, error: unknown): void {
    Object.assign(track, this.#later(track.attempts + 1));
    for (const build of track.builds) this.#troubled(build, error, track.attempts);
  }

  /** Notes that these builds made progress. */
  wentOn(track: Track, builds: readonly Build[]): void {
    track.attempts = 0;
    for (const build of builds) build.trouble = undefined;
  }

  remove(build: Build): void {
    for (const track of this.#all) track.builds = track.builds.filter((one) => one !== build);
  }

  /** Drops empty tracks, and returns those that may continue now. */
  due(): Track[] {
    for (const track of this.#all) track.builds = track.builds.filter(({ hasLeft }) => !hasLeft);
    this.#all = this.#all.filter((track) => track.builds.length > 0);
    return this.#all.filter((track) => track.notBefore <= this.#clock.now());
  }

  /** Merges a track into one that it has caught up with. */
  merge(track: Track): void {
    if (!goesOn(track)) return;
    const other = this.#all.find((one) => one !== track && goesOn(one) && this.#isNear(one, track.builds[0]!));
    if (other === undefined) return;
    other.builds.push(...track.builds);
    track.builds = [];
  }

  /** Measures the distance between events. */
  measure(events: readonly { readonly position: Position }[]): void {
    this.#step = Math.min(this.#step, stepIn(events));
  }

  #isNew(build: Build): boolean {
    return !build.hasLeft && !this.has(build);
  }

  #troubled(build: Build, error: unknown, attempts: number): void {
    const since = build.trouble?.since ?? new Date(this.#clock.now()).toISOString();
    build.trouble = { error: messageOf(error), since, attempts };
  }

  #isNear(track: Track, build: Build): boolean {
    const step = Number.isFinite(this.#step) ? this.#step : 1;
    return Math.abs(positionOf(track.builds) - build.position) < NEAR * step;
  }

  #later(attempts: number): Pick<Track, 'attempts' | 'notBefore'> {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempts);
    return { attempts, notBefore: this.#clock.now() + wait };
  }
}
