import type { DomainEvent } from '../../domain/decider.js';
import { categoryOf, type Position, type RecordedEvent } from '../ports/eventStore.js';
import { type Seen, seen } from './projection.js';

/** An event prepared once for all projections that look at it. */
export interface Incoming {
  readonly position: Position;
  readonly category: string;
  readonly event: Seen<DomainEvent>;
}

/** Events in order, all and by category, so that a build only looks at those of its own. */
export interface Page {
  readonly all: readonly Incoming[];
  readonly byCategory: ReadonlyMap<string, readonly Incoming[]>;
}

export function pageOf(events: readonly RecordedEvent[]): Page {
  const byCategory = new Map<string, Incoming[]>();
  const all = events.map((event) => {
    const one: Incoming = { position: event.position, category: categoryOf(event.stream), event: seen(event) };
    const same = byCategory.get(one.category);
    if (same === undefined) byCategory.set(one.category, [one]);
    else same.push(one);
    return one;
  });
  return { all, byCategory };
}
