/** What a build and a part of one have in common for those who feed them. */
import type { SteadyClock } from '../ports/clock.js';
import type { Checkpoint, DocumentRefused, DocumentStore, Fence, WriteBatch } from '../ports/documents.js';
import type { EventMark, EventStore, Position } from '../ports/eventStore.js';
import type { Poison } from './folding.js';
import type { Incoming, Page } from './page.js';
import type { AnyProjection } from './projection.js';

/** What every build works with. */
export interface BuildParts {
  readonly readModels: DocumentStore;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly clock: SteadyClock;
}

/** Views kept in memory when live, per projection. */
export const LIVE_VIEWS = 6_000;
/** The same while it fills, when a view is often touched again soon. */
export const FILL_VIEWS = 8000;

export type Turn = (work: () => Promise<void>) => Promise<void>;

/** What was folded and is not stored, with the places that it leads to. */
export interface Owed {
  readonly batch: Required<WriteBatch>;
  readonly checkpoints: readonly (Checkpoint | Fence)[];
}

/** A store's error that a build waits for. It says nothing of an event, and passes or is mended by somebody. */
export interface StoreTrouble {
  readonly error: string;
  /** RFC 3339. */
  readonly since: string;
  readonly attempts: number;
}

/** What events are fed to: a build, or the part of one that this instance owns. */
export interface Fed {
  readonly name: string;
  readonly projection: AnyProjection;
  readonly physical: string;
  /** Everything up to here is folded. */
  readonly position: Position;
  readonly poison: Poison | undefined;
  /** It is not run here any more, and never again. */
  readonly hasLeft: boolean;
  /** While it is retried because a store failed. */
  trouble: StoreTrouble | undefined;
  /** Changed views that are not written yet. */
  readonly unwritten: number;
  readonly views: number;
  /** Events passed since the checkpoint that is written: what a crash makes it look at again. */
  readonly looked: number;
  /** Documents written in this process. */
  readonly writes: number;
  /** Indexes are still to be built before it can serve. */
  readonly indexesLater: boolean;
  /** Whether events without a handler need not be shown to it. */
  readonly skipsTypes: boolean;
  /** Whether it is still this instance's to write. */
  readonly mayWrite: boolean;
  /** Whoever waits for an event of its categories, on another instance, waits for a checkpoint that is not written. */
  readonly isAwaited: boolean;
  /** It only moved, and others wait for its checkpoint all the same. */
  readonly owesPlace: boolean;
  /** Folds the events of a page that the projection handles. `last`: the newest event up to `through`, where it is known. */
  fold(page: Page, through: Position, last?: EventMark, events?: readonly Incoming[]): Promise<void>;
  /** Passes a page in which the projection handles no event. */
  pass(page: Page, through: Position, last?: EventMark): void;
  flush(keep: 'live' | 'filling', slices?: number, turn?: Turn): Promise<void>;
  /** What was folded and is not stored, for a write together with others; then call `wrote`. */
  owed(): Owed;
  wrote(owed: Owed, keep: 'live' | 'filling'): void;
  refuse(error: DocumentRefused): void;
  reset(): void;
  buildIndexes(): Promise<void>;
}

/**
 * Writes a batch by `write`, at most `slices` documents at once, each write in a `turn` of its own. Removals come with the
 * last, which is written also when nothing is left for it.
 */
export async function inSlices(
  { put, remove }: Owed['batch'],
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

/** A batch as the engines take it: nothing where it is empty. */
export const batchesOf = (physical: string, batch: WriteBatch): Readonly<Record<string, WriteBatch>> => {
  const { put = [], remove = [] } = batch;
  return put.length + remove.length === 0 ? {} : { [physical]: batch };
};
