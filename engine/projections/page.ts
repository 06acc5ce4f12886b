import type { DomainEvent } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import {
  categoryOf,
  type EventFilter,
  type EventMark,
  markOf,
  type Position,
  type RecordedEvent,
} from '../ports/eventStore.js';
import { type Seen, seen } from './projection.js';

/** An event prepared once for all projections that read it. */
export interface Incoming {
  readonly position: Position;
  readonly category: string;
  readonly event: Seen<DomainEvent>;
  /** Present if documents are partitioned by store. */
  readonly shard?: number;
}

/** Request that a page answers: events after (exclusive) a position, of these categories and types. Default: all. */
export interface Request {
  readonly after: Position;
  readonly categories?: ReadonlySet<string>;
  readonly types?: ReadonlySet<string>;
}

export const requestOf = (after: Position, { categories, types }: EventFilter): Request => ({
  after,
  ...defined({ categories: categories && new Set(categories), types: types && new Set(types) }),
});

/** Events in order, as a whole and by category, so that a build only scans its own. */
export interface Page {
  readonly request: Request;
  readonly all: readonly Incoming[];
  readonly byCategory: ReadonlyMap<string, readonly Incoming[]>;
  /** Last event that was read, even if the page excludes it. */
  readonly newest: EventMark | undefined;
}

/** Selects the events of a page if documents are partitioned. */
export interface Owned {
  shardOf(event: RecordedEvent): number;
  has(shard: number): boolean;
}

/** Returns the last event before a position. A position between two events need not be a place to continue from. */
export const lastBefore = ({ all }: Page, before: Position): EventMark | undefined => {
  const found = all.findLast(({ position }) => position < before);
  return found && markOf({ ...found.event, position: found.position });
};

/** Makes a page of the events that answer a request. */
export type PageOf = (events: readonly RecordedEvent[], request: Request) => Page;

/** Returns true if a page has all events that a reader at a position needs. */
export function covers({ request }: Page, position: Position, needs: Required<EventFilter>): boolean {
  const has = (requested: ReadonlySet<string> | undefined, needed: readonly string[]): boolean =>
    requested === undefined || needed.every((one) => requested.has(one));
  return request.after <= position && has(request.categories, needs.categories) && has(request.types, needs.types);
}

/** `owned`: events of other instances are excluded first. */
export function pageOf(events: readonly RecordedEvent[], request: Request, owned?: Owned): Page {
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
  return { request, all, byCategory, newest: last && markOf(last) };
}
