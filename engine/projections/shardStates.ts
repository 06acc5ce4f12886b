/** Progress of each shard of a build: its folded and its written place. */
import type { Lease } from '../ownership/lease.js';
import type { Checkpoint, Fence } from '../ports/documents.js';
import type { LogPlace, Position } from '../ports/eventStore.js';
import type { Poison } from './folding.js';
import type { Incoming, Page } from './page.js';
import { shardCheckpoint, shardRight } from './sharded/names.js';

/** Number of the only shard of a read model that is not partitioned. Its checkpoint has the name of the build. */
export const WHOLE = -1;

/** One shard of a build, as this instance owns it. */
export interface ShardState {
  /** Absent if no other instance can own the shard. */
  readonly lease: Lease | undefined;
  written: LogPlace;
  /** Events up to here are in its documents already. */
  from: LogPlace;
  /** Position of the last event of the projection's categories. */
  seen: Position;
  /** Event that stopped the shard. `before`: place before the event. */
  stopped?: { readonly poison: Poison; readonly before: LogPlace };
}

/** Starting place of a shard. */
export interface ShardStart {
  readonly shard: number;
  readonly lease: Lease | undefined;
  readonly place: LogPlace;
}

/** Shards of a build by their number. */
export class ShardStates extends Map<number, ShardState> {
  /** True if the build is not partitioned. */
  readonly isWhole: boolean;
  /** True if other instances can own the shards. */
  readonly isShared: boolean;
  readonly #physical: string;
  #touched = new Set<number>();

  constructor(physical: string, starts: readonly ShardStart[]) {
    super(
      starts.map(({ shard, lease, place }) => [shard, { lease, written: place, from: place, seen: place.position }]),
    );
    this.#physical = physical;
    this.isWhole = this.has(WHOLE);
    this.isShared = starts.some(({ lease }) => lease !== undefined);
  }

  /** True while this instance may write all shards. */
  get mayWrite(): boolean {
    for (const { lease } of this.values()) if (lease?.valid() === false) return false;
    return true;
  }

  /** The lowest written place; none without shards. */
  get written(): LogPlace | undefined {
    let first: LogPlace | undefined;
    for (const { written } of this.values())
      if (first === undefined || written.position < first.position) first = written;
    return first;
  }

  /** Returns true for an event that is not folded yet. */
  accepts({ shard = WHOLE, position }: Incoming): boolean {
    const state = this.get(shard);
    return state !== undefined && state.stopped === undefined && position > state.from.position;
  }

  /** Notes the shards for which a page has events of these categories after `from`, handled or not. */
  see({ byCategory }: Page, categories: readonly string[], from: Position): void {
    for (const category of categories) {
      const events = byCategory.get(category);
      if (events === undefined) continue;
      // The last event counts for all, so the others need not be scanned.
      if (this.isWhole) this.#see(events.at(-1)!, from);
      else for (const event of events) this.#see(event, from);
    }
  }

  #see(event: Incoming, from: Position): void {
    const { shard = WHOLE, position } = event;
    if (position <= from || !this.accepts(event)) return;
    const state = this.get(shard)!;
    state.seen = Math.max(state.seen, position);
    this.#touched.add(shard);
  }

  /** Shards with events since the last `takeTouched`. */
  get touched(): ReadonlySet<number> {
    return this.#touched;
  }

  /** Returns the touched shards, and clears them. */
  takeTouched(): ReadonlySet<number> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Returns the shards that are stopped at an event. */
  stopped(): number[] {
    return [...this].filter(([, { stopped }]) => stopped !== undefined).map(([shard]) => shard);
  }

  override delete(shard: number): boolean {
    this.#touched.delete(shard);
    return super.delete(shard);
  }

  /** Resets all shards to their checkpoints. */
  reset(): void {
    for (const state of this.values()) {
      state.from = state.written;
      state.seen = state.written.position;
      delete state.stopped;
    }
  }

  /**
   * Returns the checkpoints of these shards, with their fences. `passed`: place that the whole build has passed.
   * `isPlaced`: returns false if only the fence of a shard is written with the documents.
   */
  checkpoints(
    passed: LogPlace,
    shards: Iterable<number> = this.keys(),
    isPlaced: (shard: number) => boolean = () => true,
  ): (Checkpoint | Fence)[] {
    return [...shards].flatMap((shard): (Checkpoint | Fence)[] => {
      const state = this.get(shard)!;
      const { position, mark } = state.stopped?.before ?? later(passed, state.from);
      const fence = this.#fence(shard, state);
      const placed = isPlaced(shard) ? { name: this.#checkpoint(shard), position, mark } : undefined;
      if (shard === WHOLE && placed !== undefined) return [{ ...placed, ...fence }];
      return [placed, fence].filter((one) => one !== undefined);
    });
  }

  /** Returns the fences of all shards. */
  fences(): Fence[] {
    return [...this].flatMap(([shard, state]) => this.#fence(shard, state) ?? []);
  }

  /** Notes which of these checkpoints were written. Returns their number. */
  wrote(checkpoints: readonly (Checkpoint | Fence)[]): number {
    const places = new Map(placesIn(checkpoints).map((one) => [one.name, one]));
    for (const [shard, state] of this) state.written = places.get(this.#checkpoint(shard)) ?? state.written;
    return places.size;
  }

  /** Returns true if one of these checkpoints is ahead of the written one. */
  haveMoved(checkpoints: readonly (Checkpoint | Fence)[]): boolean {
    const written = new Map([...this].map(([shard, { written: at }]) => [this.#checkpoint(shard), at.position]));
    return placesIn(checkpoints).some(
      ({ name, position }) => (written.get(name) ?? Number.NEGATIVE_INFINITY) < position,
    );
  }

  #checkpoint(shard: number): string {
    return shard === WHOLE ? this.#physical : shardCheckpoint(this.#physical, shard);
  }

  #fence(shard: number, { lease }: ShardState): Fence | undefined {
    if (lease === undefined) return undefined;
    return { name: shard === WHOLE ? this.#physical : shardRight(shard), fence: lease.fence };
  }
}

const placesIn = (checkpoints: readonly (Checkpoint | Fence)[]): Checkpoint[] =>
  checkpoints.filter((one): one is Checkpoint => 'position' in one);

/** Returns true if the checkpoint of the shard is awaited. */
export const isCheckpointPending = ({ seen, written, stopped }: ShardState): boolean =>
  stopped === undefined ? seen > written.position : stopped.before.position > written.position;

export const later = (one: LogPlace, other: LogPlace): LogPlace => (other.position > one.position ? other : one);
