import { messageOf } from '../messageOf.js';
import type { Lease } from '../ownership/lease.js';
import { type Checkpoint, type DocumentRefused, type Fence, Fenced, type WriteBatch } from '../ports/documents.js';
import { BEFORE_ALL, type EventMark, type LogPlace, type Position, StoreUnavailable } from '../ports/eventStore.js';
import { CheckpointSchedule, type ShardUse } from './checkpointSchedule.js';
import { eventsFor } from './dispatchTable.js';
import { Folding, type Poison, poisonAt, type Stops } from './folding.js';
import { type Incoming, lastBefore, type Page } from './page.js';
import {
  type BuildParts,
  batchesOf,
  FILL_VIEWS,
  inSlices,
  LIVE_VIEWS,
  type PendingWrite,
  type StoreTrouble,
  type Turn,
} from './pendingWrite.js';
import type { AnyProjection } from './projection.js';
import { RateMeter } from './rateMeter.js';
import { later, type ShardStart, type ShardState, ShardStates, WHOLE } from './shardStates.js';

export interface BuildOptions extends ShardUse {
  readonly projection: AnyProjection;
  readonly physical: string;
  /** Shards that are built here, or `WHOLE`. */
  readonly shards: readonly ShardStart[];
  /** Ids of skipped events; may grow while it runs. */
  readonly skipped?: ReadonlySet<string>;
  /** True if it is begun just now, without documents. A previous owner of a shard may have written some. */
  readonly isNew?: boolean;
  /** True if another version made it. */
  readonly frozen?: boolean;
}

/**
 * One build of a projection: a collection, its position, and the views in memory. Of a partitioned build, it has some or
 * all shards of this instance. They are folded and written together, and each shard has a checkpoint of its own, which
 * is never ahead of the documents. `fold` applies events. `flush` writes the changed documents with the checkpoints. An
 * event that cannot be folded stops its shard.
 */
export class Build {
  readonly projection: AnyProjection;
  readonly physical: string;
  /** Made by another version: it is read until its successor is ready, but folds no events. */
  readonly frozen: boolean;
  /** Begun just now, without documents. */
  readonly isNew: boolean;
  /** Ids of skipped events; may grow. */
  readonly skipped: ReadonlySet<string>;
  /** Present if other instances may take over a build that is not partitioned. */
  readonly lease: Lease | undefined;
  readonly shards: ShardStates;
  readonly rate: RateMeter;
  /** Time at which it was opened or begun here, in ms of the steady clock. */
  readonly openedAt: number;
  /** Its documents were begun by other handlers of the same version. */
  handlersChanged = false;
  /** Everything up to here is folded. */
  position: Position;
  poison: Poison | undefined;
  /** Present while it is retried after a store failure. */
  trouble: StoreTrouble | undefined;
  /** True if indexes must be built before it can serve. The manager of a partitioned build builds them. */
  indexesLater = false;
  /** Opens the collection after a failure. The build is stopped until then. */
  reopen: (() => Promise<void>) | undefined;
  readonly #parts: BuildParts;
  readonly #options: BuildOptions;
  readonly #folding: Folding;
  readonly #schedule: CheckpointSchedule;
  #mark: EventMark | undefined;
  #last: Incoming | undefined;
  #refused: number | undefined;
  #looked = 0;
  #folded = 0;
  #writes = 0;
  /** Changes when a fold or a write in progress must not continue: after a reset, or when a shard has left. */
  #epoch = 0;
  #hasLeft = false;

  constructor(parts: BuildParts, options: BuildOptions) {
    const { projection, physical, shards, skipped = new Set(), isNew = false, frozen = false } = options;
    this.#parts = parts;
    this.#options = options;
    this.projection = projection;
    this.physical = physical;
    this.skipped = skipped;
    this.isNew = isNew;
    this.frozen = frozen;
    this.shards = new ShardStates(physical, shards);
    this.lease = this.shards.get(WHOLE)?.lease;
    const { position, mark } = this.place;
    this.position = position;
    this.#mark = mark;
    this.rate = new RateMeter(parts.clock);
    this.openedAt = parts.clock.now();
    this.#schedule = new CheckpointSchedule(parts.clock, this.shards, options);
    const { isWhole, isShared: shared } = this.shards;
    const accepts = isWhole ? undefined : (one: Incoming): boolean => this.shards.accepts(one);
    const folding = { projection, physical, empty: isNew, shared, skipped };
    this.#folding = new Folding({ ...parts, ...folding, ...(accepts && { accepts }) });
  }

