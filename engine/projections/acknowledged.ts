/**
 * Read your writes where one process takes all commands and answers all reads: a command is answered as soon as it is
 * durable and leaves here what views have still to show, and a read waits until its projection has passed what was
 * acknowledged in its scope (a store, say). That holds between clients too, costs a quiet scope nothing, and lets views
 * be written in large batches. Nothing of it outlives the process: at a start views are brought up to the log first.
 */
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';

export interface AcknowledgedOptions {
  /** Names of the projections that read a category. */
  readersOf(category: string): readonly string[];
  /** The categories that a projection reads. */
  categoriesOf(projection: string): readonly string[];
  /** Whether queries on all of these show everything up to `position` (inclusive), now. */
  passed(projections: readonly string[], position: Position): boolean;
  /** Whether a projection is built for the first time, so that queries refuse it: it is not waited for. */
  isBuilding?(projection: string): boolean;
  /** As ProjectionHost.waitFor. */
  waitFor(projections: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Longest wait, in ms. */
  readonly withinMs: number;
  /** Events that views may be behind for one scope, and in all, before writers wait; 2,000 and 10,000 when absent. */
  readonly bounds?: { readonly scope: number; readonly all: number };
}

export interface Acknowledged {
  /** Before the command is answered. The answer: what its writer waits for first, since views are too far behind. */
  add(
    scopes: readonly string[],
    category: string,
    change: { readonly position: Position; readonly events: number },
  ): Promise<unknown> | undefined;
  /**
   * Undefined when the projection shows all that was acknowledged in these scopes (absent: in any); else resolves to true
   * when it does, and to false when it is late or has stopped.
   */
  shown(projection: string, scopes?: readonly string[]): Promise<boolean> | undefined;
  /** Whether `shown` would wait. */
  isBehind(projection: string, scopes?: readonly string[]): boolean;
}

const BOUNDS = { scope: 2_000, all: 10_000 };
/** Scopes remembered one by one; beyond, the oldest count for all. */
const MOST_SCOPES = 20_000;
const FIRST_SWEEP = 1_000;

/** Of one scope: the last change of each category, and how many events have come since `mark` did. */
interface Unshown {
  readonly positions: Map<string, Position>;
  events: number;
  mark: Position;
}

const nothing = (): Unshown => ({ positions: new Map(), events: 0, mark: BEFORE_ALL });

function lastOf(positions: ReadonlyMap<string, Position> | undefined, categories: readonly string[]): Position {
  let last = BEFORE_ALL;
  if (positions === undefined || positions.size === 0) return last;
  for (const category of categories) last = Math.max(last, positions.get(category) ?? BEFORE_ALL);
  return last;
}

class Changes implements Acknowledged {
  readonly #options: AcknowledgedOptions;
  readonly #bounds: { readonly scope: number; readonly all: number };
  readonly #scopes = new Map<string, Unshown>();
  /** Of all scopes together. */
  readonly #all = nothing();
  /** Of scopes that were too many to remember. */
  readonly #forgotten = new Map<string, Position>();
  #sweepAt = FIRST_SWEEP;

  constructor(options: AcknowledgedOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? BOUNDS;
  }

  add(scopes: readonly string[], category: string, change: { readonly position: Position; readonly events: number }) {
    const readers = this.#options.readersOf(category);
    if (readers.length === 0) return undefined;
    let slowed = this.#note(this.#all, category, change, readers, this.#bounds.all);
    for (const scope of scopes) {
      let unshown = this.#scopes.get(scope);
      if (unshown === undefined) {
        unshown = nothing();
        this.#scopes.set(scope, unshown);
      }
      // Its own bound is the narrower one: who writes most waits first.
      slowed = this.#note(unshown, category, change, readers, this.#bounds.scope) ?? slowed;
    }
    if (this.#scopes.size >= this.#sweepAt) this.#sweep();
    return slowed;
  }

  shown(projection: string, scopes?: readonly string[]): Promise<boolean> | undefined {
    const { waitFor, withinMs } = this.#options;
    const position = this.#unshown(projection, scopes);
    return position === undefined ? undefined : waitFor([projection], position, withinMs);
  }

  isBehind(projection: string, scopes?: readonly string[]): boolean {
    return this.#unshown(projection, scopes) !== undefined;
  }

  /** The position that the projection has still to pass. */
  #unshown(projection: string, scopes: readonly string[] | undefined): Position | undefined {
    const { categoriesOf, passed } = this.#options;
    const categories = categoriesOf(projection);
    let position = lastOf(this.#forgotten, categories);
    if (scopes === undefined) position = Math.max(position, lastOf(this.#all.positions, categories));
    // Nearly every query comes by here, and most scopes have nothing: no list is made of them.
    else
      for (const scope of scopes) position = Math.max(position, lastOf(this.#scopes.get(scope)?.positions, categories));
    const isShown = position === BEFORE_ALL || passed([projection], position) || this.#isBuilding(projection);
    return isShown ? undefined : position;
  }

  #note(
    unshown: Unshown,
    category: string,
    { position, events }: { readonly position: Position; readonly events: number },
    readers: readonly string[],
    most: number,
  ): Promise<unknown> | undefined {
    const { passed, waitFor, withinMs } = this.#options;
    const before = unshown.positions.get(category) ?? BEFORE_ALL;
    if (position > before) unshown.positions.set(category, position);
    unshown.events += events;
    if (unshown.events <= most) return undefined;
    const { mark } = unshown;
    // Counted anew from here on: what stood at the last count is waited for, so at most two bounds are behind.
    unshown.events = events;
    unshown.mark = position;
    const behind = readers.filter((reader) => !passed([reader], mark) && !this.#isBuilding(reader));
    return behind.length === 0 ? undefined : waitFor(behind, mark, withinMs);
  }

  #isBuilding(projection: string): boolean {
    return this.#options.isBuilding?.(projection) === true;
  }

  /** Forgets what is shown; costs as much as it has grown since the last time. */
  #sweep(): void {
    const { readersOf, passed } = this.#options;
    for (const [scope, { positions }] of this.#scopes) {
      for (const [category, position] of positions)
        if (passed(readersOf(category), position)) positions.delete(category);
      if (positions.size === 0) this.#scopes.delete(scope);
    }
    for (const [category, position] of this.#forgotten)
      if (passed(readersOf(category), position)) this.#forgotten.delete(category);
    for (const [scope, { positions }] of this.#scopes) {
      if (this.#scopes.size <= MOST_SCOPES) break;
      for (const [category, position] of positions)
        this.#forgotten.set(category, Math.max(position, this.#forgotten.get(category) ?? BEFORE_ALL));
      this.#scopes.delete(scope);
    }
    this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#scopes.size);
  }
}

export const createAcknowledged = (options: AcknowledgedOptions): Acknowledged => new Changes(options);
