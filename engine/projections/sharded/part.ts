import { messageOf } from '../../messageOf.js';
import { type Checkpoint, type DocumentRefused, type Fence, Fenced, type WriteBatch } from '../../ports/documents.js';
import { BEFORE_ALL, type EventMark, type LogPlace, type Position, StoreUnavailable } from '../../ports/eventStore.js';
import { eventsFor } from '../dispatchTable.js';
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
} from '../feedTarget.js';
import { Folding, type Poison, poisonAt } from '../folding.js';
import { type Incoming, lastBefore, type Page } from '../page.js';
import type { AnyProjection } from '../projection.js';
import { RateMeter } from '../rateMeter.js';
import { SaveTimes } from './saveTimes.js';
import {
  checkpointsOf,
  isCheckpointPending,
  later,
  type ShardStart,
  type ShardState,
  ShardStates,
} from './shardStates.js';

export interface PartOptions {
  readonly projection: AnyProjection;
  readonly physical: string;
  readonly shards: readonly ShardStart[];
  /** May grow while it runs. */
  readonly skipped: ReadonlySet<string>;
  /**
   * Returns true if the progress of a shard is published next to its documents (`shardProgress`), and not by each
   * checkpoint.
   */
  readonly isPublished: (shard: number) => boolean;
  /** Returns true if no query reads the build yet. */
  readonly isFilling: () => boolean;
}

/**
 * Documents of a build that belong to some or all shards of this instance. They are folded and written together, and
 * each shard has a checkpoint of its own. An event that cannot be folded stops its own shard.
 */
export class Part implements FeedTarget {
  readonly projection: AnyProjection;
  readonly physical: string;
  readonly rate: RateMeter;
  readonly shards: ShardStates;
  readonly indexesLater = false;
  readonly skipsTypes = false;
  position: Position;
  poison: Poison | undefined;
  trouble: StoreTrouble | undefined;
  readonly #parts: BuildParts;
  readonly #skipped: ReadonlySet<string>;
  readonly #isPublished: PartOptions['isPublished'];
  readonly #isFilling: PartOptions['isFilling'];
  readonly #folding: Folding;
  #mark: EventMark | undefined;
  #last: Incoming | undefined;
  #refused: number | undefined;
  #looked = 0;
  #writes = 0;
  readonly #saves: SaveTimes;
  /** Changes when a write in progress must not continue: after a reset, or when a shard has left. */
  #epoch = 0;
  #hasLeft = false;

