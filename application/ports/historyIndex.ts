import type { Position } from '../../engine/ports/eventStore.js';

/** How far an index of the log goes. */
export interface IndexedPart {
  /** All up to here is in it. */
  readonly through: Position;
  /** An event of the log that it was made of, near its end: another log has another event there. */
  readonly mark: { readonly position: Position; readonly id: string };
}

/**
 * Where in the log something stands, by what it is about (`facets`, see application/history/facets.ts), so that a question need not
 * go through all of it. It follows the log from some way behind.
 */
export interface HistoryIndex {
  /** Undefined: nothing is in it. */
  made(): IndexedPart | undefined;
  has(facet: string): boolean;
  /**
   * Positions behind `after`, rising, of the events that have one of the facets of each list. Others may be among them: whoever
   * asks looks at the events.
   */
  positions(lists: readonly (readonly string[])[], after: Position): Iterable<Position>;
}

/** The side that makes it. */
export interface HistoryIndexMaker extends Pick<HistoryIndex, 'made'> {
  /** Adds the events behind what is there, through a position. Throws StorageFull, StoreUnavailable. */
  add(places: ReadonlyMap<string, readonly Position[]>, part: IndexedPart): void;
  /** Begins anew: it was made of another log. */
  clear(): void;
  close(): void;
}
