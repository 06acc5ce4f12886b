import type { EventFilter, Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import type { LostPage } from '../../engine/sealing/lostKeys.js';

/** The keys of customers and of those who work for stores, under which all that tells of them is sealed in the log. */
export interface PersonKeys {
  /** Categories of streams whose events hold what is sealed of customers. */
  readonly categories: readonly string[];
  /** Types of events that hold what is sealed of those who work for stores. */
  readonly ofStaff: readonly string[];
  /** Ids of everybody whom the store knew by this phone or user id; of staff, by their space and name (staffNames.ts). */
  everyone(workspaceId: string, value: string): Promise<readonly string[]>;
  /** Returns the ids of people in the sealed events of these streams who are linked to no phone and no user id. */
  unnamed(streams: readonly string[]): Promise<readonly string[]>;
  /** Whether an event of the stream, of those that are chosen, holds in clear what is sealed today. */
  standsInClear(stream: string, chosen: (event: RecordedEvent) => boolean): Promise<boolean>;
  /**
   * Destroys the keys, and what is in memory or kept beside the log of what they open: states, snapshots, answers of requests in
   * which one of `values` stands. From then on nobody reads what was sealed. May be repeated.
   */
  forget(persons: readonly string[], values: readonly string[]): Promise<void>;
  /** Learns whom other instances have forgotten. Rejects with StoreUnavailable. */
  hear(): Promise<void>;
  /** Calls back when somebody was forgotten, also by another instance: for what is remembered elsewhere of who is who. */
  onForgotten(listener: () => void): void;
  /** Of one page of the log, after (exclusive) a position, the events whose keys are missing. Rejects with StoreUnavailable. */
  lost(after: Position, options?: { readonly filter?: EventFilter; readonly limit?: number }): Promise<LostPage>;
  /** Seals the keys anew under the first master key; answers how many, and of how many people no master key opens theirs. */
  reseal(): Promise<{ readonly resealed: number; readonly unreadable: number }>;
}
