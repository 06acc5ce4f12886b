import { setTimeout as pause } from 'node:timers/promises';
import type { SteadyClock } from '../ports/clock.js';
import type { Checkpoint, Checkpoints } from '../ports/documents.js';
import type { EventMark, EventStore, Position, RecordedEvent, Subscription } from '../ports/eventStore.js';
import type { Log } from '../ports/log.js';
import type { Build } from './build.js';
import { DispatchTable } from './dispatchTable.js';
import { type Page, type PageOf, pageOf } from './page.js';
import type { Turns } from './turns.js';
import { type Changed, changedBy } from './viewChanges.js';

export interface FeedSource {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly readModels: Pick<Checkpoints, 'write'>;
  readonly turns: Turns;
  readonly clock: SteadyClock;
  readonly log: Log;
  /** Returns further checkpoints to write together with all pending changes. */
  readonly extraCheckpoints?: () => readonly Checkpoint[];
  /** Excludes events that belong to others, as in the options of a subscription. */
  readonly accepts?: (key: string) => boolean;
  /** Selects the events to fold. Default: all of them. */
  readonly page?: PageOf;
}

export interface FeedOwner {
  /** Builds that moved, after each batch. `changed`: all that was written, also by builds that just left the feed. */
  moved(builds: readonly Build[], changed: Changed): void;
  /** A handler threw: the build has left the feed. */
  poisoned(build: Build): void;
  /**
   * A write was refused: the build has left the feed and is at its checkpoint. `through`: last position of the batch.
   */
  refused(build: Build, through: Position, error: unknown): void;
}

/** Events after which a build that none of them touches writes its checkpoint. Scanning them again does no harm. */
const CHECKPOINT_EVERY = 2000;
/** The same if other instances wait for checkpoints: delay of checkpoints that only moved, in ms. */
const CHECKPOINT_MS = 200;
const BATCH = 500;
/** Batch size that indicates further events, and the time for which they then gather, in ms. */
const MANY = 4;
const GATHER_MS = 8;
/** Batch size that is worth its own commit. With so much lag, waiting would only increase it. */
const WORTH_A_COMMIT = 200;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 30_000;

/** Single subscription for all builds that are up to date. The log is read and parsed once. */
export class LiveFeed {
  readonly builds = new Set<Build>();
  readonly #source: FeedSource;
  readonly #readModels: Pick<Checkpoints, 'write'>;
  /**
   * Categories that any build may need. Absent if builds come and go: then the categories of the current builds count.
   */
  readonly #categories: readonly string[] | undefined;
  readonly #owner: FeedOwner;
  readonly #table = new DispatchTable();
  #position: Position | undefined;
  #subscription: Subscription | undefined;
  #following: ReadonlySet<string> = new Set();
  #cancelSave: (() => void) | undefined;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | undefined;
  #stopped = false;

  constructor(source: FeedSource, categories: readonly string[] | undefined, owner: FeedOwner) {
    this.#source = source;
    this.#readModels = source.readModels;
    this.#categories = categories;
    this.#owner = owner;
  }

  /** Returns true if no build is behind the feed. Call `admits` and `join` in the same turn. */
  admits(builds: readonly Build[]): boolean {
    const at = this.#position;
    return at === undefined || builds.every((build) => build.position >= at);
  }

  /** Adds builds. A build that is ahead of the feed ignores the events that it has seen. */
  join(builds: readonly Build[]): void {
    for (const build of builds) this.builds.add(build);
    if (builds.length === 0) return;
    this.#position ??= Math.min(...builds.map((build) => build.position));
    this.#follow();
  }

  /** In a turn: removes builds that run elsewhere from now on. */
  leave(builds: readonly Build[]): void {
    for (const build of builds) this.builds.delete(build);
    if (this.builds.size > 0) this.#follow();
    else {
      this.#unfollow();
      this.#position = undefined;
    }
  }

  /** Writes the pending changes of these builds, between two batches. */
  save(which: (build: Build) => boolean): Promise<void> {
    return this.#source.turns.run(async () => {
      const pending = [...this.builds].filter(which);
      if (pending.length > 0) await this.#write(pending);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelSave?.();
    this.#cancelRetry?.();
    await this.#subscription?.stop();
  }

