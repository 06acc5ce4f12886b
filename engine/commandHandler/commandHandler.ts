import { setTimeout as wait } from 'node:timers/promises';
import { type Aggregate, type DomainEvent, type EvolvedEvents, refuse } from '../../domain/decider.js';
import { Loads } from '../loads.js';
import type { Clock } from '../ports/clock.js';
import { type EventStore, streamName } from '../ports/eventStore.js';
import type { SnapshotStore } from '../ports/snapshots.js';
import type { CommandHandler } from './commands.js';
import { type AnyLive, LiveAggregate, Outdated, type Surroundings } from './liveAggregate.js';
import { loadState } from './loading.js';
import { Snapshotting } from './snapshotting.js';
import { WarmCache } from './warmCache.js';

/** For metrics and logs; times in ms. Must not throw. */
export interface CommandObserver {
  appended?(aggregate: string, events: number, ms: number): void;
  /** An append met another writer's event; the commands are decided again. */
  conflict?(aggregate: string): void;
  coldLoad?(aggregate: string, ms: number, events: number): void;
  snapshotFailed?(stream: string, error: unknown): void;
}

export interface CommandHandlerOptions {
  readonly eventStore: EventStore;
  readonly snapshots: SnapshotStore;
  readonly clock: Pick<Clock, 'now'>;
  /** Estimated bytes of warm states; 96 MiB when absent. */
  readonly cacheBytes?: number;
  /**
   * Other processes write to this store too: refusals, decisions without events and queries are then checked against the
   * stream's head. Decisions with events never need it, their append is the check. False when absent.
   */
  readonly sharedStore?: boolean;
  readonly observer?: CommandObserver;
  /**
   * Events whose stored shape is not the first any more: new ones are marked with their version. `eventStore` then reads
   * the older ones in the newest version too: see engine/upcasting.ts. None when absent.
   */
  readonly evolved?: EvolvedEvents;
}

export interface RunningCommandHandler extends CommandHandler {
  /** Resolves when no snapshot is being written or waiting to be. */
  idle(): Promise<void>;
  /** Empties the memory of states, and of snapshots to be written: each is read from the store again. */
  forget(): void;
}

/** How often a command is decided before it is given up as `concurrent_change`. */
const ATTEMPTS = 10;
const NONE_EVOLVED: EvolvedEvents = new Map();
const DEFAULT_CACHE_BYTES = 96 * 1024 * 1024;

/** Loads (warm, snapshot, stream), decides, appends; on a conflict it loads and decides again. */
class Handler implements RunningCommandHandler {
  readonly #options: CommandHandlerOptions;
  readonly #warm: WarmCache<AnyLive>;
  readonly #loads = new Loads<AnyLive>();
  readonly #snapshotting: Snapshotting;
  readonly #around: Surroundings;

  constructor(options: CommandHandlerOptions) {
    this.#options = options;
    this.#warm = new WarmCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    this.#snapshotting = new Snapshotting(options, (stream, error) =>
      options.observer?.snapshotFailed?.(stream, error),
    );
    const { eventStore, clock, observer, sharedStore = false, evolved = NONE_EVOLVED } = options;
    this.#around = {
      eventStore,
      evolved,
      now: () => clock.now(),
      sharedStore,
      discard: (live) => this.#warm.remove(live.stream, live),
      grown: (live) => this.#warm.reweigh(live.stream, live),
      conflict: ({ aggregate }) => observer?.conflict?.(aggregate.name),
      appended: (live, events, ms) => {
        observer?.appended?.(live.aggregate.name, events, ms);
        this.#considerSnapshot(live);
      },
    };
  }

  decide: CommandHandler['decide'] = (context, aggregate, id, decision) =>
    this.#attempt(aggregate, id, (live) => live.decide(context, decision));

  query: CommandHandler['query'] = (aggregate, id, look) => this.#attempt(aggregate, id, (live) => live.look(look));

  forget = (): void => {
    this.#loads.forget();
    this.#warm.clear();
    this.#snapshotting.forget();
  };

  idle = (): Promise<void> => this.#snapshotting.idle();

  async #attempt<S, E extends DomainEvent, R>(
    aggregate: Aggregate<S, E>,
    id: string,
    run: (live: LiveAggregate<S, E>) => Promise<R>,
  ): Promise<R> {
    const stream = streamName(aggregate.name, id);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      // The first two come at once: most conflicts are over with the first reload.
      // Then each waits for a time of its own, so that two instances do not meet again and again: 1.5 s in all at most.
      if (attempt > 2) await wait(2 ** (attempt - 1) * (0.5 + Math.random()));
      const live: LiveAggregate<S, E> = this.#warm.get(stream) ?? (await this.#load(aggregate, stream));
      try {
        return await run(live);
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
    return refuse('concurrent_change', 'Others are changing the same thing at this moment; try again.');
  }

  #load<S, E extends DomainEvent>(aggregate: Aggregate<S, E>, stream: string): Promise<LiveAggregate<S, E>> {
    return this.#loads.join(stream, (isCurrent) => this.#loadNow(aggregate, stream, isCurrent));
  }

  async #loadNow<S, E extends DomainEvent>(
    aggregate: Aggregate<S, E>,
    stream: string,
    isCurrent: () => boolean,
  ): Promise<LiveAggregate<S, E>> {
    const since = performance.now();
    const loaded = await loadState(this.#options, aggregate, stream);
    const live = new LiveAggregate(aggregate, stream, loaded, this.#around);
    const events = loaded.revision - loaded.snapshot;
    this.#options.observer?.coldLoad?.(aggregate.name, performance.now() - since, events);
    if (isCurrent()) this.#warm.put(stream, live);
    this.#considerSnapshot(live);
    return live;
  }

  #considerSnapshot(live: AnyLive): void {
    const { stream } = live;
    if (this.#warm.get(stream) !== live) return;
    const { snapshot } = live.aggregate;
    if (snapshot === undefined || live.confirmed - live.snapshot < snapshot.every) return;
    if (this.#snapshotting.want(live, stream)) live.snapshot = live.confirmed;
  }
}

/** The handler of all commands. Bounded in memory by `cacheBytes`; needs no closing beyond `idle()`. */
export function createCommandHandler(options: CommandHandlerOptions): RunningCommandHandler {
  return new Handler(options);
}