  get name(): string {
    return this.projection.name;
  }
  /** Number of changed views that are not written yet. */
  get unwritten(): number {
    return this.#folding.views.dirty;
  }
  get views(): number {
    return this.#folding.views.size;
  }
  /** Place from which it continues after a crash: the lowest checkpoint of its shards. */
  get place(): LogPlace {
    return this.shards.written ?? this.passed;
  }
  /** Place that all shards have passed. */
  get passed(): LogPlace {
    return { position: this.position, mark: this.#mark };
  }
  /** Number of folded events. */
  get folded(): number {
    return this.#folded;
  }
  /** Events scanned since the written checkpoint, which a crash makes it scan again. */
  get scanned(): number {
    return this.#looked;
  }
  /** Documents written in this process. */
  get writes(): number {
    return this.#writes;
  }
  /** It no longer runs here, and never will again. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }
  /** True if events without a handler need not be delivered to it. */
  get skipsTypes(): boolean {
    return !this.shards.isShared;
  }
  /** True while this instance may write it. */
  get mayWrite(): boolean {
    return !this.#hasLeft && this.shards.mayWrite;
  }
  /** True if waiters on other instances may wait for a checkpoint that is not written. */
  get isAwaited(): boolean {
    return this.#schedule.isAwaited;
  }
  /**
   * True if only its position has moved, and others wait for its checkpoint anyway. Checkpoints of shards are written
   * every 10 s, because waiters get the progress from `shardProgress`.
   */
  get isCheckpointDue(): boolean {
    return this.lease !== undefined && this.position > this.place.position;
  }

  /** Stops this build. Events folded before remain valid. */
  stop(poison: Poison): void {
    this.poison = poison;
  }

  /** Passes a page in which the projection handles no event. `last`: the newest event up to `through`, if known. */
  pass(page: Page, through: Position, last = page.newest): void {
    if (this.poison !== undefined || this.#hasLeft) return;
    const from = this.position;
    this.#see(page, from);
    this.#looked += page.all.length;
    this.#passed(through, last);
    this.rate.add(0, this.position - from);
  }

  /**
   * Folds the events after `position` that the projection handles. A handler that throws stops the shard of its event
   * just before the event.
   */
  async fold(
    page: Page,
    through: Position,
    last = page.newest,
    events = eventsFor(this.projection, page),
  ): Promise<void> {
    if (this.poison !== undefined || this.#hasLeft) return;
    const [from, epoch] = [this.position, this.#epoch];
    this.#see(page, from);
    const prepared = await this.#folding.prepare(events, from);
    // A shard left in the meantime, and the folded changes with it.
    if (epoch !== this.#epoch) return;
    const { steps } = prepared;
    this.#looked += page.all.length;
    this.#stopAt(this.#folding.apply(prepared), page);
    this.#last = steps.at(-1)?.incoming ?? this.#last;
    this.#folded += steps.length;
    // A build that is not partitioned stops as a whole. It may also have been stopped during the preparation.
    const { poison } = this as { poison?: Poison };
    const end = poison === undefined ? { position: through, mark: last } : this.#markBefore(page, poison.position);
    if (end !== undefined) this.#passed(end.position, end.mark);
    this.rate.add(steps.length, this.position - from);
  }

  /**
   * Writes the folded changes with the checkpoints. `slices`: maximum number of documents per write. Each write has a
   * `turn` of its own; checkpoints and removals come with the last. Until then, the revision of a document identifies a
   * repeated event. Rejects when the engine refuses, and with Fenced when there is a newer owner. The build is then as
   * after reset().
   */
  async flush(
    phase: 'live' | 'filling',
    slices = Number.POSITIVE_INFINITY,
    turn: Turn = (work) => work(),
  ): Promise<void> {
    if (this.shards.size === 0) return;
    const checkpoints = this.shards.checkpoints(this.passed);
    if (!this.shards.haveMoved(checkpoints) && this.unwritten === 0) return;
    const pending = { batch: this.#folding.views.changes(), checkpoints };
    const [epoch, fences] = [this.#epoch, this.shards.fences()];
    try {
      await inSlices(pending.batch, slices, turn, (batch, isLast) =>
        this.#write(epoch, batch, isLast ? checkpoints : fences),
      );
      if (epoch !== this.#epoch) throw this.#changed();
    } catch (error) {
      this.reset();
      throw error;
    }
    this.wrote(pending, phase);
  }

  /** Returns the folded changes that are not stored, for a combined write. Call `wrote` afterwards. */
  pending(): PendingWrite {
    return { batch: this.#folding.views.changes(), checkpoints: this.#schedule.due(this.passed) };
  }

  wrote({ batch, checkpoints }: PendingWrite, phase: 'live' | 'filling'): void {
    this.#folding.views.written(phase === 'live' ? LIVE_VIEWS : FILL_VIEWS);
    this.#schedule.wrote(checkpoints, this.passed);
    this.#looked = 0;
    this.#writes += batch.put.length;
  }

  /** Returns the checkpoint and the fence of a shard, for a handover. */
  checkpointsOf(shard: number): (Checkpoint | Fence)[] {
    return this.shards.has(shard) ? this.shards.checkpoints(this.passed, [shard]) : [];
  }

  /** The filling thread has written up to `place`, with so many more events. */
  hasMoved(place: LogPlace, events: number): void {
    this.rate.add(events, place.position - this.position);
    this.position = place.position;
    this.shards.get(WHOLE)!.written = place;
  }

  /** The build is filled here from `place` on. */
  isBack(place: LogPlace, indexesLater: boolean): void {
    this.shards.get(WHOLE)!.written = place;
    this.indexesLater = indexesLater;
    this.reset();
  }

  /** Builds the indexes after a fill without them. */
  async buildIndexes(): Promise<void> {
    await this.#parts.readModels.buildIndexes(this.physical);
    this.indexesLater = false;
  }

  /** Stops the shard of the last event, because the engine refuses its documents for good. */
  refuse(error: DocumentRefused): void {
    this.#refused = this.#last?.shard;
    this.poison =
      this.#last === undefined ? { position: this.position, error: messageOf(error) } : poisonAt(this.#last, error);
  }

  /**
   * Separates the shard at fault after `refuse`, so that the others continue. Undefined: the shard is unknown, and all
   * stop.
   */
  partAtFault(): Build | undefined {
    const { poison } = this;
    const shard = this.#refused;
    const state = shard === undefined ? undefined : this.shards.get(shard);
    if (poison === undefined || state === undefined) return undefined;
    this.poison = undefined;
    this.#refused = undefined;
    state.stopped = { poison, before: state.written };
    return this.split([shard!]);
  }

  /** Takes shards out into a part of their own, which begins at their written checkpoints. */
  split(shards: readonly number[]): Build {
    const states = shards.map((shard) => [shard, this.shards.get(shard)!] as const);
    const starts = states.map(([shard, { lease, written }]) => ({ shard, lease, place: written }));
    const part = new Build(this.#parts, { ...this.#options, shards: starts });
    for (const [shard, { stopped }] of states) {
      if (stopped !== undefined) part.shards.get(shard)!.stopped = stopped;
      this.#forget(shard);
    }
    return part;
  }

  /** In a turn: merges a part that has caught up. Events that the other part has folded are not folded again. */
  absorb(other: Build): void {
    if (other.position < this.position) {
      for (const state of this.shards.values()) state.from = later(this.passed, state.from);
      this.position = other.position;
      this.#mark = other.passed.mark;
    }
    for (const [shard, { lease, written, seen }] of other.shards)
      this.shards.set(shard, { lease, written, from: later(other.passed, written), seen });
    this.#schedule.shardsCame();
    this.#folding.views.incomplete();
    other.leave();
  }

  /** In a turn: removes a shard that another instance owns now. Its unwritten changes are discarded. */
  remove(shard: number): void {
    if (!this.shards.has(shard)) return;
    if (this.unwritten > 0) this.reset();
    this.#forget(shard);
    if (this.shards.size === 0) this.leave();
  }

  /** Ends the build here, and discards its memory. */
  leave(): void {
    this.#hasLeft = true;
    this.#epoch += 1;
    this.#folding.views.clear();
    // The place of a whole build is still reported.
    if (!this.shards.isWhole) this.shards.clear();
  }

  /** Discards unwritten changes and stops. Folding continues from the checkpoints. */
  reset(): void {
    this.#epoch += 1;
    this.#folding.views.clear();
    this.shards.reset();
    const { position, mark } = this.place;
    this.position = position;
    this.#mark = mark;
    this.#looked = 0;
    this.poison = undefined;
  }

  #see(page: Page, from: Position): void {
    this.#folding.assertCovered(page, from);
    this.shards.see(page, this.projection.categories, from);
  }

  #stopAt(stops: Stops, page: Page): void {
    for (const [shard, poison] of stops) {
      if (shard === undefined) this.poison = poison;
      else this.#stopShard(this.shards.get(shard)!, poison, page);
    }
  }

  #passed(position: Position, mark: EventMark | undefined): void {
    if (position <= this.position) return;
    this.position = position;
    if (mark !== undefined && mark.position > (this.#mark?.position ?? BEFORE_ALL)) this.#mark = mark;
  }

  #markBefore(page: Page, position: Position): { position: Position; mark: EventMark } | undefined {
    const mark = lastBefore(page, position);
    return mark && { position: mark.position, mark };
  }

  #stopShard(state: ShardState, poison: Poison, page: Page): void {
    const before = this.#markBefore(page, poison.position) ?? this.passed;
    state.stopped ??= { poison, before: later(before, later(state.from, state.written)) };
  }

  #forget(shard: number): void {
    this.shards.delete(shard);
    this.#epoch += 1;
    // Another instance may change the documents of this shard now, so cached views are dropped. Unwritten changes of
    // other shards exist only in parts that are not live.
    if (this.unwritten === 0) this.#folding.views.clear();
  }

  #changed(): StoreUnavailable {
    return new StoreUnavailable(`the shards of '${this.physical}' that this instance owns have changed`);
  }

  #write(epoch: number, batch: WriteBatch, checkpoints: readonly (Checkpoint | Fence)[]): Promise<void> {
    if (this.#hasLeft || this.lease?.isOwned() === false)
      throw new Fenced(`this instance no longer owns '${this.physical}'`);
    if (epoch !== this.#epoch) throw this.#changed();
    if (!this.mayWrite) throw new StoreUnavailable(`the lease for writing '${this.physical}' is not renewed yet`);
    return this.#parts.readModels.write(batchesOf(this.physical, batch), ...checkpoints);
  }
}
