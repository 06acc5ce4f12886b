import type { Incoming, Page } from './page.js';
import { type AnyProjection, handlersOf } from './projection.js';

interface Reader {
  readonly projection: AnyProjection;
}

/** Returns the events of a page that a projection handles, in order. */
export type Deliveries = (projection: AnyProjection) => readonly Incoming[];

/** Projections by the category and type of the events that they handle. An event reaches no other projection. */
export class DispatchTable {
  #projections: readonly AnyProjection[] = [];
  /** Indexes of projections in the lists of a delivery. */
  #slots = new Map<AnyProjection, number>();
  #readers = new Map<string, Map<string, number[]>>();

  /** Returns the events of a page by projection. Rebuilds the table only if the readers differ from the last call. */
  deliver(readers: readonly Reader[], { all }: Page): Deliveries {
    if (!this.#isOf(readers)) this.#build(readers);
    const slots = this.#slots;
    const lists: Incoming[][] = Array.from({ length: slots.size }, () => []);
    // Usually, all events of a page have the same category.
    let category = '';
    let types: ReadonlyMap<string, number[]> | undefined;
    for (const event of all) {
      if (event.category !== category) {
        category = event.category;
        types = this.#readers.get(category);
      }
      const found = types?.get(event.event.type);
      if (found !== undefined) for (const slot of found) lists[slot]!.push(event);
    }
    return (projection) => lists[slots.get(projection)!]!;
  }

  #isOf(readers: readonly Reader[]): boolean {
    return (
      readers.length === this.#projections.length &&
      readers.every(({ projection }, i) => projection === this.#projections[i])
    );
  }

  #build(readers: readonly Reader[]): void {
    this.#projections = readers.map(({ projection }) => projection);
    this.#slots = new Map([...new Set(this.#projections)].map((projection, slot) => [projection, slot]));
    this.#readers = new Map();
    for (const [projection, slot] of this.#slots)
      for (const category of new Set(projection.categories)) this.#add(category, projection, slot);
  }

  #add(category: string, projection: AnyProjection, slot: number): void {
    const types = this.#readers.get(category) ?? new Map<string, number[]>();
    this.#readers.set(category, types);
    for (const type of handlersOf(projection).keys()) types.set(type, [...(types.get(type) ?? []), slot]);
  }
}

/** Returns the events of a page that a projection handles. */
export const eventsFor = (projection: AnyProjection, page: Page): readonly Incoming[] =>
  new DispatchTable().deliver([{ projection }], page)(projection);
