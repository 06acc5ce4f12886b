/** Decisions about orders that were checked out but never paid: the service finally cancels them. */
import { isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';

const HOUR_MS = 3_600_000;

/** Default of the store's setting for how long it waits for a payment. */
export const DEFAULT_UNPAID_HOURS = 24;

/** Time a customer has for the PIN, with a margin. The outcome of an attempt that started within it is still open. */
const TRY_MS = 600_000;

/** Returns true while the order waits for the customer's payment. */
export const waitsForPayment = (state: Order): state is PlacedOrder =>
  isPlaced(state) && state.status === 'awaiting_payment' && state.checkedOutAt !== undefined;

/**
 * Time at which an unpaid order is cancelled, in ms since 1970. Undefined: never. `from`: time since when the customer can pay.
 * `unpaidHours`: the store's setting. 0: never. Attempts in progress are awaited.
 */
export function unpaidUntil(state: PlacedOrder, from: number, unpaidHours: number): number | undefined {
  if (unpaidHours === 0) return undefined;
  const tries = state.payments.filter(({ standing }) => standing === 'open').map(({ begunAt = 0 }) => begunAt + TRY_MS);
  return Math.max(from + unpaidHours * HOUR_MS, ...tries);
}

/** Cancels an order that was not paid in time. If a payment is decided first, the order is not cancelled. A later payment is refunded. */
export const cancelUnpaid =
  (now: number, from: number, unpaidHours: number): OrderDecision =>
  (state) => {
    const until = waitsForPayment(state) ? unpaidUntil(state, from, unpaidHours) : undefined;
    if (until === undefined || now < until) return [];
    const note = `Nobody paid it within ${unpaidHours} hours.`;
    return moveOrder('service', 'cancelled', note, 'unpaid')(state as PlacedOrder);
  };
