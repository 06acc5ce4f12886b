/** Customers who order faster than people shop: so many orders of one number within some minutes. */
import { filter, map, type Observable, scan } from 'rxjs';
import type { EventsAsked, OrderChange, Streams } from 'suuq/streams';

export interface Alarm {
  readonly phone: string;
  /** The newest `MOST` + 1 of them. */
  readonly orderIds: readonly string[];
  readonly position: number;
}

const MOST = 3;
const WITHIN_MS = 10 * 60_000;
const at = ({ event }: OrderChange): number => Date.parse(event.meta.at);

/** Of each number the orders within the window, by the time of the newest order of all. */
function recent(
  kept: ReadonlyMap<string, readonly OrderChange[]>,
  next: OrderChange,
): Map<string, readonly OrderChange[]> {
  const still = [...kept].map(
    ([phone, ones]) => [phone, ones.filter((one) => at(one) > at(next) - WITHIN_MS)] as const,
  );
  const left = new Map(still.filter(([, ones]) => ones.length > 0));
  const { customerPhone } = next.order;
  left.delete(customerPhone);
  // The last entry of the map is the number of the newest order.
  return left.set(
    customerPhone,
    [...(still.find(([phone]) => phone === customerPhone)?.[1] ?? []), next].slice(-MOST - 1),
  );
}

export const fraudAlarms = ({ orders$ }: Streams, asked: EventsAsked = {}): Observable<Alarm> =>
  orders$(asked).pipe(
    filter(({ event }) => event.type === 'OrderPlaced'),
    scan(recent, new Map<string, readonly OrderChange[]>()),
    map((kept) => [...kept].at(-1)!),
    filter(([, ones]) => ones.length > MOST),
    map(([phone, ones]) => ({ phone, orderIds: ones.map(({ order }) => order.id), position: ones.at(-1)!.position })),
  );
