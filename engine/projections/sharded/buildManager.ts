/**
 * Manages the builds of partitioned read models, with one instance per read model by a lease. It begins builds, lets
 * queries read a build when all its shards are complete, and removes replaced builds. The owners of the shards fill
 * them.
 */
import { messageOf } from '../../messageOf.js';
import type { Lease } from '../../ownership/lease.js';
import type { SteadyClock } from '../../ports/clock.js';
import { type DocumentStore, Fenced } from '../../ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position } from '../../ports/eventStore.js';
import type { Log } from '../../ports/log.js';
import { type BuildName, buildName, findBuilds } from '../builds.js';
import { managedBy } from '../ownerErrors.js';
import { assertRight, rightOf } from '../ownerRight.js';
import type { AnyProjection } from '../projection.js';
import { definitionOf } from '../projection.js';
import { buildsCount, shardCheckpoint } from './names.js';
import { PeriodicCheck } from './periodicCheck.js';
import { placesInLog, shardPlaces } from './places.js';

export interface BuildManagerParts {
  readonly readModels: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>;
  readonly clock: SteadyClock;
  readonly log: Log;
  /** Number of shards. */
  readonly count: number;
  /** Removes a build after queries that began before have surely ended. */
  retire(model: ManagedReadModel, physical: string): void;
  /** Called when the set of builds has changed. */
  changed(): void;
  /** Compares a new build with the log before it serves. Never rejects. */
  compare(model: ManagedReadModel, physical: string): Promise<void>;
  /** Called for a build of this version that was seen for the first time, to check its handlers. */
  met(model: ManagedReadModel, physical: string, isNew: boolean): void;
}

/** Read model whose builds are managed here. */
export interface ManagedReadModel {
  readonly projection: AnyProjection;
  readonly lease: Lease;
  /** Builds that were claimed, compared with the log and opened. */
  readonly known: Set<string>;
  readonly retired: Set<string>;
  served: string | undefined;
  filling: string | undefined;
  /** Position in the log that every shard of the filling build must reach. */
  goal: Position | undefined;
  /** Time at which the shard with the greatest lag last moved, in ms, and its position. */
  movedAt: number;
  least: Position;
  /** Time at which the filling build was begun or first seen here, in ms. */
  fillingSince: number;
  /** True if owners of shards may not know the current builds. They are notified until the change is recorded. */
  unannounced: boolean;
  trouble?: string;
}

const LOOK_MS = 1000;
/** Time without progress after which a request replaces the filling build, in ms. */
const STANDSTILL_MS = 10_000;

export class BuildManager {
  readonly #parts: BuildManagerParts;
  readonly #managed = new Map<string, ManagedReadModel>();
  readonly #checks: PeriodicCheck;

  constructor(parts: BuildManagerParts) {
    this.#parts = parts;
    this.#checks = new PeriodicCheck(parts.clock, LOOK_MS, () => this.#checkAll());
  }

