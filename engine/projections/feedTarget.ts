/** Common interface of a build and a part of a build, for the feeds. */
import type { SteadyClock } from '../ports/clock.js';
import type { Checkpoint, DocumentRefused, DocumentStore, Fence, WriteBatch } from '../ports/documents.js';
import type { EventMark, EventStore, Position } from '../ports/eventStore.js';
import type { Poison } from './folding.js';
import type { Incoming, Page } from './page.js';
import type { AnyProjection } from './projection.js';

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

/** Target of events: a build, or the part of one that this instance owns. */
export interface FeedTarget {
  readonly name: string;
  readonly projection: AnyProjection;
  readonly physical: string;
  /** Everything up to here is folded. */
  readonly position: Position;
  readonly poison: Poison | undefined;
  /** It no longer runs here, and never will again. */
  readonly hasLeft: boolean;
  /** Present while it is retried after a store failure. */
  trouble: StoreTrouble | undefined;
  /** Number of changed views that are not written yet. */
  readonly unwritten: number;
  readonly views: number;
  /** Events scanned since the written checkpoint, which a crash makes it scan again. */
  readonly scanned: number;
  /** Documents written in this process. */
  readonly writes: number;
  /** True if indexes must be built before it can serve. */
  readonly indexesLater: boolean;
  /** True if events without a handler need not be delivered to it. */
  readonly skipsTypes: boolean;
  /** True while this instance may write it. */
  readonly mayWrite: boolean;
  /** True if waiters on other instances may wait for a checkpoint that is not written. */
  readonly isAwaited: boolean;
  /** True if only its position has moved, and others wait for its checkpoint anyway. */
  readonly isCheckpointDue: boolean;
  /** Folds the events of a page that the projection handles. `last`: the newest event up to `through`, if known. */
  fold(page: Page, through: Position, last?: EventMark, events?: readonly Incoming[]): Promise<void>;
  /** Passes a page in which the projection handles no event. */
  pass(page: Page, through: Position, last?: EventMark): void;
  flush(keep: 'live' | 'filling', slices?: number, turn?: Turn): Promise<void>;
  /** Returns the folded changes that are not stored, for a combined write. Call `wrote` afterwards. */
  pending(): PendingWrite;
  wrote(pending: PendingWrite, keep: 'live' | 'filling'): void;
  refuse(error: DocumentRefused): void;
  reset(): void;
  buildIndexes(): Promise<void>;
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
