import { messageOf } from '../messageOf.js';
import type { Lease } from '../ownership/lease.js';
import {
  type Checkpoint,
  type DocumentRefused,
  type DocumentStore,
  Fenced,
  type WriteBatch,
} from '../ports/documents.js';
import { BEFORE_ALL, type EventMark, type LogPlace, type Position, StoreUnavailable } from '../ports/eventStore.js';
import { eventsFor } from './dispatchTable.js';
import {
  type BuildParts,
  batchesOf,
  type FeedTarget,
  FILL_VIEWS,
  inSlices,
  LIVE_VIEWS,
  type PendingWrite,
  type StoreTrouble,
  type Turn,
} from './feedTarget.js';
import { Folding, type Poison, poisonAt } from './folding.js';
import { type Incoming, lastBefore, type Page } from './page.js';
import type { AnyProjection } from './projection.js';
import { RateMeter } from './rateMeter.js';

/**
 * One build of a projection: a collection, its position, and the views in memory. `fold` applies events. `flush` writes
 * the changed documents with the checkpoint, which is never ahead of the documents.
 */
export class Build implements FeedTarget {
  readonly projection: AnyProjection;
  readonly physical: string;
  /** Made by another version: it is read until its successor is ready, but folds no events. */
  readonly frozen: boolean;
  /** Begun just now, without documents. */
  readonly isNew: boolean;
  /** Ids of skipped events; may grow. */
  readonly skipped: ReadonlySet<string>;
  /** Its documents were begun by other handlers of the same version. */
  handlersChanged = false;
  readonly rate: RateMeter;
  /** Time at which it was opened or begun here, in ms of the steady clock. */
  readonly openedAt: number;
  /** Present if other instances may take the projection over. */
  readonly lease: Lease | undefined;
  position: Position;
  poison: Poison | undefined;
  trouble: StoreTrouble | undefined;
  indexesLater = false;
  /** Opens the collection after a failure. The build is stopped until then. */
  reopen: (() => Promise<void>) | undefined;
  readonly #readModels: DocumentStore;
  readonly #folding: Folding;
  #mark: EventMark | undefined;
  #written: LogPlace;
  #writes = 0;
  #last: Incoming | undefined;
  #looked = 0;
  #folded = 0;
  #hasLeft = false;

  constructor(
    { readModels, eventStore, clock }: BuildParts,
    projection: AnyProjection,
    at: {
      physical: string;
      place: LogPlace;
      empty: boolean;
      frozen: boolean;
      lease: Lease | undefined;
      /** May grow while it runs. */
      skipped?: ReadonlySet<string>;
    },
  ) {
    this.#readModels = readModels;
    this.projection = projection;
    this.physical = at.physical;
    this.frozen = at.frozen;
    this.isNew = at.empty;
    this.position = at.place.position;
    this.#mark = at.place.mark;
    this.#written = at.place;
    this.lease = at.lease;
    this.rate = new RateMeter(clock);
    this.openedAt = clock.now();
    const { physical, empty, skipped = new Set() } = at;
    this.skipped = skipped;
    const { position } = at.place;
    const shared = at.lease !== undefined;
    this.#folding = new Folding({ readModels, eventStore, projection, physical, position, empty, shared, skipped });
  }

  get name(): string {
    return this.projection.name;
  }
  get unwritten(): number {
    return this.#folding.views.dirty;
  }
  get views(): number {
    return this.#folding.views.size;
  }
  get written(): Position {
    return this.#written.position;
  }
  /** Place of its checkpoint. */
  get place(): LogPlace {
    return this.#written;
  }
  /** Number of folded events. */
  get folded(): number {
    return this.#folded;
  }
  /** Position of the last event of its categories. */
  get seen(): Position {
    return this.#folding.seen;
  }
  get scanned(): number {
    return this.#looked;
  }
  /** Another instance owns the projection, and the build no longer runs here. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }
  get skipsTypes(): boolean {
    return this.lease === undefined;
  }
  get mayWrite(): boolean {
    return !this.#hasLeft && (this.lease?.valid() ?? true);
  }
  get writes(): number {
    return this.#writes;
  }
  get isAwaited(): boolean {
    return this.lease !== undefined && this.seen > this.written;
  }
  get isCheckpointDue(): boolean {
    return this.lease !== undefined && this.position > this.written;
  }

  /** Stops this build. Events folded before remain valid. */
  stop(poison: Poison): void {
    this.poison = poison;
  }

  /** Resumes just before the event that it stopped at, which is skipped now. */
  goOn(): void {
    this.poison = undefined;
  }

  /** Ends the build here, and discards its memory. */
  leave(): void {
    this.#hasLeft = true;
    this.#folding.views.clear();
  }

