/** Writes of a build that are pending, and how they reach the store. */
import type { SteadyClock } from '../ports/clock.js';
import type { Checkpoint, DocumentStore, Fence, WriteBatch } from '../ports/documents.js';
import type { EventStore } from '../ports/eventStore.js';

/** Dependencies of every build. */
export interface BuildParts {
  readonly readModels: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: SteadyClock;
}

/** Maximum number of views in memory when live, per projection. */
export const LIVE_VIEWS = 6_000;
/** The same during a fill, when a view is often needed again soon. */
export const FILL_VIEWS = 8000;

export type Turn = (work: () => Promise<void>) => Promise<void>;

/** Folded changes that are not stored, with their checkpoints. */
export interface PendingWrite {
  readonly batch: Required<WriteBatch>;
  readonly checkpoints: readonly (Checkpoint | Fence)[];
}

/** Store error that a build waits for. It is not caused by an event, and it passes or an operator repairs it. */
export interface StoreTrouble {
  readonly error: string;
  /** RFC 3339. */
  readonly since: string;
  readonly attempts: number;
}

/**
 * Writes a batch by `write`, at most `slices` documents at once, each write in a `turn` of its own. Removals come with
 * the last write, which happens even if no documents are left for it.
 */
export async function inSlices(
  { put, remove }: PendingWrite['batch'],
  slices: number,
  turn: Turn,
  write: (part: WriteBatch, isLast: boolean) => Promise<void>,
): Promise<void> {
  let done = 0;
  for (; put.length - done > slices; done += slices) {
    const part = put.slice(done, done + slices);
    await turn(() => write({ put: part }, false));
  }
  await turn(() => write({ put: done === 0 ? put : put.slice(done), remove }, true));
}

/** Returns a batch as engines accept it. An empty batch becomes an empty object. */
export const batchesOf = (physical: string, batch: WriteBatch): Readonly<Record<string, WriteBatch>> => {
  const { put = [], remove = [] } = batch;
  return put.length + remove.length === 0 ? {} : { [physical]: batch };
};
