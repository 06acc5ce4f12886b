import type { EventFilter, Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import type { LostPage } from '../../engine/sealing/lostKeys.js';

/** Keys of customers and staff, under which their data are sealed in the log. */
export interface PersonKeys {
  /** Categories of streams whose events contain sealed data of customers. */
  readonly categories: readonly string[];
  /** Types of events that contain sealed data of staff. */
  readonly ofStaff: readonly string[];
  /** Ids of everybody whom the store knew by this phone or user id. For staff: by their space and name (staffNames.ts). */
  everyone(workspaceId: string, value: string): Promise<readonly string[]>;
  /** Returns the ids of people in the sealed events of these streams who are linked to no phone and no user id. */
  unnamed(streams: readonly string[]): Promise<readonly string[]>;
  /** Returns true if a chosen event of the stream contains unsealed data that would be sealed today. */
  isUnsealed(stream: string, chosen: (event: RecordedEvent) => boolean): Promise<boolean>;
  /**
   * Destroys the keys, and cached or stored copies of the data that they seal: states, snapshots, and responses that contain one of
   * `values`. From then on the sealed data are unreadable. May be repeated.
   */
  forget(persons: readonly string[], values: readonly string[]): Promise<void>;
  /** Loads the erasures of other instances. Rejects with StoreUnavailable. */
  hear(): Promise<void>;
  /** Registers a callback for erasures, also by other instances, so that caches of identities can be cleared. */
  onForgotten(listener: () => void): void;
  /** Returns the events of one page of the log, after (exclusive) a position, whose keys are missing. Rejects with StoreUnavailable. */
  lost(after: Position, options?: { readonly filter?: EventFilter; readonly limit?: number }): Promise<LostPage>;
  /** Reseals the keys under the first master key. Returns their number, and the number of people whose keys no master key opens. */
  reseal(): Promise<{ readonly resealed: number; readonly unreadable: number }>;
}