  acquired(projection: AnyProjection, lease: Lease): void {
    const movedAt = this.#parts.clock.now();
    // The previous owner may have ended between a change of builds and its notification.
    const places = {
      goal: undefined,
      least: BEFORE_ALL,
      movedAt,
      fillingSince: movedAt,
      unannounced: true,
    };
    this.#managed.set(projection.name, {
      ...{ projection, lease, known: new Set(), retired: new Set(), served: undefined, filling: undefined },
      ...places,
    });
    this.#checks.within(0);
  }

  lost(projection: AnyProjection): void {
    this.#managed.delete(projection.name);
  }

  has(name: string): boolean {
    return this.#managed.has(name);
  }

  get(name: string): ManagedReadModel | undefined {
    return this.#managed.get(name);
  }

  all(): ManagedReadModel[] {
    return [...this.#managed.values()];
  }

  async stop(): Promise<void> {
    await this.#checks.stop();
  }

  /** Begins a build while the current one serves. Does nothing if a build is filling, unless that build is stuck. */
  rebuild(name: string, isStopped: boolean): Promise<void> {
    return this.#checks.run(async () => {
      const one = this.#managed.get(name);
      if (one === undefined) throw managedBy(name);
      const isStalled = isStopped || this.#parts.clock.now() - one.movedAt > STANDSTILL_MS;
      if (one.filling !== undefined && !isStalled) return;
      await this.#begin(one, await this.#parts.readModels.list(), 'later');
    });
  }

  async #checkAll(): Promise<void> {
    const all = [...this.#managed.values()];
    if (all.length === 0) return;
    try {
      const [collections, head] = await Promise.all([this.#parts.readModels.list(), this.#parts.eventStore.head()]);
      await Promise.all(all.map((one) => this.#guarded(one, () => this.#check(one, collections, head))));
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'read model build check failed, retrying');
    }
  }

  async #guarded(one: ManagedReadModel, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      delete one.trouble;
    } catch (error) {
      if (error instanceof Fenced) return one.lease.fenced();
      const trouble = messageOf(error);
      if (trouble !== one.trouble)
        this.#parts.log.warn(
          { projection: one.projection.name, error: trouble },
          'projection build could not be opened, started or activated, retrying',
        );
      one.trouble = trouble;
    }
  }

  async #check(one: ManagedReadModel, collections: readonly string[], head: Position): Promise<void> {
    const { projection } = one;
    if (one.unannounced) await this.#changed(one);
    const found = await findBuilds(this.#parts.readModels, projection, collections);
    const [served, filling] = [await this.#meet(one, found.served, true), await this.#meet(one, found.filling, false)];
    one.served = served?.physical;
    one.filling = filling?.physical;
    for (const physical of found.leftovers) this.#retire(one, physical);
    const isCurrent = served?.version === projection.version;
    if (filling !== undefined) await this.#arrive(one, head);
    else if (!isCurrent)
      await this.#begin(one, collections, served === undefined && head === BEFORE_ALL ? 'now' : 'later');
  }

  /** Returns undefined if there is no build, or if it was built from another log, so that queries no longer read it. */
  async #meet(one: ManagedReadModel, build: BuildName | undefined, serves: boolean): Promise<BuildName | undefined> {
    if (build === undefined || one.known.has(build.physical)) return build;
    const { physical, version } = build;
    const { readModels, eventStore, log } = this.#parts;
    const { projection, lease } = one;
    // The record of the build's handlers is written with this fence.
    await readModels.claim({ name: physical, fence: lease.fence });
    const places = await shardPlaces(readModels, physical, this.#shards());
    if ((await placesInLog(eventStore, places)).size < places.size) {
      log.warn(
        { projection: projection.name, version },
        'projection was built from a different event log, rebuilding it from this log',
      );
      await assertRight(readModels, projection, lease);
      one.unannounced = true;
      if (serves) await readModels.dropAlias(projection.name, physical);
      this.#retire(one, physical);
      await this.#changed(one);
      return undefined;
    }
    if (version === projection.version) {
      await readModels.open(definitionOf(projection, physical), { indexes: serves ? 'now' : 'later' });
      this.#parts.met(one, physical, false);
    }
    one.known.add(physical);
    return build;
  }

  async #begin(one: ManagedReadModel, collections: readonly string[], indexes: 'now' | 'later'): Promise<void> {
    const { readModels } = this.#parts;
    const { projection, lease } = one;
    const { filling, nextRebuild } = await findBuilds(readModels, projection, collections);
    const changes = await readModels.checkpoint(buildsCount(projection.name));
    // A name is never used twice: an owner that was frozen may still write a place under it.
    const number = changes === BEFORE_ALL ? nextRebuild : Math.max(nextRebuild, changes + 1);
    const { physical } = buildName(projection.name, projection.version, number);
    await assertRight(readModels, projection, lease);
    await this.#dropPlaces(physical);
    one.unannounced = true;
    await readModels.open(definitionOf(projection, physical), { indexes });
    await readModels.claim({ name: physical, fence: lease.fence });
    this.#parts.met(one, physical, true);
    one.known.add(physical);
    if (indexes === 'now') {
      await readModels.setAlias(projection.name, physical);
      one.served = physical;
    } else {
      one.filling = physical;
      one.goal = undefined;
      one.least = BEFORE_ALL;
      one.movedAt = this.#parts.clock.now();
      one.fillingSince = one.movedAt;
    }
    await this.#changed(one);
    if (filling !== undefined && filling.physical !== physical) this.#retire(one, filling.physical);
  }

  /**
   * Lets queries read the filling build when all its shards have reached the head and none is behind the serving build.
   */
  async #arrive(one: ManagedReadModel, head: Position): Promise<void> {
    const { readModels, clock, log } = this.#parts;
    const { projection, lease, served } = one;
    const filling = one.filling!;
    one.goal ??= head;
    if (!(await this.#isThere(one))) return;
    await readModels.buildIndexes(filling);
    await this.#parts.compare(one, filling);
    // Events may have arrived in the meantime.
    if (!(await this.#isThere(one))) return;
    await assertRight(readModels, projection, lease);
    one.unannounced = true;
    await readModels.setAlias(projection.name, filling);
    one.served = filling;
    one.filling = undefined;
    one.goal = undefined;
    one.movedAt = clock.now();
    await this.#changed(one);
    log.info({ projection: projection.name, collection: filling }, 'new projection build is live');
    if (served !== undefined) this.#retire(one, served);
  }

  async #isThere(one: ManagedReadModel): Promise<boolean> {
    const { readModels, clock } = this.#parts;
    const next = await shardPlaces(readModels, one.filling!, this.#shards());
    const least = Math.min(...[...next.values()].map(({ position }) => position));
    if (least !== one.least) one.movedAt = clock.now();
    one.least = least;
    if (least < one.goal!) return false;
    if (one.served === undefined) return true;
    const current = await shardPlaces(readModels, one.served, this.#shards());
    // A serving build of another version does not move, so a shard that has passed it stays ahead of it.
    for (const [shard, { position }] of next) if (position < current.get(shard)!.position) return false;
    return true;
  }

  #retire(one: ManagedReadModel, physical: string): void {
    if (one.retired.has(physical)) return;
    one.retired.add(physical);
    this.#parts.retire(one, physical);
  }

  async #changed(one: ManagedReadModel): Promise<void> {
    const { readModels } = this.#parts;
    const name = buildsCount(one.projection.name);
    const position = Math.max(0, (await readModels.checkpoint(name)) + 1);
    await readModels.write({}, { name, position }, rightOf(one.projection, one.lease));
    one.unannounced = false;
    this.#parts.changed();
  }

  async #dropPlaces(physical: string): Promise<void> {
    await dropPlaces(this.#parts.readModels, physical, this.#parts.count);
  }

  #shards(): number[] {
    return Array.from({ length: this.#parts.count }, (_, shard) => shard);
  }
}

/** Drops the places of a build's shards. */
export async function dropPlaces(readModels: DocumentStore, physical: string, count: number): Promise<void> {
  const names = [physical, ...Array.from({ length: count }, (_, shard) => shardCheckpoint(physical, shard))];
  const positions = await readModels.checkpoints(names);
  for (const name of names) if (positions.get(name) !== BEFORE_ALL) await readModels.dropCheckpoint(name);
}
