import type { SteadyClock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type LogPlace, type Position } from '../ports/eventStore.js';
import type { Positions } from './contract.js';
import { ProgressBoard } from './progressBoard.js';
import { parsedKey, shardCheckpoint, shardPassed } from './sharded/names.js';
import { KnownPlaces } from './sharded/places.js';

export interface SharedProgressOptions {
  /** The read models that all instances share. */
  readonly views: Pick<DocumentStore, 'checkpoints' | 'resolve'>;
  readonly clock: SteadyClock;
  /** Where read models are parted: into how many shards, and which. */
  readonly parted?: { readonly shards: number; has(projection: string): boolean };
}

export interface SharedProgress {
  /** As in ProjectionHost: true when queries on all `names` show everything up to `position`, whoever owns them. */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** What projections of this instance have reached: wakes at once. */
  moved(positions: Positions): void;
  /** Projections of this instance that have stopped. */
  setStopped(names: readonly string[]): void;
  /** Answers false to all who wait. */
  close(): void;
}

const FIRST_MS = 4;
const LONGEST_MS = 50;
/** Waited for so long, a name may stand for another collection by now. */
const RESOLVE_MS = 100;
/** A projection that has told of progress here within this time is taken for one that this instance owns. */
const LOCAL_MS = 2000;
/** All shards of a read model are looked at, where owners cannot say how far they are, at most so often. */
const FULL_MS = 500;

class Shared implements SharedProgress {
  readonly #options: SharedProgressOptions;
  readonly #board: ProgressBoard;
  /** The collection that a name stands for, whose name its checkpoint bears; `at`: when that was looked up. */
  readonly #physical = new Map<string, { name: string; at: number }>();
  /** When projections of this instance told of progress last. */
  readonly #told = new Map<string, number>();
  readonly #places: KnownPlaces | undefined;
  #fullAt = Number.NEGATIVE_INFINITY;
  #lastWait = 0;
  #lastAsked = Number.NEGATIVE_INFINITY;
  #asking = false;
  #cancel: () => void = () => undefined;

  constructor(options: SharedProgressOptions) {
    this.#options = options;
    this.#board = new ProgressBoard(() => options.clock.now());
    this.#places = options.parted && new KnownPlaces(options.parted.shards);
  }

  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean> {
    const answer = this.#board.waitFor(names, position, timeoutMs);
    this.#lastWait = this.#options.clock.now();
    this.#askSoon();
    return answer;
  }

  moved(positions: Positions): void {
    const now = this.#options.clock.now();
    for (const name of Object.keys(positions)) this.#told.set(name, now);
    this.#board.moved(positions);
  }

  setStopped(names: readonly string[]): void {
    this.#board.setStopped(names);
  }

  close(): void {
    this.#cancel();
    this.#board.close();
  }

  /** Asks when it is time, at once after a pause; while nobody waits, nothing is set. */
  #askSoon(): void {
    const { clock } = this.#options;
    this.#cancel();
    if (this.#asking || this.#board.waiting === 0) return;
    const now = clock.now();
    const pause = Math.min(LONGEST_MS, Math.max(FIRST_MS, (now - this.#lastWait) / 2));
    const wait = this.#lastAsked + pause - now;
    if (wait <= 0) void this.#ask();
    else this.#cancel = clock.at(now + wait, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    const awaited = this.#board.awaited();
    // What is owned here wakes by itself; only when that takes long is the store asked too.
    for (const [name, since] of awaited)
      if (now - since < LONGEST_MS && now - (this.#told.get(name) ?? Number.NEGATIVE_INFINITY) < LOCAL_MS)
        awaited.delete(name);
    this.#asking = true;
    this.#lastAsked = now;
    try {
      if (awaited.size > 0) await this.#read(awaited);
    } catch {
      // The engine may be back before those who wait give up.
    }
    this.#asking = false;
    this.#askSoon();
  }

  async #read(awaited: ReadonlyMap<string, number>): Promise<void> {
    const keys = [...awaited.keys()];
    const since = new Map<string, number>();
    for (const [key, begun] of awaited) {
      const { projection } = parsedKey(key);
      since.set(projection, Math.min(begun, since.get(projection) ?? begun));
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

  /** Names of the checkpoints that say how far a projection, or one shard of it, is. */
  #placesOf(key: string, physical: ReadonlyMap<string, string>, full: boolean): readonly string[] {
    const { parted } = this.#options;
    const { projection, shard } = parsedKey(key);
    const name = physical.get(projection)!;
    if (shard !== undefined) return [name, shardCheckpoint(name, shard), shardPassed(shard)];
    return parted?.has(projection) === true ? this.#places!.names([name], full) : [name];
  }

  #positionOf(
    key: string,
    physical: ReadonlyMap<string, string>,
    positions: ReadonlyMap<string, Position>,
    full: boolean,
  ): Position {
    const { parted } = this.#options;
    const { projection, shard } = parsedKey(key);
    const name = physical.get(projection)!;
    const placeOf = (place: string): LogPlace => ({ position: positions.get(place) ?? BEFORE_ALL });
    if (shard === undefined && parted?.has(projection) === true)
      return this.#places!.placeOf(name, placeOf, full).position;
    const own = shard === undefined ? BEFORE_ALL : (positions.get(shardCheckpoint(name, shard)) ?? BEFORE_ALL);
    // What its owner says it has passed counts where it has begun.
    const passed = own === BEFORE_ALL ? own : (positions.get(shardPassed(shard!)) ?? BEFORE_ALL);
    return Math.max(positions.get(name) ?? BEFORE_ALL, own, passed);
  }

  /**
   * Looked up again when someone has waited for long. What was found earlier never says too much: a build serves once it
   * has all that the one before had, so the old collection's checkpoint holds for the new one too.
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
 * Read-your-writes where another instance may own the projection: the position of a projection is its checkpoint in the
 * shared store. One query at a time asks for all that is awaited, at once and then every 4 ms to 50 ms, longer the longer
 * nobody new has come; nobody waiting costs nothing. An engine that is away only makes waits end by their timeout.
 */
export function createSharedProgress(options: SharedProgressOptions): SharedProgress {
  return new Shared(options);
}
