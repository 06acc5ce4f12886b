/** A live board of recent best sellers, refreshed with each sale. */
import { filter, map, type Observable, scan } from 'rxjs';
import type { EventsAsked, OrderChange, Streams } from 'suuq/streams';

export interface Seller {
  readonly name: string;
  readonly quantity: number;
}

const WINDOW_MS = 24 * 3_600_000;
const placedAt = ({ event }: OrderChange): number => Date.parse(event.meta.at);

/** Orders of the last day, by the time of the newest one: what is older goes, so memory stays bounded. */
const ofLate = (retained: readonly OrderChange[], next: OrderChange): readonly OrderChange[] => [
  ...retained.filter((one) => placedAt(one) > placedAt(next) - WINDOW_MS),
  next,
];

function sellers(changes: readonly OrderChange[]): Seller[] {
  const sold = new Map<string, number>();
  for (const { order } of changes)
    for (const { name, quantity } of order.items) sold.set(name, (sold.get(name) ?? 0) + quantity);
  const all = [...sold].map(([name, quantity]) => ({ name, quantity }));
  return all.sort((a, b) => b.quantity - a.quantity || a.name.localeCompare(b.name)).slice(0, 10);
}

/** `requested`: such as `{ store, from: Date.now() - 24 * 3_600_000 }`. */
export const bestSellersBoard = ({ orders$ }: Streams, requested: EventsAsked = {}): Observable<readonly Seller[]> =>
  orders$(requested).pipe(
    filter(({ event }) => event.type === 'OrderPlaced'),
    scan(ofLate, [] as readonly OrderChange[]),
    map(sellers),
  );
