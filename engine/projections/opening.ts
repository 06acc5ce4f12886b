import { defined } from '../../domain/defined.js';
import { placeInLog, REPLICA_MS } from '../logPlaces.js';
import { messageOf } from '../messageOf.js';
import type { Lease } from '../ownership/lease.js';
import { type DocumentStore, Fenced } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace, type Position } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import { projectionSkips, readSkips, skippedBy } from '../skipping/skippedEvents.js';
import { Build } from './build.js';
import { type BuildName, buildName, findBuilds } from './builds.js';
import { assertRight } from './ownerRight.js';
import type { BuildParts } from './pendingWrite.js';
import { type AnyProjection, definitionOf } from './projection.js';
import { WHOLE } from './shardStates.js';

/** A projection with its builds: the one that queries read, and the one that will replace it. */
export interface Running {
  readonly projection: AnyProjection;
  /** Present if other instances may take it over. */
  readonly lease: Lease | undefined;
  /** Known ids of the events that all its builds skip. */
  readonly skipped: Set<string>;
  current?: Build;
  next?: Build;
}

/** Returns the ids of events that this version of the projection skips, according to the log. */
export const skippedNow = async (
  eventStore: Pick<EventStore, 'readStream'>,
  { name, version }: AnyProjection,
): Promise<ReadonlySet<string>> => skippedBy(await readSkips(eventStore, projectionSkips, name), version);

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
  ): Promise<{ running: Running; leftovers: readonly string[] }> {
    const skipped = await skippedNow(this.#parts.eventStore, projection);
    const running: Running = { projection, lease, skipped: new Set(skipped) };
    const {
      served,
      filling: next,
      leftovers,
      nextRebuild,
    } = await findBuilds(this.#readModels, projection, collections);
    const strange: BuildName[] = [];
    const resumed = async (build: BuildName | undefined, filling: boolean): Promise<Build | undefined> => {
      const found = build && (await this.#resume(running, build, filling));
      if (build !== undefined && found === undefined) strange.push(build);
      return found;
    };
    Object.assign(running, defined({ current: await resumed(served, false), next: await resumed(next, true) }));
    if (strange.length > 0)
      await this.#forget(
        running,
        strange.find((one) => one === served),
      );
    if (running.next === undefined && running.current?.frozen !== false)
      await this.#start(running, buildName(projection.name, projection.version, nextRebuild), head);
    return { running, leftovers: [...leftovers, ...strange.map(({ physical }) => physical)] };
  }

  /** Hides a build of another log until it is built from this one. */
  async #forget({ projection, lease }: Running, served: BuildName | undefined): Promise<void> {
    const { name: projectionName, version } = projection;
    this.#parts.log.warn(
      { projection: projectionName, version },
      'projection was built from a different event log, rebuilding it from this log',
    );
    await assertRight(this.#readModels, projection, lease);
    if (served !== undefined) await this.#readModels.dropAlias(projectionName, served.physical);
  }

  /** Begins a build. On an empty log there is nothing to fill, so it serves at once. */
  async #start(running: Running, name: BuildName, head: Position): Promise<void> {
    if (running.current !== undefined || head !== BEFORE_ALL) {
      running.next = await this.#begin(running, name, 'later');
      return;
    }
    running.current = await this.#begin(running, name, 'now');
    await this.#readModels.setAlias(running.projection.name, name.physical);
  }

  /** Begins a build of the same version while the current one serves. */
  async again(running: Running): Promise<Build> {
    const { projection } = running;
    const { nextRebuild } = await findBuilds(this.#readModels, projection, await this.#readModels.list());
    return this.#begin(running, buildName(projection.name, projection.version, nextRebuild), 'later');
  }

  async #begin(running: Running, { physical }: BuildName, indexes: 'now' | 'later'): Promise<Build> {
    const { projection, lease, skipped } = running;
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
    return build;
  }

  /** Returns undefined if the build was made from another log. */
  async #resume(running: Running, { physical, version }: BuildName, filling: boolean): Promise<Build | undefined> {
    const { projection, lease, skipped } = running;
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