  /** Stops this build, because the engine refuses the documents of its last event for good. */
  refuse(error: DocumentRefused): void {
    this.poison =
      this.#last === undefined ? { position: this.written, error: messageOf(error) } : poisonAt(this.#last, error);
  }

  pass(page: Page, through: Position, last = page.newest): void {
    if (this.poison !== undefined || this.#hasLeft) return;
    const from = this.position;
    this.#folding.see(page, from);
    this.#looked += page.all.length;
    this.#passed(through, last);
    this.rate.add(0, this.position - from);
  }

  /** Folds the events after `position`. A handler that throws stops the build just before its event. */
  async fold(
    page: Page,
    through: Position,
    last?: EventMark,
    events = eventsFor(this.projection, page),
  ): Promise<void> {
    if (this.poison !== undefined || this.#hasLeft) return;
    const from = this.position;
    this.#folding.see(page, from);
    const prepared = await this.#folding.prepare(events, from);
    if (this.hasLeft) return;
    const { steps } = prepared;
    this.#looked += page.all.length;
    this.poison = this.#folding.apply(prepared).get(undefined) ?? this.poison;
    this.#last = steps.at(-1)?.incoming ?? this.#last;
    // The build may also have been stopped during the preparation.
    const { poison } = this as { poison?: Poison };
    if (poison === undefined) this.#passed(through, last ?? page.newest);
    else {
      const before = lastBefore(page, poison.position);
      if (before !== undefined) this.#passed(before.position, before);
    }
    this.#folded += steps.length;
    this.rate.add(steps.length, this.position - from);
  }

  /**
   * Writes the folded changes with the checkpoint. `slices`: maximum number of documents per write. Each write has a
   * `turn` of its own; checkpoint and removals come with the last. Until then, the revision of a document identifies a
   * repeated event. Rejects when the engine refuses, and with Fenced when there is a newer owner. The build is then as
   * after reset().
   */
  async flush(
    keep: 'live' | 'filling',
    slices = Number.POSITIVE_INFINITY,
    turn: Turn = (work) => work(),
  ): Promise<void> {
    if (this.written === this.position && this.#folding.views.dirty === 0) return;
    const pending = this.pending();
    const [checkpoint] = pending.checkpoints as readonly Checkpoint[];
    try {
      await inSlices(pending.batch, slices, turn, (part, isLast) => this.#write(part, isLast ? checkpoint : undefined));
    } catch (error) {
      this.reset();
      throw error;
    }
    this.wrote(pending, keep);
  }

  pending(): PendingWrite {
    const { physical: name, position, lease } = this;
    const mark = this.#mark;
    const checkpoint: Checkpoint = { name, position, mark, ...(lease !== undefined && { fence: lease.fence }) };
    return { batch: this.#folding.views.changes(), checkpoints: [checkpoint] };
  }

  wrote({ batch, checkpoints }: PendingWrite, keep: 'live' | 'filling'): void {
    this.#folding.views.written(keep === 'live' ? LIVE_VIEWS : FILL_VIEWS);
    this.#written = checkpoints[0] as Checkpoint;
    this.#looked = 0;
    this.#writes += batch.put.length;
  }

  /** The filling thread has written up to `place`, with so many more events. */
  hasMoved(place: LogPlace, events: number): void {
    this.rate.add(events, place.position - this.position);
    this.position = place.position;
    this.#written = place;
  }

  /** The build is filled here from `place` on. */
  isBack(place: LogPlace, indexesLater: boolean): void {
    this.#written = place;
    this.indexesLater = indexesLater;
    this.reset();
  }

  /** Builds the indexes after a fill without them. */
  async buildIndexes(): Promise<void> {
    await this.#readModels.buildIndexes(this.physical);
    this.indexesLater = false;
  }

  /** Discards unwritten changes. Folding continues from the checkpoint. */
  reset(): void {
    this.#folding.views.clear();
    this.position = this.written;
    this.#mark = this.#written.mark;
    this.#folding.seen = this.written;
    this.#looked = 0;
    this.poison = undefined;
  }

  #passed(position: Position, mark: EventMark | undefined): void {
    if (position <= this.position) return;
    this.position = position;
    if (mark !== undefined && mark.position > (this.#mark?.position ?? BEFORE_ALL)) this.#mark = mark;
  }

  #write(batch: WriteBatch, checkpoint: Checkpoint | undefined): Promise<void> {
    const { physical: name, lease } = this;
    if (this.#hasLeft || lease?.isOwned() === false) throw new Fenced(`'${name}' is no longer this instance's`);
    if (!this.mayWrite) throw new StoreUnavailable(`the right to write '${name}' is not renewed yet`);
    const batches = batchesOf(name, batch);
    if (checkpoint !== undefined) return this.#readModels.write(batches, checkpoint);
    return this.#readModels.write(batches, ...(lease === undefined ? [] : [{ name, fence: lease.fence }]));
  }
}
