import { setTimeout as wait } from 'node:timers/promises';
import type { Aggregate, DomainEvent } from '../../domain/decider.js';
import type { LiveAggregate } from './liveAggregate.js';
import { loadState, type Sources } from './loading.js';

/** Streams that may wait for their snapshot; a further one asks again with its next event. */
const MOST_WAITING = 1_000;
/** Rest between two slices, in ms: requests go first. */
const REST_MS = 5;

/**
 * Writes snapshots in the background, one at a time. A live state changes with every command, and a large one takes too
 * long to write in one go. Where its codec can take hold of it, that is written, once all of it is confirmed. Otherwise a snapshot is
 * made from a private copy, folded from the snapshot before it and the events since, as the store has them: nothing can change it,
 * and nothing in it can be unconfirmed.
 */
export class Snapshotting {
  readonly #sources: Sources;
  readonly #failed: (stream: string, error: unknown) => void;
  readonly #waiting = new Map<string, () => Promise<void>>();
  #running: Promise<void> | undefined;
  /** How often all was forgotten. */
  #forgotten = 0;

  constructor(sources: Sources, failed: (stream: string, error: unknown) => void) {
    this.#sources = sources;
    this.#failed = failed;
  }

  /** False when too many wait. */
  want<S, E extends DomainEvent>(live: LiveAggregate<S, E>, stream: string): boolean {
    if (this.#waiting.size >= MOST_WAITING) return false;
    const { aggregate } = live;
    // A state is not kept from being forgotten by what waits.
    const state = aggregate.snapshot?.hold === undefined ? undefined : new WeakRef(live);
    this.#waiting.set(stream, () => this.#take(aggregate, stream, state));
    this.#running ??= this.#run();
    return true;
  }

  /** Nothing of what was read so far is written any more; what is being written is for the store to remove. */
  forget(): void {
    this.#forgotten += 1;
    this.#waiting.clear();
  }

  /** Resolves when nothing is being written or waiting. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Not within the command that asked.
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
    const held = await live?.deref()?.held((state) => codec.hold!(state));
    if (forgotten !== this.#forgotten) return;
    if (held !== undefined) {
      const { revision, event, chunks } = held;
      return this.#sources.snapshots.save(stream, { revision, event, version: codec.version }, chunks);
    }
    const { state, revision, event, snapshot } = await loadState(this.#sources, aggregate, stream, () => wait(REST_MS));
    const at = { revision, event, version: codec.version };
    if (revision > snapshot && forgotten === this.#forgotten)
      await this.#sources.snapshots.save(stream, at, codec.write(state));
  }
}
