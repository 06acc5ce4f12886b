import type { Clock } from '../../application/ports/clock.js';
import type { EventStore, Position, RecordedEvent, Subscription } from '../../application/ports/eventStore.js';
import type { ReadModels } from '../../application/ports/readModels.js';
import type { Build } from './build.js';
import type { RuntimeLog } from './log.js';
import { pageOf } from './page.js';
import type { Turns } from './turns.js';

export interface FeedSource {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly readModels: Pick<ReadModels, 'write'>;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly log: RuntimeLog;
}

export interface FeedOwner {
  /** Builds that moved, after each batch. */
  moved(builds: readonly Build[]): void;
  /** A handler threw: the build has left the feed. */
  poisoned(build: Build): void;
  /** A write was refused: the build has left the feed and stands at its checkpoint. `through` was in the batch. */
  refused(build: Build, through: Position, error: unknown): void;
}

/** A build that no event touches writes its checkpoint only now and then: looking at events again does no harm. */
const CHECKPOINT_EVERY = 2000;
const BATCH = 500;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 30_000;

/** One subscription for all builds that keep up: the log is read and parsed once. */
export class LiveFeed {
  readonly builds = new Set<Build>();
  readonly #source: FeedSource;
  readonly #readModels: Pick<ReadModels, 'write'>;
  readonly #categories: readonly string[];
  readonly #owner: FeedOwner;
  #position: Position | undefined;
  #subscription: Subscription | undefined;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry: (() => void) | undefined;
  #stopped = false;

  constructor(source: FeedSource, categories: readonly string[], owner: FeedOwner) {
    this.#source = source;
    this.#readModels = source.readModels;
    this.#categories = categories;
    this.#owner = owner;
  }

  /** Whether none of them is behind the feed; ask and join in one turn. */
  admits(builds: readonly Build[]): boolean {
    const at = this.#position;
    return at === undefined || builds.every((build) => build.position >= at);
  }

  /** Takes builds in; those that are ahead of the feed leave out what they have seen. */
  join(builds: readonly Build[]): void {
    for (const build of builds) this.builds.add(build);
    if (this.#position !== undefined || builds.length === 0) return;
    this.#position = Math.min(...builds.map((build) => build.position));
    this.#follow(this.#position);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRetry?.();
    await this.#subscription?.stop();
  }

  #follow(after: Position): void {
    const { eventStore, turns } = this.#source;
    const batch = (events: readonly RecordedEvent[], through: Position) => turns.run(() => this.#take(events, through));
    this.#subscription = eventStore.subscribe(after, { categories: this.#categories }, { batch }, { batch: BATCH });
    this.#subscription.ended.catch((error) => this.#again(error));
  }

  #again(error: unknown): void {
    if (this.#stopped) return;
    this.#source.log.error({ err: error, retryMs: this.#retryMs }, 'projections lost the event log; trying again');
    const at = this.#source.clock.now() + this.#retryMs;
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
    this.#cancelRetry = this.#source.clock.at(at, () => this.#follow(this.#position!));
  }

  async #take(events: readonly RecordedEvent[], through: Position): Promise<void> {
    const page = pageOf(events);
    const builds = [...this.builds];
    await Promise.all(builds.map((build) => this.#guarded(build, through, () => build.fold(page, through))));
    const owing = builds.filter((build) => this.builds.has(build) && owes(build));
    if (!(await this.#writtenTogether(owing)))
      await Promise.all(owing.map((build) => this.#guarded(build, through, () => build.flush('live'))));
    for (const build of owing) if (build.poison !== undefined && this.builds.delete(build)) this.#owner.poisoned(build);
    this.#position = through;
    this.#retryMs = FIRST_RETRY_MS;
    this.#owner.moved(builds.filter((build) => this.builds.has(build)));
  }

  /** One commit for all of them; false when the engine refused it, and nothing is written. */
  async #writtenTogether(builds: readonly Build[]): Promise<boolean> {
    const owed = builds.map((build) => build.owed());
    const batches = Object.fromEntries(owed.map(({ batch, checkpoint }) => [checkpoint.name, batch]));
    try {
      if (owed.length > 0) await this.#readModels.write(batches, ...owed.map(({ checkpoint }) => checkpoint));
    } catch {
      // One of them may be at fault: each is written alone now, and the one at fault leaves the feed.
      return false;
    }
    for (const [i, build] of builds.entries()) build.wrote(owed[i]!, 'live');
    return true;
  }

  async #guarded(build: Build, through: Position, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.builds.delete(build);
      this.#owner.refused(build, through, error);
    }
  }
}

const owes = ({ unwritten, poison, position, written }: Build): boolean =>
  unwritten > 0 || poison !== undefined || position - written > CHECKPOINT_EVERY;
