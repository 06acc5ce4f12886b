/**
 * A stored state of a long stream, so that it need not be folded from its first event. Disposable: events are the
 * truth.
 */
export interface Snapshot {
  /** Revision of the last event in the state. */
  readonly revision: number;
  /** Id of that event; absent in snapshots of older versions. */
  readonly event?: string | undefined;
  /** Version of the state's shape (SnapshotCodec.version). */
  readonly version: number;
  /**
   * Chunks in the order in which they were saved; may be left unread. Throws if the snapshot was replaced meanwhile.
   */
  readonly chunks: AsyncIterable<object>;
}

export interface SnapshotStore {
  /** Returns the newest complete snapshot of a stream. */
  load(stream: string): Promise<Snapshot | undefined>;
  /**
   * Replaces the previous snapshot once the new one is complete; a partial one is never loaded. Consumes the chunks a
   * few at a time, with turns of the event loop in between, so their source must not change meanwhile.
   */
  save(stream: string, at: Omit<Snapshot, 'chunks'>, chunks: Iterable<object>): Promise<void>;
  /** Removes all snapshots, including those being saved. Absent if none are stored. */
  clear?(): Promise<void>;
  /**
   * Removes all snapshots unless it was called with this mark before, even before a restart. Absent if none are stored.
   */
  clearBefore?(mark: number): Promise<void>;
}

/** Stores no snapshots: every state is folded from its stream's first event. */
export const forgetfulSnapshots: SnapshotStore = { load: async () => undefined, save: async () => undefined };
