import type { DomainEvent } from '../../domain/decider.js';
import { categoryOf, type EventMark, markOf, type Position, type RecordedEvent } from '../ports/eventStore.js';
import { type Seen, seen } from './projection.js';

/** An event prepared once for all projections that look at it. */
export interface Incoming {
  readonly position: Position;
  readonly category: string;
  readonly event: Seen<DomainEvent>;
  /** Where documents are parted by store. */
  readonly shard?: number;
}

/** Events in order, all and by category, so that a build only looks at those of its own. */
export interface Page {
  readonly all: readonly Incoming[];
  readonly byCategory: ReadonlyMap<string, readonly Incoming[]>;
  /** The last of those that were read, also when it is left out here. */
  readonly newest: EventMark | undefined;
}

/** Which events a page takes in, where documents are parted. */
export interface Owned {
  shardOf(event: RecordedEvent): number;
  has(shard: number): boolean;
}

/** The event before this one: what lies between two events need not be a place to go on from. */
export const lastBefore = ({ all }: Page, before: Position): EventMark | undefined => {
  const found = all.findLast(({ position }) => position < before);
  return found && markOf({ ...found.event, position: found.position });
};

/** `owned`: what belongs to other instances is left out before anything is made of it. */
export function pageOf(events: readonly RecordedEvent[], owned?: Owned): Page {
  const byCategory = new Map<string, Incoming[]>();
  const all: Incoming[] = [];
  for (const event of events) {
    const shard = owned?.shardOf(event);
    if (shard !== undefined && !owned!.has(shard)) continue;
    const plain = { position: event.position, category: categoryOf(event.stream), event: seen(event) };
    const one: Incoming = shard === undefined ? plain : { ...plain, shard };
    const same = byCategory.get(one.category);
    if (same === undefined) byCategory.set(one.category, [one]);
    else same.push(one);
    all.push(one);
  }
  const last = events.at(-1);
  return { all, byCategory, newest: last && markOf(last) };
}