  constructor(parts: BuildParts, { projection, physical, shards, skipped, isPublished, isFilling }: PartOptions) {
    this.#parts = parts;
    this.projection = projection;
    this.physical = physical;
    this.#skipped = skipped;
    this.#isPublished = isPublished;
    this.#isFilling = isFilling;
    this.shards = new ShardStates(shards);
    const first = shards.reduce((least, one) => (one.place.position < least.place.position ? one : least));
    this.position = first.place.position;
    this.#mark = first.place.mark;
    this.rate = new RateMeter(parts.clock);
    this.#saves = new SaveTimes(parts.clock);
    const { position } = this;
    const accepts = (one: Incoming): boolean => this.shards.accepts(one);
    // A previous owner may have written documents without a place.
    const empty = false;
    this.#folding = new Folding({ ...parts, projection, physical, position, empty, shared: true, skipped, accepts });
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
  get scanned(): number {
    return this.#looked;
  }
  get writes(): number {
    return this.#writes;
  }
  get hasLeft(): boolean {
    return this.#hasLeft;
  }
  /** Place that the whole part has passed. */
  get place(): LogPlace {
    return { position: this.position, mark: this.#mark };
  }
  get mayWrite(): boolean {
    if (this.#hasLeft) return false;
    for (const { lease } of this.shards.values()) if (!lease.valid()) return false;
    return true;
  }
  get isAwaited(): boolean {
    const { placesDue } = this.#saves;
    for (const [shard, one] of this.shards)
      if (isCheckpointPending(one) && (placesDue || !this.#isPublished(shard))) return true;
    return this.#saves.allDue(this.#isFilling());
  }
  /** Places are written every 10 s. Waiters get the progress from `shardProgress`. */
  readonly isCheckpointDue = false;

  pass(page: Page, through: Position, last = page.newest): void {
    if (this.poison !== undefined || this.#hasLeft) return;
    const from = this.position;
    this.#see(page, from);
    this.#looked += page.all.length;
    this.#passed(through, last);
    this.rate.add(0, this.position - from);
  }

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
    this.#looked += page.all.length;
    for (const [shard, poison] of this.#folding.apply(prepared)) {
      const state = this.shards.get(shard!)!;
      state.stopped ??= { poison, before: this.#placeBefore(page, poison.position, state) };
    }
    this.#last = prepared.steps.at(-1)?.incoming ?? this.#last;
    this.#passed(through, last);
    this.rate.add(prepared.steps.length, this.position - from);
  }

  async flush(
    keep: 'live' | 'filling',
    slices = Number.POSITIVE_INFINITY,
    turn: Turn = (work) => work(),
  ): Promise<void> {
    if (this.shards.size === 0) return;
    const pending = this.#pendingOf([...this.shards]);
    if (!this.shards.haveMoved(this.physical, pending.checkpoints) && this.unwritten === 0) return;
    const epoch = this.#epoch;
    const fences = pending.checkpoints.filter((one) => !('position' in one));
    try {
      await inSlices(pending.batch, slices, turn, (batch, isLast) =>
        this.#write(epoch, batch, isLast ? pending.checkpoints : fences),
      );
      if (epoch !== this.#epoch) throw this.#changed();
    } catch (error) {
      this.reset();
      throw error;
    }
    this.wrote(pending, keep);
  }

  pending(): PendingWrite {
    const { placesDue } = this.#saves;
    if (this.#saves.allDue(this.#isFilling())) return this.#pendingOf([...this.shards]);
    const pending = [...this.shards].filter(([, one]) => isCheckpointPending(one));
    return this.#pendingOf(pending, (shard) => placesDue || !this.#isPublished(shard));
  }

  wrote(pending: PendingWrite, keep: 'live' | 'filling'): void {
    this.#folding.views.written(keep === 'live' ? LIVE_VIEWS : FILL_VIEWS);
    const written = this.shards.wrote(this.physical, pending.checkpoints);
    const isAll = written >= this.shards.size && this.position !== BEFORE_ALL;
    if (isAll || written > 0) this.#saves.wrote(isAll ? 'all' : 'some');
    this.#looked = 0;
    this.#writes += pending.batch.put.length;
  }

  /** Returns the checkpoint and the fence of a shard, for a handover. */
  placesOf(shard: number): (Checkpoint | Fence)[] {
    const state = this.shards.get(shard);
    return state === undefined ? [] : [...this.#pendingOf([[shard, state]]).checkpoints];
  }

  refuse(error: DocumentRefused): void {
    this.#refused = this.#last?.shard;
    this.poison =
      this.#last === undefined ? { position: this.position, error: messageOf(error) } : poisonAt(this.#last, error);
  }

  /**
   * Separates the shard at fault after `refuse`, so that the others continue. Undefined: the shard is unknown, and all
   * stop.
   */
  partAtFault(): Part | undefined {
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
  split(shards: readonly number[]): Part {
    const states = shards.map((shard) => [shard, this.shards.get(shard)!] as const);
    const { projection, physical } = this;
    const starts = states.map(([shard, { lease, written }]) => ({ shard, lease, place: written }));
    const part = new Part(this.#parts, {
      projection,
      physical,
      shards: starts,
      skipped: this.#skipped,
      isPublished: this.#isPublished,
      isFilling: this.#isFilling,
    });
    for (const [shard, { stopped }] of states) {
      if (stopped !== undefined) part.shards.get(shard)!.stopped = stopped;
      this.#forget(shard);
    }
    return part;
  }

  /** In a turn: merges a part that has caught up. Events that the other part has folded are not folded again. */
  absorb(other: Part): void {
    if (other.position < this.position) {
      for (const state of this.shards.values()) state.from = later(this.place, state.from);
      this.position = other.position;
      this.#mark = other.place.mark;
    }
    for (const [shard, { lease, written, seen }] of other.shards)
      this.shards.set(shard, { lease, written, from: later(other.place, written), seen });
    this.#saves.shardsCame();
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

  /** Resumes just before the events that its shards stopped at, which are skipped now. */
  goOn(): void {
    for (const state of this.shards.values()) delete state.stopped;
    this.poison = undefined;
    this.reset();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#epoch += 1;
    this.#folding.views.clear();
    this.shards.clear();
  }

  reset(): void {
    this.#epoch += 1;
    this.#folding.views.clear();
    const first = this.shards.reset();
    this.position = first?.position ?? this.position;
    this.#mark = first?.mark;
    this.#looked = 0;
    this.poison = undefined;
  }

  buildIndexes(): Promise<void> {
    throw new Error('the indexes of a partitioned build are built by the instance that manages its builds');
  }

  /** Notes the shards for which the page has events of the projection's categories, handled or not. */
  #see(page: Page, from: Position): void {
    this.#folding.see(page, from);
    for (const category of this.projection.categories)
      for (const event of page.byCategory.get(category) ?? []) if (event.position > from) this.shards.see(event);
  }

  #passed(position: Position, mark: EventMark | undefined): void {
    if (position <= this.position) return;
    this.position = position;
    if (mark !== undefined && mark.position > (this.#mark?.position ?? BEFORE_ALL)) this.#mark = mark;
  }

  #placeBefore(page: Page, position: Position, { from, written }: ShardState): LogPlace {
    const mark = lastBefore(page, position);
    return later(mark === undefined ? this.place : { position: mark.position, mark }, later(from, written));
  }

  /** `isPlaced`: returns true if the checkpoint is written with the documents, in addition to the fence. */
  #pendingOf(
    shards: readonly (readonly [number, ShardState])[],
    isPlaced: (shard: number) => boolean = () => true,
  ): PendingWrite {
    const checkpoints = checkpointsOf(this.physical, this.place, shards, isPlaced);
    return { batch: this.#folding.views.changes(), checkpoints };
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
    if (this.#hasLeft) throw new Fenced(`this instance no longer owns '${this.physical}'`);
    if (epoch !== this.#epoch) throw this.#changed();
    if (!this.mayWrite) throw new StoreUnavailable(`the lease for writing '${this.physical}' is not renewed yet`);
    return this.#parts.readModels.write(batchesOf(this.physical, batch), ...checkpoints);
  }
}
