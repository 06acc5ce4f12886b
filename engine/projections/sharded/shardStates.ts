/** Progress of each shard of a part: its folded and its written place. */
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
  /** Event that stopped the shard. `before`: place before the event. */
  stopped?: { readonly poison: Poison; readonly before: LogPlace };
}

/** Starting place of a shard. */
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

  /** Returns true for an event that is not folded yet. */
  accepts({ shard, position }: Incoming): boolean {
    const state = this.get(shard!);
    return state !== undefined && state.stopped === undefined && position > state.from.position;
  }

  /** Notes an event of its shard. */
  see(event: Incoming): void {
    if (!this.accepts(event)) return;
    const { seen } = this.get(event.shard!)!;
    this.get(event.shard!)!.seen = Math.max(seen, event.position);
    this.#touched.add(event.shard!);
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

  /** Resets all shards to their checkpoints. Returns the lowest one. */
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

  /** Notes which of these checkpoints were written. Returns their number. */
  wrote(physical: string, checkpoints: readonly (Checkpoint | Fence)[]): number {
    const places = new Map(placesIn(checkpoints).map((one) => [one.name, one]));
    for (const [shard, state] of this) state.written = places.get(shardCheckpoint(physical, shard)) ?? state.written;
    return places.size;
  }

  /** Returns true if one of these checkpoints is ahead of the written one. */
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

/** Returns true if the checkpoint of the shard is awaited. */
export const isCheckpointPending = ({ seen, written, stopped }: ShardState): boolean =>
  stopped === undefined ? seen > written.position : stopped.before.position > written.position;

export const later = (one: LogPlace, other: LogPlace): LogPlace => (other.position > one.position ? other : one);

/**
 * Returns the fences of these shards, each with its checkpoint if `isPlaced`. `place`: place that the whole part has
 * passed.
 */
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
