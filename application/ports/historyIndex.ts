import type { Position } from '../../engine/ports/eventStore.js';

/** Extent and origin of an index of the log. */
export interface IndexedPart {
  /** End of the indexed part of the log. */
  readonly through: Position;
  /** An event of the log near the end of the index. Another log has another event there. */
  readonly mark: { readonly position: Position; readonly id: string };
  /** Name of the secret with which customers are hashed. */
  readonly secret: string;
}

/** Time span of a run of events in the log. They are not ordered by time if a clock was ever set back. ms since 1970. */
export interface TimeSpan {
  /** End of the run, which starts after the previous one. */
  readonly through: Position;
  readonly least: number;
  readonly greatest: number;
}

/**
 * Positions of events in the log by index key (`facets`, see application/history/historyFacets.ts), so that a query need not scan the whole log.
 * It lags behind the log.
 */
export interface HistoryIndex {
  /** Undefined: the index is empty. */
  made(): IndexedPart | undefined;
  /**
   * Returns positions after `after`, ascending, of the events that have at least one key of each list. There may be false positives, so the
   * caller must check the events.
   */
  positions(lists: readonly (readonly string[])[], after: Position): Iterable<Position>;
  /** Returns the time spans from the run that contains the first event after `after`, in order. */
  spans(after: Position): Iterable<TimeSpan>;
}

/** Customers in an index. Rejects with StoreUnavailable. */
export interface IndexedPeople {
  /** Ids of everybody whom the store knew by a phone or user id and who was not erased. */
  everyone(store: string, value: string): Promise<readonly string[]>;
  /** Secret with which customer ids that are not sealed in the log are hashed. */
  secret(): Promise<string>;
}

/** An index, and the customers in it. */
export interface SearchedIndex {
  readonly index: HistoryIndex;
  readonly people: IndexedPeople;
}

/** Write access to an index. */
export interface HistoryIndexMaker extends Pick<HistoryIndex, 'made'> {
  /** Adds the events after the indexed part, up to a position. Throws StorageFull, StoreUnavailable. */
  add(places: ReadonlyMap<string, readonly Position[]>, part: IndexedPart, span: TimeSpan): void;
  /** Clears the index, because it was made from another log. */
  clear(): void;
  close(): void;
}
