import type { Position } from '../../engine/ports/eventStore.js';

/** How far an index of the log goes, and what it was made of. */
export interface IndexedPart {
  /** All up to here is in it. */
  readonly through: Position;
  /** An event of the log near the index's end: another log has another event there. */
  readonly mark: { readonly position: Position; readonly id: string };
  /** The name of the secret that customers are hashed with. */
  readonly secret: string;
}

/** When the events of a run of the log happened, which are in no order of time where a clock was ever set back. ms since 1970. */
export interface TimeSpan {
  /** The run begins behind the one before, and ends here. */
  readonly through: Position;
  readonly least: number;
  readonly greatest: number;
}

/**
 * Where in the log something stands, by what it is about (`facets`, see application/history/facets.ts), so that a question need not
 * go through all of it. It follows the log from some way behind.
 */
export interface HistoryIndex {
  /** Undefined: nothing is in it. */
  made(): IndexedPart | undefined;
  /**
   * Positions behind `after`, rising, of the events that have one of the facets of each list. Others may be among them: whoever
   * asks looks at the events.
   */
  positions(lists: readonly (readonly string[])[], after: Position): Iterable<Position>;
  /** Of all that is in it from the run on in which the first event behind `after` is, in order. */
  spans(after: Position): Iterable<TimeSpan>;
}

/** How customers are found in an index. Rejects with StoreUnavailable. */
export interface IndexedPeople {
  /** Ids of everybody whom the store knew by a phone or user id and who was not forgotten. */
  everyone(store: string, value: string): Promise<readonly string[]>;
  /** What customers are hashed with who stand in the log in clear. */
  secret(): Promise<string>;
}

/** An index, and how customers are found in it. */
export interface SearchedIndex {
  readonly index: HistoryIndex;
  readonly people: IndexedPeople;
}

/** The side that makes it. */
export interface HistoryIndexMaker extends Pick<HistoryIndex, 'made'> {
  /** Adds the events behind what is there, through a position. Throws StorageFull, StoreUnavailable. */
  add(places: ReadonlyMap<string, readonly Position[]>, part: IndexedPart, span: TimeSpan): void;
  /** Begins anew: it was made of another log. */
  clear(): void;
  close(): void;
}
