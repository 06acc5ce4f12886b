/** Read models whose documents several instances share by shards. This instance runs the shards that it owns. */
import type { Lease } from '../../ownership/lease.js';
import type { Leases } from '../../ownership/leases.js';
import { type SteadyClock, steadyClock } from '../../ports/clock.js';
import { Fenced } from '../../ports/documents.js';
import type { Position } from '../../ports/eventStore.js';
import { type Log, silentLog } from '../../ports/log.js';
import { shardKeyOf, shardOf } from '../../shards.js';
import { Announcements } from '../announcements.js';
import { removeBuild } from '../builds.js';
import { Landmarks } from '../checking/landmarks.js';
import type { Subject } from '../checking/spotCheck.js';
import { SpotChecks } from '../checking/spotChecks.js';
import type { Positions, ProjectionRuntime, ProjectionRuntimeOptions } from '../contract.js';
import { HandlerCheck } from '../handlerCheck.js';
import { type Owned, type PageOf, pageOf } from '../page.js';
import type { AnyProjection } from '../projection.js';
import { isStopped, ReadModel } from '../readModel.js';
import { Retirement } from '../retirement.js';
import { SkipWatch } from '../skipWatch.js';
import { type ProjectionStatus, statusElsewhere, statusOf } from '../status.js';
import { Turns } from '../turns.js';
import type { Changed } from '../viewChanges.js';
import { BuildManager, dropPlaces, type ManagedReadModel } from './buildManager.js';
import { shardLease, shardRight } from './names.js';
import { refreshBuilds } from './openings.js';
import { OwnedParts } from './ownedParts.js';
import { PeriodicCheck } from './periodicCheck.js';
import { wholePlaces } from './places.js';

export interface ShardedOptions extends ProjectionRuntimeOptions {
  readonly leases: Pick<Leases, 'hold' | 'ownerOf'>;
  readonly shards: number;
}

/** Shards that are acquired within this time begin together, in ms. */
const TOGETHER_MS = 50;
/** Interval of checks for changes, in ms: builds, and checkpoints that only moved. */
const LOOK_MS = 1000;
/** Minimum grace period of a replaced build, in ms. Its owners write it until they learn of the replacement. */
const LEAST_GRACE_MS = 3 * LOOK_MS;
const GRACE_MS = 5000;

const leaseOf = ({ name }: AnyProjection): string => `projection:${name}`;

class ShardedProjections implements ProjectionRuntime {
  readonly #options: ShardedOptions;
  readonly #log: Log;
  readonly #clock: SteadyClock;
  readonly #turns = new Turns();
  readonly #announcements: Announcements;
  readonly #mine = new Map<number, Lease>();
  readonly #models: ReadonlyMap<string, ReadModel>;
  readonly #manager: BuildManager;
  readonly #retirement: Retirement;
  readonly #handlers: HandlerCheck;
  readonly #periodicCheck: PeriodicCheck;
  readonly #owned: OwnedParts;
  readonly #checks: SpotChecks;
  readonly #skipping: SkipWatch;

