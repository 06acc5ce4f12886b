/** How far each shard of a part is: what of it is folded, and what is written. */
import type { Lease } from '../../ownership/lease.js';
import type { Checkpoint, Fence } from '../../ports/documents.js';
import type { LogPlace, Position } from '../../ports/eventStore.js';
import type { Poison } from '../folding.js';
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

export type ShardStates = Map<number, ShardState>;

export const begun = (starts: readonly ShardStart[]): ShardStates =>
  new Map(
    starts.map(({ shard, lease, place }) => [shard, { lease, written: place, from: place, seen: place.position }]),
  );

/** Its checkpoint is waited for. */
export const isOwed = ({ seen, written, stopped }: ShardState): boolean =>
  stopped === undefined ? seen > written.position : stopped.before.position > written.position;

export const later = (one: LogPlace, other: LogPlace): LogPlace => (other.position > one.position ? other : one);

/** All go on from their checkpoints; answers the one that is furthest behind. */
export function resetAll(states: ShardStates): LogPlace | undefined {
  let first: LogPlace | undefined;
  for (const state of states.values()) {
    state.from = state.written;
    state.seen = state.written.position;
    delete state.stopped;
    if (first === undefined || state.written.position < first.position) first = state.written;
  }
  return first;
}

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

/** Whether one of these checkpoints is beyond what is written. */
export const hasMoved = (physical: string, states: ShardStates, checkpoints: readonly Checkpoint[]): boolean => {
  const written = new Map(
    [...states].map(([shard, { written: at }]) => [shardCheckpoint(physical, shard), at.position]),
  );
  return checkpoints.some(({ name, position }) => (written.get(name) ?? Number.NEGATIVE_INFINITY) < position);
};
