import { placeInLog, REPLICA_MS } from '../logPlaces.js';
import { messageOf } from '../messageOf.js';
import type { Lease } from '../ownership/lease.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { Build } from './build.js';
import { type BuildName, buildName, findBuilds } from './builds.js';
import { assertRight } from './ownerRight.js';
import type { BuildParts } from './pendingWrite.js';
import { type AnyProjection, definitionOf } from './projection.js';
import { ReadModel } from './readModel.js';
import { WHOLE } from './shardStates.js';
import { skippedNow } from './skipWatch.js';

/** Builds that are opened within this time count as one start, in ms. */
const SAME_START_MS = 60_000;

interface OpeningParts extends BuildParts {
  readonly eventStore: Pick<EventStore, 'readStream' | 'head' | 'exact'>;
  readonly log: Log;
}

/**
 * Opens the builds of a store, and begins new ones. With a lease, each build is claimed before it is read. A build of
 * another log, for example from before a restore, is begun again and hidden until then.
 */
export class Opening {
  readonly #readModels: DocumentStore;
  readonly #parts: OpeningParts;
  /**
   * Time at which a build of another log was last found, in ms of a steady clock. Other builds of the same start then
   * do not wait for replicas.
   */
  #strangerAt = Number.NEGATIVE_INFINITY;

  constructor(parts: OpeningParts) {
    this.#readModels = parts.readModels;
    this.#parts = parts;
  }

  /**
   * Opens existing builds, and begins a new build if one is missing. `leftovers`: collections that are no longer
   * needed. A build whose collection cannot be opened is stopped, with `reopen` to retry.
   */
  async open(
    projection: AnyProjection,
    collections: readonly string[],
    head: Position,
    lease?: Lease,
  ): Promise<{ model: ReadModel; leftovers: readonly string[] }> {
    const model = new ReadModel(projection, lease);
    for (const id of await skippedNow(this.#parts.eventStore, projection)) model.skipped.add(id);
    const {
      served,
      filling: next,
      leftovers,
      nextRebuild,
    } = await findBuilds(this.#readModels, projection, collections);
    const strange: BuildName[] = [];
    const resumed = async (build: BuildName | undefined, filling: boolean): Promise<string | undefined> => {
      if (build === undefined) return undefined;
      const found = await this.#resume(model, build, filling);
      if (found === undefined) strange.push(build);
      else model.parts.add(found);
      return found?.physical;
    };
    model.served = await resumed(served, false);
    model.frozen = model.served !== undefined && served?.version !== projection.version;
    model.filling = await resumed(next, true);
    if (strange.length > 0)
      await this.#forget(
        model,
        strange.find((one) => one === served),
      );
    if (model.filling === undefined && (model.served === undefined || model.frozen))
      await this.#start(model, buildName(projection.name, projection.version, nextRebuild), head);
    return { model, leftovers: [...leftovers, ...strange.map(({ physical }) => physical)] };
  }

  /** Hides a build of another log until it is built from this one. */
  async #forget({ projection, lease }: ReadModel, served: BuildName | undefined): Promise<void> {
    const { name: projectionName, version } = projection;
    this.#parts.log.warn(
      { projection: projectionName, version },
      'projection was built from a different event log, rebuilding it from this log',
    );
    await assertRight(this.#readModels, projection, lease);
    if (served !== undefined) await this.#readModels.dropAlias(projectionName, served.physical);
  }

  /** Begins a build. On an empty log there is nothing to fill, so it serves at once. */
  async #start(model: ReadModel, name: BuildName, head: Position): Promise<void> {
    if (model.served !== undefined || head !== BEFORE_ALL) {
      await this.#begin(model, name, 'later');
      return;
    }
    await this.#begin(model, name, 'now');
    await this.#readModels.setAlias(model.projection.name, name.physical);
  }

  /** Begins a build of the same version while the current one serves. A build that is filling is no longer the next. */
  async again(model: ReadModel): Promise<Build> {
    const { projection } = model;
    const { nextRebuild } = await findBuilds(this.#readModels, projection, await this.#readModels.list());
    return this.#begin(model, buildName(projection.name, projection.version, nextRebuild), 'later');
  }

  async #begin(model: ReadModel, { physical }: BuildName, indexes: 'now' | 'later'): Promise<Build> {
    const { projection, lease, skipped } = model;
    await assertRight(this.#readModels, projection, lease);
    if (lease === undefined) await this.#readModels.dropCheckpoint(physical);
    await this.#readModels.open(definitionOf(projection, physical), { indexes });
    if (lease !== undefined) {
      // Dropped only if it exists: a drop has no fence, so a late instance would take it from the current owner.
      const left = await this.#readModels.claim({ name: physical, fence: lease.fence });
      if (left !== BEFORE_ALL) await this.#readModels.dropCheckpoint(physical);
    }
    const shards = [{ shard: WHOLE, lease, place: { position: BEFORE_ALL } }];
    const build = new Build(this.#parts, { projection, physical, shards, skipped, isNew: true });
    build.indexesLater = indexes === 'later';
    model.parts.add(build);
    model[indexes === 'later' ? 'filling' : 'served'] = physical;
    return build;
  }

  /** Returns undefined if the build was made from another log. */
  async #resume(model: ReadModel, { physical, version }: BuildName, filling: boolean): Promise<Build | undefined> {
    const { projection, lease, skipped } = model;
    const position =
      lease === undefined
        ? await this.#readModels.checkpoint(physical)
        : await this.#readModels.claim({ name: physical, fence: lease.fence });
    const place = await this.#placeOf(physical, position);
    if (place === undefined) return undefined;
    // A build of another version serves unchanged: the handlers that made it no longer exist.
    const frozen = version !== projection.version;
    const shards = [{ shard: WHOLE, lease, place }];
    const build = new Build(this.#parts, { projection, physical, shards, skipped, frozen });
    build.indexesLater = filling;
    if (frozen) return build;
    const open = () =>
      this.#readModels.open(definitionOf(projection, physical), { indexes: filling ? 'later' : 'now' });
    try {
      await open();
    } catch (error) {
      if (error instanceof Fenced) throw error;
      build.reopen = open;
      build.stop({ position, error: messageOf(error) });
    }
    return build;
  }

  async #placeOf(physical: string, position: Position): Promise<LogPlace | undefined> {
    const mark = (await this.#readModels.marks([physical])).get(physical);
    const waitMs = performance.now() - this.#strangerAt < SAME_START_MS ? 0 : REPLICA_MS;
    const found = await placeInLog(this.#parts.eventStore, { position, mark }, waitMs);
    if (found.isValid) return found.from;
    this.#strangerAt = performance.now();
    return undefined;
  }
}
