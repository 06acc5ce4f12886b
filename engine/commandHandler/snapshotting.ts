import { setTimeout as wait } from 'node:timers/promises';
import type { Aggregate, DomainEvent } from '../../domain/decider.js';
import type { LiveAggregate } from './liveAggregate.js';
import { loadState, type Sources } from './loading.js';

/** Maximum number of streams that wait for a snapshot. Beyond it, a stream is queued at a later event. */
const MOST_WAITING = 1_000;
/** Pause between two slices, in ms, so that requests go first. */
const REST_MS = 5;

/**
 * Writes snapshots in the background, one at a time. A live state changes with every command, and a large one takes too
 * long to write in one go. If the codec can capture it (`hold`), the captured state is written once all of it is
 * confirmed. Otherwise the snapshot is made from a private copy, folded from the previous snapshot and the later events
 * in the store. That copy cannot change, and contains only confirmed events.
 */
export class Snapshotting {
  readonly #sources: Sources;
  readonly #failed: (stream: string, error: unknown) => void;
  readonly #waiting = new Map<string, () => Promise<void>>();
  #running: Promise<void> | undefined;
  /** Number of calls of `forget`. */
  #forgotten = 0;

  constructor(sources: Sources, failed: (stream: string, error: unknown) => void) {
    this.#sources = sources;
    this.#failed = failed;
  }

  /** Queues a snapshot. False if too many are waiting. */
  enqueue<S, E extends DomainEvent>(live: LiveAggregate<S, E>, stream: string): boolean {
    if (this.#waiting.size >= MOST_WAITING) return false;
    const { aggregate } = live;
    // A weak reference, so that a waiting snapshot does not keep an evicted state in memory.
    const state = aggregate.snapshot?.hold === undefined ? undefined : new WeakRef(live);
    this.#waiting.set(stream, () => this.#take(aggregate, stream, state));
    this.#running ??= this.#run();
    return true;
  }

  /** Drops all pending snapshots. The store must remove one that is being written. */
  forget(): void {
    this.#forgotten += 1;
    this.#waiting.clear();
  }

  /** Resolves when no snapshot is pending or being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Runs outside the command that queued the snapshot.
    await wait(REST_MS);
    for (const [stream, take] of this.#waiting) {
      this.#waiting.delete(stream);
      await take().catch((error) => this.#failed(stream, error));
    }
    this.#running = undefined;
  }

  async #take<S, E extends DomainEvent>(
    aggregate: Aggregate<S, E>,
    stream: string,
    live: WeakRef<LiveAggregate<S, E>> | undefined,
  ): Promise<void> {
    const codec = aggregate.snapshot;
    if (codec === undefined) return;
    const forgotten = this.#forgotten;
    const captured = await live?.deref()?.capture((state) => codec.hold!(state));
    if (forgotten !== this.#forgotten) return;
    if (captured !== undefined) {
      const { revision, event, chunks } = captured;
      return this.#sources.snapshots.save(stream, { revision, event, version: codec.version }, chunks);
    }
    const { state, revision, event, snapshot } = await loadState(this.#sources, aggregate, stream, () => wait(REST_MS));
    const at = { revision, event, version: codec.version };
    if (revision > snapshot && forgotten === this.#forgotten)
      await this.#sources.snapshots.save(stream, at, codec.write(state));
  }
}