  /** Subscribes at the current position, unless the subscription already has exactly the categories of the builds. */
  #follow(): void {
    const { eventStore, turns } = this.#source;
    const categories = this.#categories ?? [
      ...new Set([...this.builds].flatMap(({ projection }) => projection.categories)),
    ];
    const isSame = categories.length === this.#following.size && categories.every((one) => this.#following.has(one));
    if (this.#stopped || (this.#subscription !== undefined && isSame)) return;
    this.#unfollow();
    this.#following = new Set(categories);
    const batch = async (events: readonly RecordedEvent[], through: Position, last?: EventMark) => {
      await turns.run(() => (this.#subscription === subscription ? this.#take(events, through, last) : undefined));
      await this.#gather(events.length);
    };
    const { accepts } = this.#source;
    const options = { batch: BATCH, ...(accepts !== undefined && { accepts }) };
    const subscription = eventStore.subscribe(this.#position!, { categories }, { batch }, options);
    this.#subscription = subscription;
    subscription.ended.catch((error) => {
      if (this.#subscription === subscription) this.#again(error);
    });
  }

  /**
   * Lets the next batch gather for a moment under load, since a commit costs as much as many documents. Does not delay
   * if commands wait for the views.
   */
  async #gather(events: number): Promise<void> {
    if (events < MANY || events >= WORTH_A_COMMIT || this.#categories === undefined || this.#stopped) return;
    await pause(GATHER_MS);
  }

  /** Ends the subscription and ignores its late batches. Its end is not awaited, since it may wait for this turn. */
  #unfollow(): void {
    this.#cancelRetry?.();
    void this.#subscription?.stop().catch(() => undefined);
    this.#subscription = undefined;
  }

  #again(error: unknown): void {
    if (this.#stopped) return;
    this.#source.log.error(
      { err: error, retryMs: this.#retryMs },
      'event log subscription of the projections lost, retrying',
    );
    const at = this.#source.clock.now() + this.#retryMs;
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
    this.#subscription = undefined;
    this.#cancelRetry = this.#source.clock.at(at, () => {
      if (this.#position !== undefined) this.#follow();
    });
  }

  /** Writes the checkpoints of builds that only moved, together and a little later. Other instances wait for them. */
  #saveSoon(): void {
    const { clock, turns } = this.#source;
    this.#cancelSave ??= clock.at(clock.now() + CHECKPOINT_MS, () => {
      this.#cancelSave = undefined;
      void turns.run(() => this.#write([...this.builds].filter((build) => build.isCheckpointDue)));
    });
  }

  async #take(events: readonly RecordedEvent[], through: Position, last: EventMark | undefined): Promise<void> {
    const page = (this.#source.page ?? pageOf)(events, { after: this.#position!, categories: this.#following });
    const builds = [...this.builds];
    await this.#fold(builds, page, through, last);
    await this.#write(
      builds.filter((build) => this.builds.has(build) && mustWrite(build)),
      through,
    );
    this.#position = through;
    this.#retryMs = FIRST_RETRY_MS;
    const here = builds.filter((build) => this.builds.has(build));
    if (here.some(({ isCheckpointDue }) => isCheckpointDue)) this.#saveSoon();
    this.#owner.moved(here, changedBy(page));
  }

  /** Folds a page. Builds that handle none of its events pass it at once. */
  async #fold(builds: readonly Build[], page: Page, through: Position, last: EventMark | undefined): Promise<void> {
    const deliveries = this.#table.deliver(builds, page);
    const folding: Promise<void>[] = [];
    for (const build of builds) {
      const events = deliveries(build.projection);
      if (events.length > 0) folding.push(this.#guarded(build, through, () => build.fold(page, through, last, events)));
      else this.#passed(build, page, through, last);
    }
    await Promise.all(folding);
  }

  #passed(build: Build, page: Page, through: Position, last: EventMark | undefined): void {
    try {
      build.pass(page, through, last);
    } catch (error) {
      this.#refuse(build, through, error);
    }
  }

  async #write(pending: readonly Build[], through: Position = this.#position!): Promise<void> {
    if (!(await this.#writtenTogether(pending)))
      await Promise.all(pending.map((build) => this.#guarded(build, through, () => build.flush('live'))));
    for (const build of pending)
      if (build.poison !== undefined && this.builds.delete(build)) this.#owner.poisoned(build);
  }

  /** Writes all builds in one commit. Returns false if the engine refused it; nothing is written then. */
  async #writtenTogether(builds: readonly Build[]): Promise<boolean> {
    if (!builds.every((build) => build.mayWrite)) return false;
    const pending = builds.map((build) => build.pending());
    const batches = Object.fromEntries(pending.map(({ batch }, i) => [builds[i]!.physical, batch]));
    try {
      const places = pending.flatMap(({ checkpoints }) => checkpoints);
      if (pending.length > 0)
        await this.#readModels.write(batches, ...places, ...(this.#source.extraCheckpoints?.() ?? []));
    } catch {
      // One build may be at fault: each is now written alone, and the one at fault leaves the feed.
      return false;
    }
    for (const [i, build] of builds.entries()) build.wrote(pending[i]!, 'live');
    return true;
  }

  async #guarded(build: Build, through: Position, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#refuse(build, through, error);
    }
  }

  #refuse(build: Build, through: Position, error: unknown): void {
    this.builds.delete(build);
    build.reset();
    this.#owner.refused(build, through, error);
  }
}

const mustWrite = ({ unwritten, poison, scanned, isAwaited }: Build): boolean =>
  unwritten > 0 || poison !== undefined || scanned > CHECKPOINT_EVERY || isAwaited;
