import type { Lease } from '../../ownership/lease.js';
import { Fenced } from '../../ports/documents.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import { ActiveBuilds } from '../activeBuilds.js';
import type { Announcements, Progress } from '../announcements.js';
import { Build } from '../build.js';
import type { CatchUp } from '../catchUp.js';
import type { FeedSource } from '../liveFeed.js';
import type { BuildParts } from '../pendingWrite.js';
import type { ReadModel } from '../readModel.js';
import { shardRight } from './names.js';
import { PublishedPlaces } from './publishedPlaces.js';

/** Places from which shards of a build continue. */
export interface Opened {
  readonly one: ReadModel;
  readonly physical: string;
  readonly shards: readonly { readonly shard: number; readonly lease: Lease; readonly place: LogPlace }[];
}

type Source = Omit<FeedSource, 'beside'> & BuildParts & ConstructorParameters<typeof CatchUp>[0];

interface Owner {
  /** Shards of this instance. */
  readonly mine: ReadonlyMap<number, Lease>;
  readonly models: ReadonlyMap<string, ReadModel>;
  readonly announcements: Announcements;
  /** Requests an immediate check of some shards. */
  requestCheck(): void;
  /** Called when a part has stopped at an event. */
  stopped(): void;
}

/** Parts of builds that this instance owns. They either catch up with the log or are fed with new events. */
export class OwnedParts {
  readonly published: PublishedPlaces;
  readonly builds: ActiveBuilds;
  readonly #source: Source;
  readonly #owner: Owner;
  #examining: Promise<void> | undefined;

  constructor(given: Source, owner: Owner) {
    const source = { ...given, extraCheckpoints: () => this.published.touchedPlaces() };
    this.#source = source;
    this.#owner = owner;
    this.builds = new ActiveBuilds(source, undefined, {
      moved: (parts) => this.#moved(parts),
      refused: (part, through, error) => this.#refused(part, through, error),
      arrived: (parts) => this.#arrived(parts),
      poisoned: (part) => this.#poisoned(part),
      wrote: (part) => owner.announcements.wrote(part),
      fenced: (part) => void this.#examine(part),
    });
    this.published = new PublishedPlaces(source, {
      mine: () => owner.mine.keys(),
      models: () => owner.models.values(),
      isFed: (part) => this.builds.isFed(part),
    });
  }

  all(): Build[] {
    return [...this.#owner.models.values()].flatMap(({ parts }) => [...parts]);
  }

  /** In a turn: begins new shards where their previous owners stopped. */
  begin(opened: readonly Opened[], head: Position): void {
    const { mine, announcements } = this.#owner;
    const parts: Build[] = [];
    for (const { one, physical, shards } of opened) {
      const still = shards.filter(({ shard, lease }) => mine.get(shard) === lease);
      if (still.length === 0) continue;
      const { projection, skipped } = one;
      const isPublished = (shard: number): boolean => this.published.isPublished(shard);
      const isFilling = (): boolean => one.filling === physical;
      const part = new Build(this.#source, { projection, physical, shards: still, skipped, isPublished, isFilling });
      one.parts.add(part);
      parts.push(part);
    }
    if (parts.length === 0) return;
    const isNear = this.builds.areNear(parts, head);
    if (isNear) this.#join(parts);
    // Parts near each other catch up together, so that the serving build never gets ahead of its successor.
    else this.builds.catchUp.add(parts);
    announcements.stopped();
  }

  /** In a turn: discards everything in memory of a shard. At a handover, its checkpoints are written before. */
  async disown(shard: number, how: 'handover' | 'lost'): Promise<void> {
    const parts = this.all().filter((part) => part.shards.has(shard));
    // Fed parts are written at the end of each turn, so only places are pending.
    const live = parts.filter((part) => this.builds.isFed(part) && part.mayWrite && part.unwritten === 0);
    if (how === 'handover' && live.length > 0) {
      const places = live.flatMap((part) => part.checkpointsOf(shard));
      await this.#source.readModels.write({}, ...places).catch(() => undefined);
    }
    for (const part of parts) this.#without(part, shard);
    this.#owner.announcements.stopped();
  }

  /** In a turn: ends a part whose build is no longer needed. */
  end(part: Build): void {
    this.published.changed();
    this.#modelOf(part).parts.delete(part);
    this.builds.end([part]);
  }

  /** Writes checkpoints that are awaited. */
  save(): Promise<void> {
    return this.builds.feed.save((part) => part.isAwaited);
  }

  #modelOf(part: Build): ReadModel {
    return this.#owner.models.get(part.name)!;
  }

  #without(part: Build, shard: number): void {
    this.published.changed();
    const { position } = part;
    part.remove(shard);
    if (part.hasLeft) this.end(part);
    else if (part.position < position && this.builds.isFed(part)) {
      this.builds.feed.leave([part]);
      this.builds.catchUp.add([part]);
    }
  }

