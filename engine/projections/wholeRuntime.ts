import type { Lease } from '../ownership/lease.js';
import { steadyClock } from '../ports/clock.js';
import { Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import { type Log, silentLog } from '../ports/log.js';
import { Announcements, progressOf } from './announcements.js';
import type { Build } from './build.js';
import { CatchUp } from './catchUp.js';
import { Landmarks } from './checking/landmarks.js';
import type { Subject } from './checking/spotCheck.js';
import { SpotChecks } from './checking/spotChecks.js';
import type { Positions, ProjectionRuntime, ProjectionRuntimeOptions } from './contract.js';
import { Crew } from './filling/crew.js';
import { HandlerCheck } from './handlerCheck.js';
import { LiveFeed } from './liveFeed.js';
import { Opening } from './opening.js';
import { notRun, runBy } from './ownerErrors.js';
import { assertRight, claimRight } from './ownerRight.js';
import type { AnyProjection } from './projection.js';
import type { ReadModel } from './readModel.js';
import { Reopening } from './reopening.js';
import { Retirement } from './retirement.js';
import { SkipWatch } from './skipWatch.js';
import { type ProjectionStatus, statusElsewhere, statusOf } from './status.js';
import { Turns } from './turns.js';
import type { Changed } from './viewChanges.js';

/** Maximum lag of a live projection at the start, in positions. A projection further behind catches up separately. */
const FAR = 10_000;
const GRACE_MS = 5000;

const leaseOf = ({ name }: AnyProjection): string => `projection:${name}`;

const subjectOf = (build: Build): Subject => ({
  projection: build.projection,
  physical: build.physical,
  skipped: build.skipped,
  place: () => build.place.position,
  isUnchanged: () => !build.hasLeft,
});

/**
 * Read models with one owner each. Without leases all run here; with leases, those whose `projection:{name}` is owned
 * here.
 */
export class WholeRuntime implements ProjectionRuntime {
  readonly #options: ProjectionRuntimeOptions;
  readonly #log: Log;
  readonly #turns = new Turns();
  readonly #models = new Map<string, ReadModel>();
  readonly #announcements = new Announcements(this.#models, 1);
  readonly #opening: Opening;
  readonly #retirement: Retirement;
  readonly #handlers: HandlerCheck;
  readonly #feed: LiveFeed;
  readonly #catchUp: CatchUp;
  readonly #crew: Crew | undefined;
  readonly #skipping: SkipWatch;
  readonly #reopening: Reopening;
  /** Absent for a command, which ends before it would compare anything. */
  readonly #checks: SpotChecks | undefined;

  constructor(options: ProjectionRuntimeOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    const clock = options.clock ?? steadyClock;
    const source = { ...options, turns: this.#turns, clock, log: this.#log, landmarks: new Landmarks() };
    this.#opening = new Opening(source);
    this.#handlers = new HandlerCheck(source);
    this.#retirement = new Retirement(source, options.graceMs ?? GRACE_MS);
    const categories = [...new Set(options.projections.flatMap((projection) => projection.categories))];
    this.#feed = new LiveFeed(source, options.leases === undefined ? categories : undefined, {
      moved: (builds, changed) => this.#announcements.moved(progressOf(builds), changed),
      poisoned: (build) => this.#poisoned(build),
      refused: (build, through, error) => {
        if (error instanceof Fenced) return build.lease?.fenced();
        this.#log.warn({ err: error, projection: build.name }, 'projection write failed, retrying');
        this.#catchUp.retry(build, through, error);
      },
    });
    this.#checks =
      options.unattended === true ? undefined : new SpotChecks({ ...source, serving: () => this.#serving() });
    this.#catchUp = new CatchUp(source, {
      compare: (builds) => this.#compare(builds),
      arrived: (builds) => this.#arrived(builds),
      poisoned: (build) => this.#poisoned(build),
      wrote: (build) => this.#announcements.wrote(build),
      fenced: (build) => build.lease?.fenced(),
      sharesThread: () => options.unattended !== true && this.#feed.builds.size > 0,
    });
    this.#crew =
      options.fillers &&
      new Crew({
        ...source,
        ...options.fillers,
        wrote: (build) => this.#announcements.wrote(build),
        back: (build) => void this.#turns.run(() => this.#goOnHere(build)),
      });
    options.fillers?.hasLive(options.unattended !== true);
    this.#reopening = new Reopening({
      ...source,
      goOn: (build) => {
        this.#log.info({ projection: build.name }, 'projection collection opened, projection resumed');
        this.#announcements.stopped();
        this.#catchUp.add([build]);
      },
    });
    this.#skipping = new SkipWatch({
      ...source,
      models: this.#models,
      // A build whose last write is in progress is removed when the write has ended.
      isStopped: (build) => !this.#feed.builds.has(build) && !this.#catchUp.has(build),
      goOn: (builds) => {
        this.#announcements.stopped();
        this.#catchUp.add(builds);
      },
    });
  }

  async start(): Promise<void> {
    const { leases, projections } = this.#options;
    this.#checks?.start();
    if (leases === undefined) return this.#begin(projections);
    for (const projection of projections)
      leases.hold(
        leaseOf(projection),
        {
          acquired: (lease) => this.#own(projection, lease),
          lost: (how) => this.#disown(projection, how),
        },
        // The lease goes to the newest version on any instance. An older one could only continue builds that it would
        // replace.
        projection.version,
      );
  }

  /** Opens existing builds, follows those near the head, and fills the others. */
  async #begin(projections: readonly AnyProjection[], lease?: Lease): Promise<void> {
    const head = await this.#options.eventStore.head();
    const collections = await this.#options.readModels.list();
    const opened: ReadModel[] = [];
    for (const projection of projections) {
      const { model, leftovers } = await this.#opening.open(projection, collections, head, lease);
      opened.push(model);
      for (const physical of leftovers) this.#retirement.retire(model, physical);
    }
    const current = opened.flatMap((one) => one.current);
    const next = opened.flatMap((one) => one.next);
    const able = current.filter((build) => !build.frozen && build.poison === undefined);
    const places = [...able, ...next].map(({ position }) => position);
    await this.#crew?.weigh(places, head);
    await this.#turns.run(() => {
      for (const one of opened) this.#models.set(one.projection.name, one);
      const near = able.filter((build) => head - build.position <= FAR && this.#feed.admits([build]));
      this.#feed.join(near);
      const filling = next.filter((build) => build.poison === undefined);
      this.#fill([...able.filter((build) => !near.includes(build)), ...filling], head);
    });
    this.#announcements.moved(progressOf(current));
    this.#announcements.stopped();
    this.#reopening.watch([...current, ...next]);
    this.#handlers.begin([...current, ...next]);
  }

  async #own(projection: AnyProjection, lease: Lease): Promise<void> {
    try {
      await claimRight(this.#options.readModels, projection, lease);
      await this.#begin([projection], lease);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      lease.fenced();
    }
  }

  /** Discards everything in memory of a projection. At a handover, live changes are written before. */
  #disown({ name }: AnyProjection, how: 'handover' | 'lost'): Promise<void> {
    return this.#turns.run(async () => {
      const builds = [...(this.#models.get(name)?.parts ?? [])];
      this.#models.delete(name);
      const live = builds.filter((build) => this.#feed.builds.has(build));
      // The next owner folds unwritten events again.
      if (how === 'handover') await Promise.allSettled(live.map((build) => build.flush('live')));
      for (const build of builds) {
        build.leave();
        this.#catchUp.remove(build);
      }
      this.#feed.leave(builds);
      this.#announcements.stopped();
    });
  }

  async stop(): Promise<void> {
    this.#retirement.stop();
    this.#skipping.stop();
    this.#reopening.stop();
    await this.#handlers.stop();
    await this.#crew?.stop();
    await this.#checks?.stop();
    await this.#catchUp.stop();
    await this.#feed.stop();
    // Checkpoints are written lazily. This write saves the next start from reading events again.
    await this.#turns.run(() => Promise.allSettled([...this.#feed.builds].map((build) => build.flush('live'))));
    this.#announcements.close();
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    return this.#announcements.waitFor(names, position, timeoutMs);
  }

  async status(): Promise<ProjectionStatus[]> {
    const { eventStore, readModels, projections, leases, unattended } = this.#options;
    // A command reads the status once, right after the start.
    if (unattended === true) await this.#handlers.settled();
    const head = await eventStore.head();
    const others = projections.filter(({ name }) => !this.#models.has(name));
    const elsewhere = await statusElsewhere(readModels, leases === undefined ? [] : others, head, (projection) =>
      leases!.ownerOf(leaseOf(projection)),
    );
    const here = [...this.#models.values()];
    return [...here.map((one) => this.#statusOf(one, head)), ...elsewhere];
  }

  #statusOf(one: ReadModel, head: Position): ProjectionStatus {
    const status = statusOf(one, head, (build) => this.#feed.builds.has(build))!;
    const differing = this.#checks?.differing(one.served ?? one.filling) ?? 0;
    return differing === 0 ? status : { ...status, differing };
  }

  /** Compares new builds that have reached the head, before queries read them. */
  async #compare(builds: readonly Build[]): Promise<boolean> {
    const next = builds.filter((build) => this.#models.get(build.name)?.next.includes(build));
    if (this.#checks === undefined || next.length === 0) return false;
    const begunAt = Math.min(...next.map(({ openedAt }) => openedAt));
    return this.#checks.beforeServing(next.map(subjectOf), begunAt);
  }

  #serving(): Subject[] {
    const current = [...this.#models.values()].flatMap((one) => one.current);
    return current.filter((build) => !build.frozen && build.poison === undefined).map(subjectOf);
  }

  async rebuild(name: string, restart = false): Promise<void> {
    const head = await this.#options.eventStore.head();
    await this.#crew?.weigh([BEFORE_ALL], head);
    return this.#turns.run(async () => {
      const one = this.#models.get(name);
      if (one === undefined) throw this.#notHere(name);
      const [abandoned] = one.next;
      // A build in progress fulfils the request, even if another request began it.
      if (abandoned !== undefined && abandoned.poison === undefined && !restart) return;
      const next = await this.#opening.again(one);
      this.#handlers.begin([next]);
      if (abandoned !== undefined) this.#letGo(one, abandoned);
      this.#announcements.stopped();
      this.#fill([next], head);
    });
  }

  onProgress(callback: (positions: Positions, changed: Changed) => void): () => void {
    return this.#announcements.onProgress(callback);
  }

  onStopped(callback: (names: readonly string[]) => void): () => void {
    return this.#announcements.onStopped(callback);
  }

  /** In a turn: completes builds that have read the whole log. New builds replace those that served. */
  async #arrived(builds: readonly Build[]): Promise<boolean> {
    if (!this.#feed.admits(builds)) return false;
    // Once each, even if the serving build and its successor arrive together.
    const taking = [...new Set(builds.map((build) => this.#models.get(build.name)!))].filter((one) =>
      one.next.some((build) => builds.includes(build)),
    );
    for (const one of taking) if (!(await this.#switch(one))) return false;
    this.#feed.join(builds);
    for (const one of taking) this.#replace(one);
    this.#announcements.moved(progressOf(builds));
    this.#announcements.stopped();
    return true;
  }

  /** Makes queries read the new build. Returns false if there is a newer owner. */
  async #switch({ projection, lease, filling }: ReadModel): Promise<boolean> {
    const { readModels } = this.#options;
    try {
      await assertRight(readModels, projection, lease);
      await readModels.setAlias(projection.name, filling!);
      return true;
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      lease?.fenced();
      return false;
    }
  }

  #notHere(name: string): Error {
    const projection = this.#options.projections.find((one) => one.name === name);
    if (projection === undefined) return new Error(`unknown projection '${name}'`);
    const owner = this.#options.leases?.ownerOf(leaseOf(projection));
    return owner === undefined ? notRun(name) : runBy(name, owner);
  }

  #replace(one: ReadModel): void {
    const [old] = one.current;
    one.served = one.filling;
    one.filling = undefined;
    one.frozen = false;
    this.#log.info({ projection: one.projection.name, collection: one.served }, 'new projection build is live');
    if (old === undefined) return;
    this.#feed.builds.delete(old);
    this.#letGo(one, old);
  }

  /** Stops filling a build, and removes it when queries on it have surely ended. */
  #letGo(one: ReadModel, build: Build): void {
    one.parts.delete(build);
    build.leave();
    this.#catchUp.remove(build);
    this.#crew?.forget(build);
    this.#retirement.retire(one, build.physical);
  }

  /** Fills builds. Those far behind are filled by separate threads, if there are any. */
  #fill(builds: readonly Build[], head: Position): void {
    this.#catchUp.add(this.#crew?.take(builds, head) ?? builds);
  }

  /** In a turn: continues a build that another thread has filled, from its checkpoint on. */
  #goOnHere(build: Build): void {
    if (this.#models.get(build.name)?.parts.has(build)) this.#catchUp.add([build]);
  }

  #poisoned(build: Build): void {
    this.#log.error({ projection: build.name, ...build.poison }, 'projection stopped');
    this.#announcements.stopped();
    this.#skipping.checkSoon();
  }
}
