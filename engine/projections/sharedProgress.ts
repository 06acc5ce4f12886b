import type { Clock } from '../ports/clock.js';
import type { DocumentStore } from '../ports/documents.js';
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';
import type { Positions } from './contract.js';
import { ProgressBoard } from './progressBoard.js';

export interface SharedProgressOptions {
  /** The read models that all instances share. */
  readonly views: Pick<DocumentStore, 'checkpoints' | 'resolve'>;
  readonly clock: Clock;
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

class Shared implements SharedProgress {
  readonly #options: SharedProgressOptions;
  readonly #board: ProgressBoard;
  /** The collection that a name stands for, whose name its checkpoint bears; `at`: when that was looked up. */
  readonly #physical = new Map<string, { name: string; at: number }>();
  /** When projections of this instance told of progress last. */
  readonly #told = new Map<string, number>();
  #lastWait = 0;
  #lastAsked = Number.NEGATIVE_INFINITY;
  #asking = false;
  #cancel: () => void = () => undefined;

  constructor(options: SharedProgressOptions) {
    this.#options = options;
    this.#board = new ProgressBoard(() => options.clock.now());
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
    const found = await Promise.all([...awaited].map(([name, since]) => this.#resolved(name, since)));
    const positions = await this.#options.views.checkpoints(found);
    this.#board.moved(
      Object.fromEntries([...awaited.keys()].map((name, i) => [name, positions.get(found[i]!) ?? BEFORE_ALL])),
    );
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
