/** Read models whose documents several instances share by shards: the shards that this one owns, of all of them. */
import type { Lease } from '../../ownership/lease.js';
import type { Leases } from '../../ownership/leases.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import { Fenced } from '../../ports/documents.js';
import { type LogPlace, type Position, type RecordedEvent, StoreUnavailable } from '../../ports/eventStore.js';
import { type Log, silentLog } from '../../ports/log.js';
import { shardKeyOf, shardOf } from '../../shards.js';
import { findBuilds, removeBuild } from '../builds.js';
import { CatchUp } from '../catchUp.js';
import type { Positions, ProjectionRuntime, ProjectionRuntimeOptions } from '../contract.js';
import { HandlerCheck } from '../handlerCheck.js';
import { LiveFeed } from '../liveFeed.js';
import { skippedNow } from '../opening.js';
import { type Owned, pageOf } from '../page.js';
import type { AnyProjection } from '../projection.js';
import { Retirement } from '../retirement.js';
import { type ProjectionStatus, statusElsewhere } from '../status.js';
import { Turns } from '../turns.js';
import type { Changed } from '../viewChanges.js';
import { ShardAnnouncements } from './announcements.js';
import { BuildsKeeper, dropPlaces } from './keeper.js';
import { Looks } from './looks.js';
import { buildsCount, shardLease, shardRight } from './names.js';
import { Part } from './part.js';
import { placesInLog, shardPlaces } from './places.js';
import { newSharing, type Sharing, shardsIn, statusOfSharing } from './sharing.js';
import { ToldPlaces } from './told.js';

export interface ShardedOptions extends ProjectionRuntimeOptions {
  readonly leases: Pick<Leases, 'hold' | 'ownerOf'>;
  readonly shards: number;
}

/** Higher than that of releases that own read models as a whole: of the same version they let go of what is parted. */
const RANK = 0.5;
const FAR = 10_000;
/** Shards that come within this time begin together, in ms. */
const TOGETHER_MS = 50;
/** Between two looks at what has changed: builds, events that are skipped, checkpoints that only moved. */
const LOOK_MS = 1000;
/** A build that was replaced is written for as long as its owners do not know. */
const LEAST_GRACE_MS = 3 * LOOK_MS;
const GRACE_MS = 5000;

/** Where shards of a build go on. */
interface Opened {
  readonly one: Sharing;
  readonly physical: string;
  readonly shards: readonly { readonly shard: number; readonly lease: Lease; readonly place: LogPlace }[];
}

const leaseOf = ({ name }: AnyProjection): string => `projection:${name}`;

class ShardedProjections implements ProjectionRuntime {
  readonly #options: ShardedOptions;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #turns = new Turns();
  readonly #announcements: ShardAnnouncements;
  readonly #mine = new Map<number, Lease>();
  readonly #sharings: ReadonlyMap<string, Sharing>;
  readonly #feed: LiveFeed<Part>;
  readonly #catchUp: CatchUp<Part>;
  readonly #keeper: BuildsKeeper;
  readonly #retirement: Retirement;
  readonly #handlers: HandlerCheck;
  readonly #looks: Looks;
  readonly #told: ToldPlaces;
  #examining: Promise<void> | undefined;