  constructor(options: ShardedOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#clock = options.clock ?? steadyClock;
    this.#models = new Map(options.projections.map((one) => [one.name, new ReadModel(one)]));
    this.#announcements = new Announcements(this.#models, options.shards);
    const owned: Owned = {
      shardOf: (event) => shardOf(shardKeyOf(event), options.shards),
      has: (shard) => this.#mine.has(shard),
    };
    const page: PageOf = (events, request) => pageOf(events, request, owned);
    const accepts = (key: string): boolean => this.#mine.has(shardOf(key, options.shards));
    const shared = { turns: this.#turns, clock: this.#clock, log: this.#log };
    const source = { ...options, ...shared, page, accepts, landmarks: new Landmarks() };
    this.#handlers = new HandlerCheck(source);
    this.#owned = new OwnedParts(source, {
      mine: this.#mine,
      models: this.#models,
      announcements: this.#announcements,
      requestCheck: () => this.#periodicCheck.within(0),
      stopped: () => this.#skipping.checkSoon(),
    });
    const own = { mine: this.#mine, models: this.#models, owned: this.#owned };
    this.#periodicCheck = new PeriodicCheck(this.#clock, LOOK_MS, () => this.#check({ ...source, ...own }));
    this.#skipping = new SkipWatch({
      ...source,
      models: this.#models,
      isStopped: (part) => this.#owned.isStopped(part),
      goOn: (parts) => this.#owned.goOn(parts),
    });
    const remove = async (physical: string): Promise<void> => {
      await dropPlaces(options.readModels, physical, options.shards);
      await removeBuild(options.readModels, physical);
    };
    this.#retirement = new Retirement(source, Math.max(LEAST_GRACE_MS, options.graceMs ?? GRACE_MS), remove);
    this.#checks = new SpotChecks({ ...source, serving: () => this.#serving() });
    this.#manager = new BuildManager({
      ...source,
      compare: async (kept, physical) => {
        await this.#checks.beforeServing([this.#subjectOf(kept, physical)], kept.fillingSince);
      },
      count: options.shards,
      changed: () => this.#periodicCheck.within(0),
      retire: ({ projection, lease }, physical) => this.#retirement.retire({ projection, lease }, physical),
      met: ({ projection, lease }, physical, isNew) => {
        const model = this.#models.get(projection.name)!;
        const flag = {
          set handlersChanged(_: boolean) {
            model.handlersChanged = true;
          },
        };
        const about = { name: projection.name, projection, physical, lease, isNew, frozen: false, hasLeft: false };
        this.#handlers.begin([Object.assign(flag, about)]);
      },
    });
  }

  async start(): Promise<void> {
    const { leases, projections, shards } = this.#options;
    for (const projection of projections)
      leases.hold(
        leaseOf(projection),
        {
          acquired: (lease) => this.#manager.acquired(projection, lease),
          lost: () => this.#manager.lost(projection),
        },
        // The lease goes to the newest version on any instance. An older one could only continue builds that it would
        // replace.
        projection.version,
      );
    for (let shard = 0; shard < shards; shard++)
      leases.hold(shardLease(shard), {
        acquired: (lease) => this.#own(shard, lease),
        lost: (how) => this.#disown(shard, how),
      });
    this.#periodicCheck.within(LOOK_MS);
    this.#checks.start();
  }

  async stop(): Promise<void> {
    await this.#checks.stop();
    this.#skipping.stop();
    this.#owned.published.stop();
    this.#retirement.stop();
    await this.#handlers.stop();
    await this.#manager.stop();
    await this.#periodicCheck.stop();
    await this.#owned.stop();
    this.#announcements.close();
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    return this.#announcements.waitFor(names, position, timeoutMs);
  }

  onProgress(callback: (positions: Positions, changed: Changed) => void): () => void {
    return this.#announcements.onProgress(callback);
  }

  onStopped(callback: (names: readonly string[]) => void): () => void {
    return this.#announcements.onStopped(callback);
  }

  async status(): Promise<ProjectionStatus[]> {
    const { eventStore, readModels, leases, shards } = this.#options;
    const head = await eventStore.head();
    const here = new Map<string, ProjectionStatus>();
    for (const [name, one] of this.#models) {
      const status = statusOf(one, head, (part) => this.#owned.isFed(part));
      if (status !== undefined) here.set(name, { ...status, ...this.#managedStatus(name) });
    }
    const owners = Array.from({ length: shards }, (_, shard) => leases.ownerOf(shardLease(shard)));
    const names = [...new Set(owners.filter((owner) => owner !== undefined))].sort().join(', ');
    const others = this.#options.projections.filter(({ name }) => !here.has(name));
    const elsewhere = await statusElsewhere(readModels, others, head, () => names || undefined, shards);
    return [...here.values(), ...elsewhere];
  }

  /** Returns the state of the builds, if this instance manages them. */
  #managedStatus(name: string): Pick<ProjectionStatus, 'keepsBuilds' | 'differing'> {
    const kept = this.#manager.get(name);
    if (kept === undefined) return {};
    const differing = this.#checks.differing(kept.served ?? kept.filling);
    return { keepsBuilds: true, ...(differing > 0 && { differing }) };
  }

  #serving(): Subject[] {
    const isCurrent = ({ projection: { name }, served }: ManagedReadModel): boolean =>
      served !== undefined && this.#models.get(name)?.frozen === false;
    return this.#manager
      .all()
      .filter(isCurrent)
      .map((kept) => this.#subjectOf(kept, kept.served!));
  }

  #subjectOf({ projection }: ManagedReadModel, physical: string): Subject {
    const { readModels, shards } = this.#options;
    return {
      projection,
      physical,
      skipped: this.#models.get(projection.name)!.skipped,
      place: async () => (await wholePlaces(readModels, [physical], shards)).get(physical)!.position,
      isUnchanged: () => {
        const kept = this.#manager.get(projection.name);
        return kept?.served === physical || kept?.filling === physical;
      },
    };
  }

  async rebuild(name: string): Promise<void> {
    const model = this.#models.get(name);
    if (model === undefined) throw new Error(`unknown projection '${name}'`);
    await this.#manager.rebuild(name, model.next.some(isStopped));
    model.stale = true;
    await this.#periodicCheck.now();
  }

  async #own(shard: number, lease: Lease): Promise<void> {
    try {
      await this.#options.readModels.claim({ name: shardRight(shard), fence: lease.fence });
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      return lease.fenced();
    }
    this.#mine.set(shard, lease);
    for (const one of this.#models.values()) one.stale = true;
    this.#periodicCheck.within(TOGETHER_MS);
  }

  #disown(shard: number, how: 'handover' | 'lost'): Promise<void> {
    return this.#turns.run(() => {
      this.#mine.delete(shard);
      return this.#owned.disown(shard, how);
    });
  }

  /** Applies changes: builds and shards. */
  async #check(parts: Parameters<typeof refreshBuilds>[0]): Promise<void> {
    try {
      await refreshBuilds(parts);
      await this.#owned.save();
    } catch (error) {
      this.#log.warn({ err: error }, 'read model shards could not be started, retrying');
    }
  }
}

/** Creates the runtime of partitioned projections (`parted`). It owns shards of all of them while it has the leases. */
export const createShardedProjections = (options: ShardedOptions): ProjectionRuntime => new ShardedProjections(options);
