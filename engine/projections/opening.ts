import { messageOf } from '../messageOf.js';
import type { Tenure } from '../ownership/tenure.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position } from '../ports/eventStore.js';
import { projectionSkips, readSkips, skippedBy } from '../skipping/skippedEvents.js';
import { Build, type BuildParts, definitionOf } from './build.js';
import { type BuildName, buildName, findBuilds } from './builds.js';
import { assertRight } from './ownerRight.js';
import type { AnyProjection } from './projection.js';

/** A projection with its builds: the one that queries read, and the one that shall take its place. */
export interface Running {
  readonly projection: AnyProjection;
  /** Where other instances may take it over. */
  readonly tenure: Tenure | undefined;
  /** Ids of the events that all its builds pass over, as far as it is known. */
  readonly skipped: Set<string>;
  current?: Build;
  next?: Build;
}

/** Ids of the events that this version of the projection passes over, as the log says now. */
export const skippedNow = async (
  eventStore: Pick<EventStore, 'readStream'>,
  { name, version }: AnyProjection,
): Promise<ReadonlySet<string>> => skippedBy(await readSkips(eventStore, projectionSkips, name), version);

/** Finds the builds that a store holds, and begins new ones. With a tenure, each is claimed before it is read. */
export class Opening {
  readonly #readModels: DocumentStore;
  readonly #parts: BuildParts;

  constructor(parts: BuildParts) {
    this.#readModels = parts.readModels;
    this.#parts = parts;
  }

  /** What was built before, and a new build where one is missing; `leftovers` are collections that nothing needs. */
  async open(
    projection: AnyProjection,
    collections: readonly string[],
    head: Position,
    tenure?: Tenure,
  ): Promise<{ running: Running; leftovers: readonly string[] }> {
    const skipped = await skippedNow(this.#parts.eventStore, projection);
    const running: Running = { projection, tenure, skipped: new Set(skipped) };
    const { served, begun, leftovers } = await findBuilds(this.#readModels, projection, collections);
    if (served !== undefined) running.current = await this.#resume(running, served, false);
    if (begun !== undefined) running.next = await this.#resume(running, begun, true);
    else if (served === undefined && head === BEFORE_ALL) running.current = await this.#first(running);
    else if (served?.version !== projection.version)
      running.next = await this.#begin(running, buildName(projection.name, projection.version, 0), 'later');
    return { running, leftovers };
  }

  /** Begins a build of the same version beside the one that serves. */
  async again(running: Running): Promise<Build> {
    const { projection } = running;
    const { nextRebuild } = await findBuilds(this.#readModels, projection, await this.#readModels.list());
    return this.#begin(running, buildName(projection.name, projection.version, nextRebuild), 'later');
  }

  /** On an empty log there is nothing to fill. */
  async #first(running: Running): Promise<Build> {
    const { projection } = running;
    const build = await this.#begin(running, buildName(projection.name, projection.version, 0), 'now');
    await this.#readModels.setAlias(projection.name, build.physical);
    return build;
  }

  async #begin(running: Running, { physical }: BuildName, indexes: 'now' | 'later'): Promise<Build> {
    const { projection, tenure, skipped } = running;
    await assertRight(this.#readModels, projection, tenure);
    if (tenure === undefined) await this.#readModels.dropCheckpoint(physical);
    await this.#readModels.open(definitionOf(projection, physical), { indexes });
    if (tenure !== undefined) {
      // Dropped only when there is one: it bears no fence, so one that wakes late takes it from the owner of that time.
      const left = await this.#readModels.claim({ name: physical, fence: tenure.fence });
      if (left !== BEFORE_ALL) await this.#readModels.dropCheckpoint(physical);
    }
    const at = { physical, position: BEFORE_ALL, empty: true, frozen: false, tenure, skipped };
    const build = new Build(this.#parts, projection, at);
    build.indexesLater = indexes === 'later';
    return build;
  }

  async #resume(running: Running, { physical, version }: BuildName, filling: boolean): Promise<Build> {
    const { projection, tenure, skipped } = running;
    const position =
      tenure === undefined
        ? await this.#readModels.checkpoint(physical)
        : await this.#readModels.claim({ name: physical, fence: tenure.fence });
    // A build of another version serves as it stands: the handlers that made it are gone.
    const frozen = version !== projection.version;
    const at = { physical, position, empty: false, frozen, tenure, skipped };
    const build = new Build(this.#parts, projection, at);
    build.indexesLater = filling;
    if (frozen) return build;
    try {
      await this.#readModels.open(definitionOf(projection, physical), { indexes: filling ? 'later' : 'now' });
    } catch (error) {
      build.stop({ position, error: messageOf(error) });
    }
    return build;
  }
}