  constructor(options: ShardedOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#clock = options.clock ?? systemClock;
    this.#looks = new Looks(this.#clock, LOOK_MS, () => this.#look());
    this.#sharings = new Map(options.projections.map((one) => [one.name, newSharing(one)]));
    this.#announcements = new ShardAnnouncements(this.#sharings, options.shards);
    const owned: Owned = {
      shardOf: (event) => shardOf(shardKeyOf(event), options.shards),
      has: (shard) => this.#mine.has(shard),
    };
    const page = (events: readonly RecordedEvent[]) => pageOf(events, owned);
    const wants = (key: string): boolean => this.#mine.has(shardOf(key, options.shards));
    const beside = () => this.#told.beside();
    const source = { ...options, turns: this.#turns, clock: this.#clock, log: this.#log, page, wants, beside };
    this.#handlers = new HandlerCheck(source);
    this.#feed = new LiveFeed<Part>(source, undefined, {
      moved: (parts) => this.#moved(parts),
      poisoned: (part) => this.#poisoned(part),
      refused: (part, through, error) => this.#refused(part, through, error),
    });
    this.#catchUp = new CatchUp<Part>(source, {
      arrived: (parts) => this.#arrived(parts),
      poisoned: (part) => this.#poisoned(part),
      wrote: (part) => this.#announcements.wrote(part),
      fenced: (part) => void this.#examine(part),
      sharesThread: () => this.#feed.builds.size > 0,
    });
    const remove = async (physical: string): Promise<void> => {
      await dropPlaces(options.readModels, physical, options.shards);
      await removeBuild(options.readModels, physical);
    };
    this.#told = new ToldPlaces(source, {
      mine: () => this.#mine.keys(),
      sharings: () => this.#sharings.values(),
      isFed: (part) => this.#feed.builds.has(part),
    });
    this.#retirement = new Retirement(source, Math.max(LEAST_GRACE_MS, options.graceMs ?? GRACE_MS), remove);
    this.#keeper = new BuildsKeeper({
      ...source,
      count: options.shards,
      changed: () => this.#looks.within(0),
      retire: ({ projection, lease }, physical) => this.#retirement.retire({ projection, lease }, physical),
      met: ({ projection, lease }, physical, isNew) => {
        const sharing = this.#sharings.get(projection.name)!;
        const flag = {
          set handlersChanged(_: boolean) {
            sharing.handlersChanged = true;
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
          acquired: (lease) => this.#keeper.acquired(projection, lease),
          lost: () => this.#keeper.lost(projection),
        },
        projection.version + RANK,
      );
    for (let shard = 0; shard < shards; shard++)
      leases.hold(shardLease(shard), {
        acquired: (lease) => this.#own(shard, lease),
        lost: (how) => this.#disown(shard, how),
      });
    this.#looks.within(LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#told.stop();
    this.#retirement.stop();
    await this.#handlers.stop();
    await this.#keeper.stop();
    await this.#looks.stop();
    await this.#catchUp.stop();
    await this.#feed.stop();
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
    for (const [name, one] of this.#sharings) {
      const status = statusOfSharing(one, head, (part) => this.#feed.builds.has(part));
      if (status !== undefined) here.set(name, this.#keeper.has(name) ? { ...status, keepsBuilds: true } : status);
    }
    const owners = Array.from({ length: shards }, (_, shard) => leases.ownerOf(shardLease(shard)));
    const names = [...new Set(owners.filter((owner) => owner !== undefined))].sort().join(', ');
    const others = this.#options.projections.filter(({ name }) => !here.has(name));
    const elsewhere = await statusElsewhere(readModels, others, head, () => names || undefined, shards);
    return [...here.values(), ...elsewhere];
  }

  async rebuild(name: string): Promise<void> {
    const sharing = this.#sharings.get(name);
    if (sharing === undefined) throw new Error(`there is no projection '${name}'`);
    const next = [...sharing.parts].filter(({ physical }) => physical === sharing.begun);
    const stands = next.some((part) => part.poison !== undefined || part.stoppedShards().length > 0);
    await this.#keeper.rebuild(name, stands);
    sharing.stale = true;
    await this.#looks.now();
  }

  async #own(shard: number, lease: Lease): Promise<void> {
    try {
      await this.#options.readModels.claim({ name: shardRight(shard), fence: lease.fence });
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      return lease.fenced();
    }
    this.#mine.set(shard, lease);
    for (const one of this.#sharings.values()) one.stale = true;
    this.#looks.within(TOGETHER_MS);
  }

  /** Forgets all that is in memory of it; at a handover its checkpoints are written before. */
  #disown(shard: number, how: 'handover' | 'lost'): Promise<void> {
    return this.#turns.run(async () => {
      this.#mine.delete(shard);
      const parts = this.#allParts().filter((part) => part.shards.has(shard));
      // What is fed is written at the end of each turn: only places are owed.
      const live = parts.filter((part) => this.#feed.builds.has(part) && part.mayWrite && part.unwritten === 0);
      if (how === 'handover' && live.length > 0) {
        const places = live.flatMap((part) => part.placesOf(shard));
        await this.#options.readModels.write({}, ...places).catch(() => undefined);
      }
      for (const part of parts) this.#without(part, shard);
      this.#announcements.stopped();
    });
  }

  #without(part: Part, shard: number): void {
    this.#told.changed();
    const { position } = part;
    part.remove(shard);
    if (part.hasLeft) this.#end(part);
    else if (part.position < position && this.#feed.builds.has(part)) {
      this.#feed.leave([part]);
      this.#catchUp.add([part]);
    }
  }

  #end(part: Part): void {
    this.#told.changed();
    part.leave();
    this.#sharings.get(part.name)!.parts.delete(part);
    this.#catchUp.remove(part);
    if (this.#feed.builds.has(part)) this.#feed.leave([part]);
  }

  #allParts(): Part[] {
    return [...this.#sharings.values()].flatMap(({ parts }) => [...parts]);
  }

  /** Takes in what has changed: builds, shards, skipped events. */
  async #look(): Promise<void> {
    try {
      await this.#lookAtBuilds();
      await this.#lookAtSkipped();
      await this.#feed.save((part) => part.isAwaited);
    } catch (error) {
      this.#log.warn({ err: error }, 'shards of read models could not be begun; trying again');
    }
  }

  async #lookAtBuilds(): Promise<void> {
    const { readModels, eventStore } = this.#options;
    if (this.#mine.size === 0) return;
    const all = [...this.#sharings.values()];
    const changes = await readModels.checkpoints(all.map(({ projection }) => buildsCount(projection.name)));
    const due = all.filter((one) => one.stale || changes.get(buildsCount(one.projection.name)) !== one.changes);
    if (due.length === 0) return;
    const [collections, head] = await Promise.all([readModels.list(), eventStore.head()]);
    let trouble: { readonly error: unknown } | undefined;
    const opened = await Promise.all(
      due.map(async (one) => {
        one.stale = false;
        try {
          const begins = await this.#open(one, collections);
          one.changes = changes.get(buildsCount(one.projection.name))!;
          return begins;
        } catch (error) {
          one.stale = true;
          trouble = { error };
          return [];
        }
      }),
    );
    await this.#turns.run(() => this.#begin(opened.flat(), head));
    // What could be opened goes on; the rest is looked at again.
    if (trouble !== undefined) throw (trouble as { readonly error: unknown }).error;
  }

  /** Where the shards of a read model begin that are owned here and have not begun. */
  async #open(one: Sharing, collections: readonly string[]): Promise<Opened[]> {
    const { readModels, eventStore } = this.#options;
    const { projection } = one;
    const { served, begun } = await findBuilds(readModels, projection, collections);
    for (const id of await skippedNow(eventStore, projection)) one.skipped.add(id);
    const frozen = served !== undefined && served.version !== projection.version;
    const wanted = [frozen ? undefined : served?.physical, begun?.physical].filter((name) => name !== undefined);
    await this.#turns.run(() => {
      this.#told.changed();
      one.served = served?.physical;
      one.begun = begun?.physical;
      one.frozen = frozen;
      for (const part of [...one.parts]) if (!wanted.includes(part.physical)) this.#end(part);
    });
    return Promise.all(
      wanted.map(async (physical) => {
        const missing = [...this.#mine].filter(([shard]) => !shardsIn(one, physical).has(shard));
        const places = await shardPlaces(
          readModels,
          physical,
          missing.map(([shard]) => shard),
        );
        const held = await placesInLog(eventStore, places);
        // Of another log: whoever keeps the builds begins another one.
        if (held.size < places.size) one.stale = true;
        const shards = missing.flatMap(([shard, lease]) => {
          const place = held.get(shard);
          return place === undefined ? [] : [{ shard, lease, place }];
        });
        return { one, physical, shards };
      }),
    );
  }

  /** In a turn. */
  #begin(opened: readonly Opened[], head: Position): void {
    const { readModels, eventStore } = this.#options;
    const parts: Part[] = [];
    for (const { one, physical, shards } of opened) {
      const still = shards.filter(({ shard, lease }) => this.#mine.get(shard) === lease);
      if (still.length === 0) continue;
      const { projection, skipped } = one;
      const isTold = (shard: number): boolean => this.#told.isTold(shard);
      const options = { projection, physical, shards: still, skipped, isTold };
      const part = new Part({ readModels, eventStore, clock: this.#clock }, options);
      one.parts.add(part);
      parts.push(part);
    }
    if (parts.length === 0) return;
    const isNear = parts.every(({ position }) => head - position <= FAR) && this.#feed.admits(parts);
    if (isNear) this.#join(parts);
    // Those that are near each other come up together: what serves never gets ahead of what shall take its place.
    else this.#catchUp.add(parts);
    this.#announcements.stopped();
  }

  /** In a turn: they have read everything. */
  async #arrived(parts: readonly Part[]): Promise<boolean> {
    for (const part of parts) this.#setApart(part);
    const able = parts.filter((part) => !part.hasLeft && part.stoppedShards().length === 0);
    if (!this.#feed.admits(able)) return false;
    this.#join(able);
    return true;
  }

  /** A build's documents are fed once: what arrives goes on with what is there. All at once, since the feed begins with the least. */
  #join(parts: readonly Part[]): void {
    this.#told.changed();
    const fed = new Map([...this.#feed.builds].map((part) => [part.physical, part]));
    const fresh: Part[] = [];
    const arrived: (readonly [string, readonly number[], Position])[] = [];
    for (const part of parts) {
      if (part.hasLeft) continue;
      arrived.push([part.physical, [...part.shards.keys()], part.position]);
      const live = fed.get(part.physical);
      if (live === undefined) {
        fed.set(part.physical, part);
        fresh.push(part);
      } else {
        live.absorb(part);
        this.#sharings.get(part.name)!.parts.delete(part);
      }
    }
    this.#feed.join(fresh);
    for (const [physical, shards, position] of arrived) this.#announcements.moved(fed.get(physical)!, shards, position);
    this.#told.soon();
  }

  /** In a turn, after each batch. */
  #moved(parts: readonly Part[]): void {
    for (const part of parts) {
      this.#announcements.moved(part, part.takeTouched(), part.position);
      this.#setApart(part);
    }
    this.#told.soon();
  }

  /** Shards that stand at an event are no longer fed with the others. */
  #setApart(part: Part): void {
    const stopped = part.stoppedShards();
    if (stopped.length === 0) return;
    this.#told.changed();
    const apart = stopped.length === part.shards.size && !this.#feed.builds.has(part) ? part : part.split(stopped);
    this.#sharings.get(part.name)!.parts.add(apart);
    if (part.shards.size === 0) this.#end(part);
    for (const { stopped: at } of apart.shards.values())
      this.#log.error({ projection: part.name, ...at?.poison }, 'a projection has stopped for some stores');
    // Of these shards nobody is told beside the documents any more: checkpoints are written.
    this.#looks.within(0);
    this.#announcements.stopped();
  }

  #poisoned(part: Part): void {
    const apart = part.partAtFault();
    this.#log.error({ projection: part.name, ...(apart ?? part).poison }, 'a projection has stopped for some stores');
    if (apart !== undefined) {
      this.#sharings.get(part.name)!.parts.add(apart);
      if (part.shards.size === 0) this.#end(part);
      else this.#catchUp.add([part]);
    }
    this.#announcements.stopped();
  }

  #refused(part: Part, through: Position, error: unknown): void {
    this.#told.changed();
    if (error instanceof Fenced) return void this.#examine(part);
    if (part.hasLeft) return;
    this.#sharings.get(part.name)!.stale = true;
    this.#log.warn({ err: error, projection: part.name }, 'a projection could not be written; going event by event');
    this.#catchUp.add([part], error instanceof StoreUnavailable ? undefined : through, 1);
  }

  /** One of its shards has a newer owner: that one goes, and the others go on. */
  async #examine(part: Part): Promise<void> {
    this.#examining ??= this.#examineLeases().finally(() => {
      this.#examining = undefined;
    });
    await this.#examining;
    await this.#turns.run(() => {
      for (const [shard, { lease }] of [...part.shards]) if (!lease.held()) this.#without(part, shard);
      if (!part.hasLeft && !this.#catchUp.has(part) && !this.#feed.builds.has(part))
        this.#catchUp.add([part], undefined, 1);
    });
  }

  async #examineLeases(): Promise<void> {
    for (const [shard, lease] of [...this.#mine])
      try {
        await this.#options.readModels.write({}, { name: shardRight(shard), fence: lease.fence });
      } catch (error) {
        if (error instanceof Fenced) lease.fenced();
      }
  }

  async #lookAtSkipped(): Promise<void> {
    for (const one of this.#sharings.values()) {
      const standing = [...one.parts].filter((part) => !this.#feed.builds.has(part) && this.#eventsOf(part).length > 0);
      if (standing.length === 0) continue;
      const skipped = await skippedNow(this.#options.eventStore, one.projection);
      for (const id of skipped) one.skipped.add(id);
      await this.#turns.run(() => {
        for (const part of standing) {
          if (part.hasLeft || this.#catchUp.has(part) || !this.#eventsOf(part).some((id) => skipped.has(id))) continue;
          this.#log.info({ projection: part.name }, 'a projection goes on behind an event that is skipped');
          part.goOn();
          this.#catchUp.add([part]);
        }
        this.#announcements.stopped();
      });
    }
  }

  /** Ids of the events that a part stands at. */
  #eventsOf(part: Part): string[] {
    const all = [part.poison, ...[...part.shards.values()].map(({ stopped }) => stopped?.poison)];
    return all.flatMap((poison) => poison?.eventId ?? []);
  }
}

/** Each projection of these is `parted`. Owns shards of all of them while it holds their leases. */
export const createShardedProjections = (options: ShardedOptions): ProjectionRuntime => new ShardedProjections(options);
