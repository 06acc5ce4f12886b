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

/** Callbacks for metrics and logs; times in ms. Must not throw. */
export interface CommandObserver {
  appended?(aggregate: string, events: number, ms: number): void;
  /** An append conflicted with another writer's event. The commands are decided again. */
  conflict?(aggregate: string): void;
  coldLoad?(aggregate: string, ms: number, events: number): void;
  snapshotFailed?(stream: string, error: unknown): void;
}

export interface CommandHandlerOptions {
  readonly eventStore: EventStore;
  readonly snapshots: SnapshotStore;
  readonly clock: Pick<Clock, 'now'>;
  /** Maximum size of cached states in estimated bytes. Default: 96 MiB. */
  readonly cacheBytes?: number;
  /**
   * True if other processes write to this store too. Refusals, decisions without events and queries are then checked
   * against the stream's head. Decisions with events are checked by their append. Default: false.
   */
  readonly sharedStore?: boolean;
  readonly observer?: CommandObserver;
  /**
   * Event types whose stored shape has newer versions. New events are marked with their version. `eventStore` must then
   * read older events in the newest version too: see engine/upcasting.ts. Default: none.
   */
  readonly evolved?: EvolvedEvents;
}

export interface RunningCommandHandler extends CommandHandler {
  /** Resolves when no snapshot is pending or being written. */
  idle(): Promise<void>;
  /** Drops all cached states and pending snapshots. States are read from the store again. */
  forget(): void;
}

/** Attempts to decide a command before it fails with `concurrent_change`. */
const ATTEMPTS = 10;
const NONE_EVOLVED: EvolvedEvents = new Map();
const DEFAULT_CACHE_BYTES = 96 * 1024 * 1024;

/** Loads (cache, snapshot, stream), decides and appends. After a conflict it loads and decides again. */
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

  query: CommandHandler['query'] = (aggregate, id, read) => this.#attempt(aggregate, id, (live) => live.read(read));

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
      // The first two attempts are immediate, since one reload resolves most conflicts. Later ones wait for a random
      // time, so that two instances do not collide repeatedly: at most 1.5 s in all.
      if (attempt > 2) await wait(2 ** (attempt - 1) * (0.5 + Math.random()));
      const live: LiveAggregate<S, E> = this.#warm.get(stream) ?? (await this.#load(aggregate, stream));
      try {
        return await run(live);
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
    return refuse('concurrent_change', 'Concurrent changes to the same object. Try again.');
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
    if (this.#snapshotting.enqueue(live, stream)) live.snapshot = live.confirmed;
  }
}

/**
 * Creates the handler of all commands. Its memory is bounded by `cacheBytes`. Await `idle()` before closing the stores.
 */
export function createCommandHandler(options: CommandHandlerOptions): RunningCommandHandler {
  return new Handler(options);
}
