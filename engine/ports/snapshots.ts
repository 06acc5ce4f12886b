/** States of long streams, so that they need not be folded from their first event. Disposable: events are the truth. */
export interface Snapshot {
  /** Revision of the last event in the state. */
  readonly revision: number;
  /** Id of that event; absent in one from before this was kept. */
  readonly event?: string | undefined;
  /** Version of the state's shape (SnapshotCodec.version). */
  readonly version: number;
  /** In the order in which they were saved; may be left unread. Throws when the snapshot has been replaced meanwhile. */
  readonly chunks: AsyncIterable<object>;
}

export interface SnapshotStore {
  /** The newest complete snapshot of a stream. */
  load(stream: string): Promise<Snapshot | undefined>;
  /**
   * Takes the place of the one before when it is complete; half of one is never loaded. The chunks are taken a few at a
   * time, with turns of the event loop between: what they come from must not change meanwhile.
   */
  save(stream: string, at: Omit<Snapshot, 'chunks'>, chunks: Iterable<object>): Promise<void>;
  /** Removes all of them, also those that are being saved; absent where none are kept. */
  clear?(): Promise<void>;
  /** The same, unless it was called with this mark before, which outlasts a restart; absent where none are kept. */
  clearBefore?(mark: number): Promise<void>;
}

/** Keeps none: every state is folded from its stream's first event. */
export const forgetfulSnapshots: SnapshotStore = { load: async () => undefined, save: async () => undefined };
