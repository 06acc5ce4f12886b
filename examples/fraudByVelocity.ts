/** Customers who order faster than people shop: more than three orders of one number within ten minutes. */
import { filter, map, type Observable, scan } from 'rxjs';
import type { EventsAsked, OrderChange, Streams } from 'suuq/streams';

export interface Alarm {
  readonly phone: string;
  /** The newest four. */
  readonly orderIds: readonly string[];
  readonly position: number;
}

const MOST = 3;
const WITHIN_MS = 10 * 60_000;
const at = ({ event }: OrderChange): number => Date.parse(event.meta.at);

/** Orders of the last ten minutes, by the time of the newest one: what is older goes, so memory stays bounded. */
const recent = (recent: readonly OrderChange[], next: OrderChange): readonly OrderChange[] => [
  ...recent.filter((one) => at(one) > at(next) - WITHIN_MS),
  next,
];

export const fraudAlarms = ({ orders$ }: Streams, requested: EventsAsked = {}): Observable<Alarm> =>
  orders$(requested).pipe(
    filter(({ event }) => event.type === 'OrderPlaced'),
    scan(recent, [] as readonly OrderChange[]),
    map((all) => all.filter(({ order }) => order.customerPhone === all.at(-1)!.order.customerPhone)),
    filter((own) => own.length > MOST),
    map((own) => ({
      phone: own[0]!.order.customerPhone,
      orderIds: own.slice(-MOST - 1).map(({ order }) => order.id),
      position: own.at(-1)!.position,
    })),
  );
