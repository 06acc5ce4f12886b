import type { Lease } from '../ownership/lease.js';
import { Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import { ActiveBuilds } from './activeBuilds.js';
import { progressOf } from './announcements.js';
import type { Build } from './build.js';
import type { Subject } from './checking/spotCheck.js';
import { Crew } from './filling/crew.js';
import { Opening } from './opening.js';
import { notRun, runBy } from './ownerErrors.js';
import { assertRight, holdRights, leaseOf } from './ownerRight.js';
import type { AnyProjection } from './projection.js';
import type { ReadModel } from './readModel.js';
import { Reopening } from './reopening.js';
import { Retirement } from './retirement.js';
import type { ModelGroup, RuntimeParts } from './runtimeParts.js';
import { Turns } from './turns.js';
import type { Changed } from './viewChanges.js';

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
export class WholeModels implements ModelGroup {
  readonly turns = new Turns();
  readonly builds: ActiveBuilds;
  readonly #parts: RuntimeParts;
  readonly #projections: readonly AnyProjection[];
  readonly #opening: Opening;
  readonly #retirement: Retirement;
  readonly #crew: Crew | undefined;
  readonly #reopening: Reopening;

  constructor(parts: RuntimeParts, projections: readonly AnyProjection[]) {
    const { options, clock, log, landmarks, announcements } = parts;
    this.#parts = parts;
    this.#projections = projections;
    const source = { ...options, turns: this.turns, clock, log, landmarks };
    this.#opening = new Opening(source);
    this.#retirement = new Retirement(source, parts.graceMs);
    const categories = [...new Set(projections.flatMap((projection) => projection.categories))];
    const owner = {
      moved: (builds: readonly Build[], changed: Changed) => announcements.moved(progressOf(builds), changed),
      refused: (build: Build, through: Position, error: unknown) => {
        if (error instanceof Fenced) return build.lease?.fenced();
        log.warn({ err: error, projection: build.name }, 'projection write failed, retrying');
        this.builds.catchUp.retry(build, through, error);
      },
      compare: (builds: readonly Build[]) => this.#compare(builds),
      arrived: (builds: readonly Build[]) => this.#arrived(builds),
      poisoned: (build: Build) => this.#poisoned(build),
      wrote: (build: Build) => announcements.wrote(build),
      fenced: (build: Build) => build.lease?.fenced(),
    };
    this.builds = new ActiveBuilds(source, options.leases === undefined ? categories : undefined, owner, options);
    this.#crew =
      options.fillers &&
      new Crew({
        ...source,
        ...options.fillers,
        wrote: (build) => this.#parts.announcements.wrote(build),
        back: (build) => void this.turns.run(() => this.#goOnHere(build)),
      });
    options.fillers?.hasLive(options.unattended !== true);
    this.#reopening = new Reopening({
      ...source,
      goOn: (build) => {
        this.#parts.log.info({ projection: build.name }, 'projection collection opened, projection resumed');
        this.#parts.announcements.stopped();
        this.builds.catchUp.add([build]);
      },
    });
  }

  async start(): Promise<void> {
    const { leases, readModels } = this.#parts.options;
    if (leases === undefined) return this.#begin(this.#projections);
    holdRights(leases, readModels, this.#projections, {
      acquired: (projection, lease) => this.#begin([projection], lease),
      lost: (projection, how) => this.#disown(projection, how),
    });
  }

  /** Opens existing builds, follows those near the head, and fills the others. */
  async #begin(projections: readonly AnyProjection[], lease?: Lease): Promise<void> {
    const head = await this.#parts.options.eventStore.head();
    const collections = await this.#parts.options.readModels.list();
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
    await this.turns.run(() => {
      for (const one of opened) this.#parts.models.set(one.projection.name, one);
      const near = able.filter((build) => this.builds.areNear([build], head));
      this.builds.feed.join(near);
      const filling = next.filter((build) => build.poison === undefined);
      this.#fill([...able.filter((build) => !near.includes(build)), ...filling], head);
    });
    this.#parts.announcements.moved(progressOf(current));
    this.#parts.announcements.stopped();
    this.#reopening.watch([...current, ...next]);
    this.#parts.handlers.begin([...current, ...next]);
  }

  /** Discards everything in memory of a projection. At a handover, live changes are written before. */
  #disown({ name }: AnyProjection, how: 'handover' | 'lost'): Promise<void> {
    return this.turns.run(async () => {
      const builds = [...(this.#parts.models.get(name)?.parts ?? [])];
      this.#parts.models.delete(name);
      const live = builds.filter((build) => this.builds.isFed(build));
      // The next owner folds unwritten events again.
      if (how === 'handover') await Promise.allSettled(live.map((build) => build.flush('live')));
      this.builds.end(builds);
      this.#parts.announcements.stopped();
    });
  }

  async stop(): Promise<void> {
    this.#retirement.stop();
    this.#reopening.stop();
    await this.#crew?.stop();
    await this.builds.stop();
    // Checkpoints are written lazily. This write saves the next start from reading events again.
    await this.turns.run(() => Promise.allSettled([...this.builds.feed.builds].map((build) => build.flush('live'))));
  }

  manages(name: string): boolean {
    return this.#parts.models.has(name);
  }

  ownerOf(projection: AnyProjection): string | undefined {
    return this.#parts.options.leases?.ownerOf(leaseOf(projection));
  }

  /** Compares new builds that have reached the head, before queries read them. */
  async #compare(builds: readonly Build[]): Promise<boolean> {
    const next = builds.filter((build) => this.#parts.models.get(build.name)?.next.includes(build));
    if (next.length === 0) return false;
    const startedAt = Math.min(...next.map(({ openedAt }) => openedAt));
    return this.#parts.compare(next.map(subjectOf), startedAt);
  }

  serving(): Subject[] {
    const current = this.#projections.flatMap(({ name }) => this.#parts.models.get(name)?.current ?? []);
    return current.filter((build) => !build.frozen && build.poison === undefined).map(subjectOf);
  }

  async rebuild(name: string, restart: boolean): Promise<void> {
    const head = await this.#parts.options.eventStore.head();
    await this.#crew?.weigh([BEFORE_ALL], head);
    return this.turns.run(async () => {
      const one = this.#parts.models.get(name);
      if (one === undefined) throw this.#notHere(name);
      const [abandoned] = one.next;
      // A build in progress fulfils the request, even if another request began it.
      if (abandoned !== undefined && abandoned.poison === undefined && !restart) return;
      const next = await this.#opening.again(one);
      this.#parts.handlers.begin([next]);
      if (abandoned !== undefined) this.#letGo(one, abandoned);
      this.#parts.announcements.stopped();
      this.#fill([next], head);
    });
  }

  /** In a turn: completes builds that have read the whole log. New builds replace those that served. */
  async #arrived(builds: readonly Build[]): Promise<boolean> {
    if (!this.builds.feed.admits(builds)) return false;
    // Once each, even if the serving build and its successor arrive together.
    const taking = [...new Set(builds.map((build) => this.#parts.models.get(build.name)!))].filter((one) =>
      one.next.some((build) => builds.includes(build)),
    );
    for (const one of taking) if (!(await this.#switch(one))) return false;
    this.builds.feed.join(builds);
    for (const one of taking) this.#replace(one);
    this.#parts.announcements.moved(progressOf(builds));
    this.#parts.announcements.stopped();
    return true;
  }

  /** Makes queries read the new build. Returns false if there is a newer owner. */
  async #switch({ projection, lease, filling }: ReadModel): Promise<boolean> {
    const { readModels } = this.#parts.options;
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
    const owner = this.ownerOf(this.#projections.find((one) => one.name === name)!);
    return owner === undefined ? notRun(name) : runBy(name, owner);
  }

  #replace(one: ReadModel): void {
    const [old] = one.current;
    one.served = one.filling;
    one.filling = undefined;
    one.frozen = false;
    this.#parts.log.info({ projection: one.projection.name, collection: one.served }, 'new projection build is live');
    if (old === undefined) return;
    this.builds.feed.builds.delete(old);
    this.#letGo(one, old);
  }

  /** Stops filling a build, and removes it when queries on it have surely ended. */
  #letGo(one: ReadModel, build: Build): void {
    one.parts.delete(build);
    build.leave();
    this.builds.catchUp.remove(build);
    this.#crew?.forget(build);
    this.#retirement.retire(one, build.physical);
  }

  /** Fills builds. Those far behind are filled by separate threads, if there are any. */
  #fill(builds: readonly Build[], head: Position): void {
    this.builds.catchUp.add(this.#crew?.take(builds, head) ?? builds);
  }

  /** In a turn: continues a build that another thread has filled, from its checkpoint on. */
  #goOnHere(build: Build): void {
    if (this.#parts.models.get(build.name)?.parts.has(build)) this.builds.catchUp.add([build]);
  }

  #poisoned(build: Build): void {
    this.#parts.log.error({ projection: build.name, ...build.poison }, 'projection stopped');
    this.#parts.announcements.stopped();
    this.#parts.hasStopped();
  }
}
