/** Read models whose documents several instances share by shards. This instance runs the shards that it owns. */
import type { Lease } from '../../ownership/lease.js';
import type { Leases } from '../../ownership/leases.js';
import { Fenced } from '../../ports/documents.js';
import type { Log } from '../../ports/log.js';
import { shardKeyOf, shardOf } from '../../shards.js';
import type { ActiveBuilds } from '../activeBuilds.js';
import { removeBuild } from '../builds.js';
import type { Subject } from '../checking/spotCheck.js';
import type { ProjectionRuntimeOptions } from '../contract.js';
import { holdRights } from '../ownerRight.js';
import { type Owned, type PageOf, pageOf } from '../page.js';
import type { AnyProjection } from '../projection.js';
import { isStopped, ReadModel } from '../readModel.js';
import { Retirement } from '../retirement.js';
import type { ModelGroup, RuntimeParts } from '../runtimeParts.js';
import { Turns } from '../turns.js';
import { BuildManager, dropPlaces, type ManagedReadModel } from './buildManager.js';
import { shardLease, shardRight } from './names.js';
import { refreshBuilds } from './openings.js';
import { OwnedParts } from './ownedParts.js';
import { PeriodicCheck } from './periodicCheck.js';
import { wholePlaces } from './places.js';

interface Shards {
  readonly projections: readonly AnyProjection[];
  readonly leases: Pick<Leases, 'hold' | 'ownerOf'>;
  /** Number of shards. */
  readonly count: number;
}

/** Shards that are acquired within this time begin together, in ms. */
const TOGETHER_MS = 50;
/** Interval of checks for changes, in ms: builds, and checkpoints that only moved. */
const LOOK_MS = 1000;
/** Minimum grace period of a replaced build, in ms. Its owners write it until they learn of the replacement. */
const LEAST_GRACE_MS = 3 * LOOK_MS;

/** Partitioned read models (`partitionedBy`). This instance runs shards of all of them while it has the leases. */
export class PartitionedModels implements ModelGroup {
  readonly turns = new Turns();
  readonly #shards: Shards;
  readonly #options: ProjectionRuntimeOptions;
  readonly #log: Log;
  readonly #mine = new Map<number, Lease>();
  readonly #models: ReadonlyMap<string, ReadModel>;
  readonly #manager: BuildManager;
  readonly #retirement: Retirement;
  readonly #periodicCheck: PeriodicCheck;
  readonly #owned: OwnedParts;

  constructor(parts: RuntimeParts, shards: Shards) {
    const { options, clock, log, landmarks, announcements, handlers } = parts;
    const { projections, count } = shards;
    this.#shards = shards;
    this.#options = options;
    this.#log = log;
    this.#models = new Map(projections.map((one) => [one.name, new ReadModel(one)]));
    for (const [name, model] of this.#models) parts.models.set(name, model);
    const owned: Owned = {
      shardOf: (event) => shardOf(shardKeyOf(event), count),
      has: (shard) => this.#mine.has(shard),
    };
    const page: PageOf = (events, request) => pageOf(events, request, owned);
    const accepts = (key: string): boolean => this.#mine.has(shardOf(key, count));
    const source = { ...options, turns: this.turns, clock, log, page, accepts, landmarks };
    this.#owned = new OwnedParts(source, {
      mine: this.#mine,
      models: this.#models,
      announcements,
      requestCheck: () => this.#periodicCheck.within(0),
      stopped: () => parts.hasStopped(),
    });
    const own = { mine: this.#mine, models: this.#models, owned: this.#owned };
    this.#periodicCheck = new PeriodicCheck(clock, LOOK_MS, () => this.#check({ ...source, ...own }));
    const remove = async (physical: string): Promise<void> => {
      await dropPlaces(options.readModels, physical, count);
      await removeBuild(options.readModels, physical);
    };
    this.#retirement = new Retirement(source, Math.max(LEAST_GRACE_MS, parts.graceMs), remove);
    this.#manager = new BuildManager({
      ...source,
      compare: async (managed, physical) => {
        await parts.compare([this.#subjectOf(managed, physical)], managed.fillingSince);
      },
      count,
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
        handlers.begin([Object.assign(flag, about)]);
      },
    });
  }

  async start(): Promise<void> {
    const { leases, projections, count } = this.#shards;
    holdRights(leases, this.#options.readModels, projections, this.#manager);
    for (let shard = 0; shard < count; shard++)
      leases.hold(shardLease(shard), {
        acquired: (lease) => this.#own(shard, lease),
        lost: (how) => this.#disown(shard, how),
      });
    this.#periodicCheck.within(LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#owned.published.stop();
    this.#retirement.stop();
    await this.#manager.stop();
    await this.#periodicCheck.stop();
    await this.builds.stop();
  }

  get builds(): ActiveBuilds {
    return this.#owned.builds;
  }

  manages(name: string): boolean {
    return this.#manager.has(name);
  }

  ownerOf(): string | undefined {
    const { leases, count } = this.#shards;
    const owners = Array.from({ length: count }, (_, shard) => leases.ownerOf(shardLease(shard)));
    const names = [...new Set(owners.filter((owner) => owner !== undefined))].sort().join(', ');
    return names || undefined;
  }

  serving(): Subject[] {
    const isCurrent = ({ projection: { name }, served }: ManagedReadModel): boolean =>
      served !== undefined && this.#models.get(name)?.frozen === false;
    return this.#manager
      .all()
      .filter(isCurrent)
      .map((managed) => this.#subjectOf(managed, managed.served!));
  }

  #subjectOf({ projection }: ManagedReadModel, physical: string): Subject {
    const { readModels } = this.#options;
    return {
      projection,
      physical,
      skipped: this.#models.get(projection.name)!.skipped,
      place: async () => (await wholePlaces(readModels, [physical], this.#shards.count)).get(physical)!.position,
      isUnchanged: () => {
        const managed = this.#manager.get(projection.name);
        return managed?.served === physical || managed?.filling === physical;
      },
    };
  }

  async rebuild(name: string): Promise<void> {
    const model = this.#models.get(name)!;
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
    return this.turns.run(() => {
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
