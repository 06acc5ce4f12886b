/**
 * Read-your-writes if one process accepts all commands and serves all reads. A command is answered as soon as it is
 * durable, and its position is recorded here. A read waits until its projection has passed the positions acknowledged
 * in its scope, such as a store. The guarantee also holds between clients, costs a quiet scope nothing, and lets views
 * be written in large batches. Nothing is persisted: a start first brings the views up to the log.
 */
import { BEFORE_ALL, type Position } from '../ports/eventStore.js';

export interface AcknowledgedOptions {
  /** Names of the projections that read a category. */
  readersOf(category: string): readonly string[];
  /** The categories that a projection reads. */
  categoriesOf(projection: string): readonly string[];
  /** Returns true if queries on all of these show everything up to `position` (inclusive) now. */
  passed(projections: readonly string[], position: Position): boolean;
  /** Returns true during the first build of a projection. Queries refuse it then, so nothing waits for it. */
  isBuilding?(projection: string): boolean;
  /** As ProjectionHost.waitFor. */
  waitFor(projections: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Longest wait, in ms. */
  readonly withinMs: number;
  /** Maximum lag of views before writers wait, for one scope and in all, in events. Default: 2,000 and 10,000. */
  readonly bounds?: { readonly scope: number; readonly all: number };
}

export interface Acknowledged {
  /** Call it before the command is answered. If views are too far behind, the writer must first await the result. */
  add(
    scopes: readonly string[],
    category: string,
    change: { readonly position: Position; readonly events: number },
  ): Promise<unknown> | undefined;
  /**
   * Undefined if the projection shows everything acknowledged in these scopes (default: in any). Otherwise resolves to
   * true once it does, and to false if it is late or has stopped.
   */
  shown(projection: string, scopes?: readonly string[]): Promise<boolean> | undefined;
  /** Returns true if `shown` would wait. */
  isBehind(projection: string, scopes?: readonly string[]): boolean;
}

const BOUNDS = { scope: 2_000, all: 10_000 };
/** Maximum number of scopes tracked one by one. Evicted scopes count for all. */
const MOST_SCOPES = 20_000;
const FIRST_SWEEP = 1_000;

/** State of one scope: the last change of each category, and the number of events since `mark`. */
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
  /** State of all scopes together. */
  readonly #all = nothing();
  /** Changes of evicted scopes. */
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
      // The bound of a scope is the lower one, so the writer with the most events waits first.
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

  /** Returns the position that the projection has yet to pass. */
  #unshown(projection: string, scopes: readonly string[] | undefined): Position | undefined {
    const { categoriesOf, passed } = this.#options;
    const categories = categoriesOf(projection);
    let position = lastOf(this.#forgotten, categories);
    if (scopes === undefined) position = Math.max(position, lastOf(this.#all.positions, categories));
    // Hot path: nearly every query runs this, and most scopes have nothing. No list is allocated.
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
    // The count restarts here, and the writer waits for the previous mark. At most two bounds are behind.
    unshown.events = events;
    unshown.mark = position;
    const behind = readers.filter((reader) => !passed([reader], mark) && !this.#isBuilding(reader));
    return behind.length === 0 ? undefined : waitFor(behind, mark, withinMs);
  }

  #isBuilding(projection: string): boolean {
    return this.#options.isBuilding?.(projection) === true;
  }

  /** Removes changes that are shown. The cost is proportional to the growth since the last sweep. */
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