  /** In a turn: feeds parts that have read the whole log. Returns false if they must read on. */
  async #arrived(parts: readonly Build[]): Promise<boolean> {
    for (const part of parts) this.#setApart(part);
    const able = parts.filter((part) => !part.hasLeft && part.shards.stopped().length === 0);
    if (!this.builds.feed.admits(able)) return false;
    this.#join(able);
    return true;
  }

  /**
   * Merges arriving parts into the fed part of the same build, since a build is fed only once. All join at the same
   * time, because the feed begins with the lowest position.
   */
  #join(parts: readonly Build[]): void {
    this.published.changed();
    const fed = new Map([...this.builds.feed.builds].map((part) => [part.physical, part]));
    const fresh: Build[] = [];
    const arrived: Progress[] = [];
    for (const part of parts) {
      if (part.hasLeft) continue;
      const { position } = part;
      const live = fed.get(part.physical);
      arrived.push({ build: live ?? part, shards: [...part.shards.keys()], position });
      if (live === undefined) {
        fed.set(part.physical, part);
        fresh.push(part);
      } else {
        live.absorb(part);
        this.#modelOf(part).parts.delete(part);
      }
    }
    this.builds.feed.join(fresh);
    this.#owner.announcements.moved(arrived);
    this.published.soon();
  }

  /** Runs in a turn, after each batch. */
  #moved(parts: readonly Build[]): void {
    // Waiters on other shards learn of the progress from `published`.
    const progress = parts.map((build) => ({ build, shards: build.shards.takeTouched(), position: build.position }));
    this.#owner.announcements.moved(progress);
    for (const part of parts) this.#setApart(part);
    this.published.soon();
  }

  /** Separates shards that are stopped at an event, so that they are no longer fed with the others. */
  #setApart(part: Build): void {
    const stopped = part.shards.stopped();
    if (stopped.length === 0) return;
    this.published.changed();
    const apart = stopped.length === part.shards.size && !this.builds.isFed(part) ? part : part.split(stopped);
    this.#modelOf(part).parts.add(apart);
    if (part.shards.size === 0) this.end(part);
    for (const { stopped: at } of apart.shards.values()) this.#publishStopped(part, at?.poison);
    // Progress of these shards is no longer published with the documents, so their checkpoints must be written.
    this.#owner.requestCheck();
    this.#owner.announcements.stopped();
  }

  #poisoned(part: Build): void {
    const apart = part.partAtFault();
    this.#publishStopped(part, (apart ?? part).poison);
    if (apart !== undefined) {
      this.#modelOf(part).parts.add(apart);
      if (part.shards.size === 0) this.end(part);
      else this.builds.catchUp.add([part]);
    }
    this.#owner.announcements.stopped();
  }

  #publishStopped({ name }: Build, poison: Build['poison']): void {
    this.#source.log.error({ projection: name, ...poison }, 'projection stopped for some stores');
    this.#owner.stopped();
  }

  #refused(part: Build, through: Position, error: unknown): void {
    this.published.changed();
    if (error instanceof Fenced) return void this.#examine(part);
    if (part.hasLeft) return;
    this.#modelOf(part).stale = true;
    this.#source.log.warn({ err: error, projection: part.name }, 'projection write failed, retrying');
    this.builds.catchUp.retry(part, through, error);
  }

  /** Removes shards that have a newer owner. The others continue. */
  async #examine(part: Build): Promise<void> {
    this.#examining ??= this.#examineLeases().finally(() => {
      this.#examining = undefined;
    });
    await this.#examining;
    await this.#source.turns.run(() => {
      for (const [shard, { lease }] of [...part.shards]) if (lease?.isOwned() === false) this.#without(part, shard);
      if (this.builds.isStopped(part))
        this.builds.catchUp.retry(part, part.position, `a shard of '${part.physical}' has another owner`);
    });
  }

  async #examineLeases(): Promise<void> {
    for (const [shard, lease] of [...this.#owner.mine])
      try {
        await this.#source.readModels.write({}, { name: shardRight(shard), fence: lease.fence });
      } catch (error) {
        if (error instanceof Fenced) lease.fenced();
      }
  }
}
