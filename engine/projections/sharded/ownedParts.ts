import type { Lease } from '../../ownership/lease.js';
import { Fenced } from '../../ports/documents.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import type { Announcements, Progress } from '../announcements.js';
import { Build } from '../build.js';
import { CatchUp } from '../catchUp.js';
import { type FeedSource, LiveFeed } from '../liveFeed.js';
import type { BuildParts } from '../pendingWrite.js';
import type { ReadModel } from '../readModel.js';
import { shardRight } from './names.js';
import { PublishedPlaces } from './publishedPlaces.js';

/** Maximum lag of builds that are fed at once, in positions. Builds further behind catch up first. */
const FAR = 10_000;

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
  readonly #source: Source;
  readonly #owner: Owner;
  readonly #feed: LiveFeed;
  readonly #catchUp: CatchUp;
  #examining: Promise<void> | undefined;

  constructor(given: Source, owner: Owner) {
    const source = { ...given, extraCheckpoints: () => this.published.touchedPlaces() };
    this.#source = source;
    this.#owner = owner;
    this.#feed = new LiveFeed(source, undefined, {
      moved: (parts) => this.#moved(parts),
      poisoned: (part) => this.#poisoned(part),
      refused: (part, through, error) => this.#refused(part, through, error),
    });
    this.#catchUp = new CatchUp(source, {
      arrived: (parts) => this.#arrived(parts),
      poisoned: (part) => this.#poisoned(part),
      wrote: (part) => owner.announcements.wrote(part),
      fenced: (part) => void this.#examine(part),
      sharesThread: () => this.#feed.builds.size > 0,
    });
    this.published = new PublishedPlaces(source, {
      mine: () => owner.mine.keys(),
      models: () => owner.models.values(),
      isFed: (part) => this.isFed(part),
    });
  }

  /** Returns true if new events are fed to the part. */
  isFed(part: Build): boolean {
    return this.#feed.builds.has(part);
  }

  /** Returns true if the part is neither fed nor catching up, because it is stopped at an event. */
  isStopped(part: Build): boolean {
    return !part.hasLeft && !this.#catchUp.has(part) && !this.isFed(part);
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
    const isNear = parts.every(({ position }) => head - position <= FAR) && this.#feed.admits(parts);
    if (isNear) this.#join(parts);
    // Parts near each other catch up together, so that the serving build never gets ahead of its successor.
    else this.#catchUp.add(parts);
    announcements.stopped();
  }

  /** In a turn: discards everything in memory of a shard. At a handover, its checkpoints are written before. */
  async disown(shard: number, how: 'handover' | 'lost'): Promise<void> {
    const parts = this.all().filter((part) => part.shards.has(shard));
    // Fed parts are written at the end of each turn, so only places are pending.
    const live = parts.filter((part) => this.isFed(part) && part.mayWrite && part.unwritten === 0);
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
    part.leave();
    this.#modelOf(part).parts.delete(part);
    this.#catchUp.remove(part);
    if (this.isFed(part)) this.#feed.leave([part]);
  }

  /** In a turn: continues parts, since the events at which their shards stopped are skipped. */
  goOn(parts: readonly Build[]): void {
    this.#owner.announcements.stopped();
    this.#catchUp.add(parts);
  }

  /** Writes checkpoints that are awaited. */
  save(): Promise<void> {
    return this.#feed.save((part) => part.isAwaited);
  }

  async stop(): Promise<void> {
    await this.#catchUp.stop();
    await this.#feed.stop();
  }

  #modelOf(part: Build): ReadModel {
    return this.#owner.models.get(part.name)!;
  }

  #without(part: Build, shard: number): void {
    this.published.changed();
    const { position } = part;
    part.remove(shard);
    if (part.hasLeft) this.end(part);
    else if (part.position < position && this.isFed(part)) {
      this.#feed.leave([part]);
      this.#catchUp.add([part]);
    }
  }

  /** In a turn: feeds parts that have read the whole log. Returns false if they must read on. */
  async #arrived(parts: readonly Build[]): Promise<boolean> {
    for (const part of parts) this.#setApart(part);
    const able = parts.filter((part) => !part.hasLeft && part.shards.stopped().length === 0);
    if (!this.#feed.admits(able)) return false;
    this.#join(able);
    return true;
  }

  /**
   * Merges arriving parts into the fed part of the same build, since a build is fed only once. All join at the same
   * time, because the feed begins with the lowest position.
   */
  #join(parts: readonly Build[]): void {
    this.published.changed();
    const fed = new Map([...this.#feed.builds].map((part) => [part.physical, part]));
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
    this.#feed.join(fresh);
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
    const apart = stopped.length === part.shards.size && !this.isFed(part) ? part : part.split(stopped);
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
      else this.#catchUp.add([part]);
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
    this.#catchUp.retry(part, through, error);
  }

  /** Removes shards that have a newer owner. The others continue. */
  async #examine(part: Build): Promise<void> {
    this.#examining ??= this.#examineLeases().finally(() => {
      this.#examining = undefined;
    });
    await this.#examining;
    await this.#source.turns.run(() => {
      for (const [shard, { lease }] of [...part.shards]) if (lease?.isOwned() === false) this.#without(part, shard);
      if (this.isStopped(part))
        this.#catchUp.retry(part, part.position, `a shard of '${part.physical}' has another owner`);
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
