/** Decisions about orders that were checked out and never paid: the service cancels them in the end. */
import { isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';

const HOUR_MS = 3_600_000;

/** While the store has not said how long it waits for a payment. */
export const DEFAULT_UNPAID_HOURS = 24;

/** How long a customer has for the PIN, with a margin: a try that began within it may still end either way. */
const TRY_MS = 600_000;

/** Whether the order waits for its customer's payment. */
export const waitsForPayment = (state: Order): state is PlacedOrder =>
  isPlaced(state) && state.status === 'awaiting_payment' && state.checkedOutAt !== undefined;

/**
 * When an order that nobody pays is cancelled, in ms since 1970; undefined: never. `from`: since when the customer can pay it.
 * `unpaidHours`: the store's setting; 0 means never. A try under way is waited for.
 */
export function unpaidUntil(state: PlacedOrder, from: number, unpaidHours: number): number | undefined {
  if (unpaidHours === 0) return undefined;
  const tries = state.payments.filter(({ standing }) => standing === 'open').map(({ begunAt = 0 }) => begunAt + TRY_MS);
  return Math.max(from + unpaidHours * HOUR_MS, ...tries);
}

/** Nobody paid the order in time. Of this and a payment one comes first; a payment that comes later goes back. */
export const cancelUnpaid =
  (now: number, from: number, unpaidHours: number): OrderDecision =>
  (state) => {
    const until = waitsForPayment(state) ? unpaidUntil(state, from, unpaidHours) : undefined;
    if (until === undefined || now < until) return [];
    const note = `Nobody paid it within ${unpaidHours} hours.`;
    return moveOrder('service', 'cancelled', note, 'unpaid')(state as PlacedOrder);
  };
