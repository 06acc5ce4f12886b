/** Revenue of each past hour, with only one hour in memory. */
import { concatMap, endWith, from, map, type Observable, scan } from 'rxjs';
import type { EventsAsked, RecordedEvent, Streams } from 'suuq/streams';

export interface Hour {
  /** Such as `2026-03-01T09`, UTC. */
  readonly hour: string;
  readonly orders: number;
  readonly cents: number;
}

const hourOf = ({ meta, data }: RecordedEvent): Hour => {
  const { totals } = data as { readonly totals: { readonly totalCents: number } };
  return { hour: meta.at.slice(0, 13), orders: 1, cents: totals.totalCents };
};

interface Running {
  readonly done: readonly Hour[];
  readonly now?: Hour;
}

/** An hour is done when an order of a later one comes, or the end. */
function counted({ now }: Running, next: Hour | undefined): Running {
  if (next === undefined) return { done: now === undefined ? [] : [now] };
  if (now === undefined || now.hour < next.hour) return { done: now === undefined ? [] : [now], now: next };
  return { done: [], now: { ...now, orders: now.orders + 1, cents: now.cents + next.cents } };
}

export const hourlyRevenue = ({ events$ }: Streams, requested: EventsAsked = {}): Observable<Hour> =>
  events$({ ...requested, types: ['OrderPlaced'], live: false }).pipe(
    map(hourOf),
    endWith(undefined),
    scan(counted, { done: [] } as Running),
    concatMap(({ done }) => from(done)),
  );
