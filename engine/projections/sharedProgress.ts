import type { SteadyClock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type LogPlace, type Position } from '../ports/eventStore.js';
import type { Positions } from './contract.js';
import { ProgressBoard } from './progressBoard.js';
import { parsedKey, shardCheckpoint, shardProgress } from './sharded/names.js';
import { KnownPlaces } from './sharded/places.js';

export interface SharedProgressOptions {
  /** Read models that all instances share. */
  readonly views: Pick<DocumentStore, 'checkpoints' | 'resolve'>;
  readonly clock: SteadyClock;
  /** Partitioned read models: the number of shards, and which read models have them. */
  readonly sharded?: { readonly shards: number; has(projection: string): boolean };
}

export interface SharedProgress {
  /**
   * As in ProjectionHost: resolves to true when queries on all `names` show everything up to `position`, under any
   * owner.
   */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Reports positions that projections of this instance have reached. Wakes waiters at once. */
  moved(positions: Positions): void;
  /** Reports the stopped projections of this instance. */
  setStopped(names: readonly string[]): void;
  /** Resolves all waits to false. */
  close(): void;
}

const FIRST_MS = 4;
const LONGEST_MS = 50;
/** Waiting time after which a name may have another collection, in ms. */
const RESOLVE_MS = 100;
/** Time for which a projection counts as owned here after it reported progress, in ms. */
const LOCAL_MS = 2000;
/**
 * Minimum interval at which all shards of a read model are read, in ms. Used if owners cannot publish their progress.
 */
const FULL_MS = 500;

class Shared implements SharedProgress {
  readonly #options: SharedProgressOptions;
  readonly #board: ProgressBoard;
  /** Collection of each name, which is also the name of the checkpoint. `at`: time of the lookup. */
  readonly #physical = new Map<string, { name: string; at: number }>();
  /** Time at which projections of this instance last reported progress. */
  readonly #reportedAt = new Map<string, number>();
  readonly #places: KnownPlaces | undefined;
  #fullAt = Number.NEGATIVE_INFINITY;
  #lastWait = 0;
  #lastRequested = Number.NEGATIVE_INFINITY;
  #asking = false;
  #cancel: () => void = () => undefined;

  constructor(options: SharedProgressOptions) {
    this.#options = options;
    this.#board = new ProgressBoard(() => options.clock.now());
    this.#places = options.sharded && new KnownPlaces(options.sharded.shards);
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    const answer = this.#board.waitFor(names, position, timeoutMs);
    this.#lastWait = this.#options.clock.now();
    this.#querySoon();
    return answer;
  }

  moved(positions: Positions): void {
    const now = this.#options.clock.now();
    for (const name of Object.keys(positions)) this.#reportedAt.set(name, now);
    this.#board.moved(positions);
  }

  setStopped(names: readonly string[]): void {
    this.#board.setStopped(names);
  }

  close(): void {
    this.#cancel();
    this.#board.close();
  }

  /** Schedules the next query, which runs at once after a pause. No timer is set while nobody waits. */
  #querySoon(): void {
    const { clock } = this.#options;
    this.#cancel();
    if (this.#asking || this.#board.waiting === 0) return;
    const now = clock.now();
    const pause = Math.min(LONGEST_MS, Math.max(FIRST_MS, (now - this.#lastWait) / 2));
    const wait = this.#lastRequested + pause - now;
    if (wait <= 0) void this.#query();
    else this.#cancel = clock.at(now + wait, () => void this.#query());
  }

  async #query(): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    const awaited = this.#board.awaited();
    // Projections that are owned here wake by themselves. The store is queried too only if that takes long.
    for (const [name, since] of awaited)
      if (now - since < LONGEST_MS && now - (this.#reportedAt.get(name) ?? Number.NEGATIVE_INFINITY) < LOCAL_MS)
        awaited.delete(name);
    this.#asking = true;
    this.#lastRequested = now;
    try {
      if (awaited.size > 0) await this.#read(awaited);
    } catch {
      // The engine may be available again before the waits time out.
    }
    this.#asking = false;
    this.#querySoon();
  }

  async #read(awaited: ReadonlyMap<string, number>): Promise<void> {
    const keys = [...awaited.keys()];
    const since = new Map<string, number>();
    for (const [key, startedAt] of awaited) {
      const { projection } = parsedKey(key);
      since.set(projection, Math.min(startedAt, since.get(projection) ?? startedAt));
    }
    const found = await Promise.all(
      [...since].map(async ([name, at]) => [name, await this.#resolved(name, at)] as const),
    );
    const physical = new Map(found);
    const now = this.#options.clock.now();
    const full = now - this.#fullAt >= FULL_MS && now - Math.min(...awaited.values()) >= LONGEST_MS;
    if (full) this.#fullAt = now;
    const names = new Set(keys.flatMap((key) => this.#placesOf(key, physical, full)));
    const positions = await this.#options.views.checkpoints([...names]);
    this.#board.moved(Object.fromEntries(keys.map((key) => [key, this.#positionOf(key, physical, positions, full)])));
  }

  /** Returns the names of the checkpoints that show the progress of a projection or of one shard. */
  #placesOf(key: string, physical: ReadonlyMap<string, string>, full: boolean): readonly string[] {
    const { sharded } = this.#options;
    const { projection, shard } = parsedKey(key);
    const name = physical.get(projection)!;
    if (shard !== undefined) return [name, shardCheckpoint(name, shard), shardProgress(shard)];
    return sharded?.has(projection) === true ? this.#places!.names([name], full) : [name];
  }

  #positionOf(
    key: string,
    physical: ReadonlyMap<string, string>,
    positions: ReadonlyMap<string, Position>,
    full: boolean,
  ): Position {
    const { sharded } = this.#options;
    const { projection, shard } = parsedKey(key);
    const name = physical.get(projection)!;
    const placeOf = (place: string): LogPlace => ({ position: positions.get(place) ?? BEFORE_ALL });
    if (shard === undefined && sharded?.has(projection) === true)
      return this.#places!.placeOf(name, placeOf, full).position;
    const own = shard === undefined ? BEFORE_ALL : (positions.get(shardCheckpoint(name, shard)) ?? BEFORE_ALL);
    // The place that the owner published as passed counts once the shard has begun.
    const passed = own === BEFORE_ALL ? own : (positions.get(shardProgress(shard!)) ?? BEFORE_ALL);
    return Math.max(positions.get(name) ?? BEFORE_ALL, own, passed);
  }

  /**
   * Resolves the name again after a long wait. An old result is safe: a build serves once it has everything of its
   * predecessor, so the checkpoint of the old collection also holds for the new one.
   */
  async #resolved(name: string, since: number): Promise<string> {
    const { clock, views } = this.#options;
    const known = this.#physical.get(name);
    if (known !== undefined && clock.now() - Math.max(since, known.at) < RESOLVE_MS) return known.name;
    const found = await views.resolve(name);
    this.#physical.set(name, { name: found, at: clock.now() });
    return found;
  }
}

/**
 * Read-your-writes if another instance may own the projection: its position is its checkpoint in the shared store. A
 * single query reads everything that is awaited, at once and then every 4 ms to 50 ms. The interval grows while no new
 * waiter comes. Without waiters there is no cost. If the engine is unavailable, waits only end by their timeout.
 */
export function createSharedProgress(options: SharedProgressOptions): SharedProgress {
  return new Shared(options);
}
