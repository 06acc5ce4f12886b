/** How far each shard of a part is: what of it is folded, and what is written. */
import type { Lease } from '../../ownership/lease.js';
import type { Checkpoint, Fence } from '../../ports/documents.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import type { Poison } from '../folding.js';
import type { Incoming } from '../page.js';
import { shardCheckpoint, shardRight } from './names.js';

/** One shard of a build, as this instance owns it. */
export interface ShardState {
  readonly lease: Lease;
  written: LogPlace;
  /** Events up to here are in its documents already. */
  from: LogPlace;
  /** Position of the last event of the projection's categories. */
  seen: Position;
  /** The event that it stands at; `before` is where. */
  stopped?: { readonly poison: Poison; readonly before: LogPlace };
}

/** Where a shard begins. */
export interface ShardStart {
  readonly shard: number;
  readonly lease: Lease;
  readonly place: LogPlace;
}

/** Shards by their number. */
export class ShardStates extends Map<number, ShardState> {
  #touched = new Set<number>();

  constructor(starts: readonly ShardStart[]) {
    super(
      starts.map(({ shard, lease, place }) => [shard, { lease, written: place, from: place, seen: place.position }]),
    );
  }

  /** True for an event that is still to be folded. */
  accepts({ shard, position }: Incoming): boolean {
    const state = this.get(shard!);
    return state !== undefined && state.stopped === undefined && position > state.from.position;
  }

  /** Notes that an event has come for its shard. */
  see(event: Incoming): void {
    if (!this.accepts(event)) return;
    const { seen } = this.get(event.shard!)!;
    this.get(event.shard!)!.seen = Math.max(seen, event.position);
    this.#touched.add(event.shard!);
  }

  /** Shards that events have come for since they were taken. */
  get touched(): ReadonlySet<number> {
    return this.#touched;
  }

  /** The same, and forgets them. */
  takeTouched(): ReadonlySet<number> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Those that stand at an event. */
  stopped(): number[] {
    return [...this].filter(([, { stopped }]) => stopped !== undefined).map(([shard]) => shard);
  }

  override delete(shard: number): boolean {
    this.#touched.delete(shard);
    return super.delete(shard);
  }

  /** All go on from their checkpoints; answers the one that is furthest behind. */
  reset(): LogPlace | undefined {
    let first: LogPlace | undefined;
    for (const state of this.values()) {
      state.from = state.written;
      state.seen = state.written.position;
      delete state.stopped;
      if (first === undefined || state.written.position < first.position) first = state.written;
    }
    return first;
  }

  /** Their checkpoints stand, where they are among these; answers how many are. */
  wrote(physical: string, checkpoints: readonly (Checkpoint | Fence)[]): number {
    const places = new Map(placesIn(checkpoints).map((one) => [one.name, one]));
    for (const [shard, state] of this) state.written = places.get(shardCheckpoint(physical, shard)) ?? state.written;
    return places.size;
  }

  /** Whether one of these checkpoints is beyond what is written. */
  haveMoved(physical: string, checkpoints: readonly (Checkpoint | Fence)[]): boolean {
    const written = new Map(
      [...this].map(([shard, { written: at }]) => [shardCheckpoint(physical, shard), at.position]),
    );
    return placesIn(checkpoints).some(
      ({ name, position }) => (written.get(name) ?? Number.NEGATIVE_INFINITY) < position,
    );
  }
}

const placesIn = (checkpoints: readonly (Checkpoint | Fence)[]): Checkpoint[] =>
  checkpoints.filter((one): one is Checkpoint => 'position' in one);

/** Its checkpoint is waited for. */
export const isOwed = ({ seen, written, stopped }: ShardState): boolean =>
  stopped === undefined ? seen > written.position : stopped.before.position > written.position;

export const later = (one: LogPlace, other: LogPlace): LogPlace => (other.position > one.position ? other : one);

/** The fences of these shards, where all that the part has passed is `place`; `isPlaced`: whether the checkpoint goes with it. */
export const checkpointsOf = (
  physical: string,
  place: LogPlace,
  shards: Iterable<readonly [number, ShardState]>,
  isPlaced: (shard: number) => boolean,
): (Checkpoint | Fence)[] =>
  [...shards].flatMap(([shard, state]): (Checkpoint | Fence)[] => {
    const { position, mark } = state.stopped?.before ?? later(place, state.from);
    const fence = { name: shardRight(shard), fence: state.lease.fence };
    return isPlaced(shard) ? [{ name: shardCheckpoint(physical, shard), position, mark }, fence] : [fence];
  });
