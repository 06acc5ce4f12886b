/** Decisions about orders that are never checked out: their prices expire, and finally the service cancels them. */
import { type EventData, isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';

const DAY_MS = 86_400_000;

/** Default of the store's setting for how long the prices of a cart are valid. */
export const DEFAULT_VALID_DAYS = 7;
const CANCELLED_AFTER_DAYS = 30;

/** Time of the first check whether an order was abandoned, in ms since 1970. No setting cancels an order earlier. */
export const firstExpiry = (placedAt: number): number => placedAt + CANCELLED_AFTER_DAYS * DAY_MS;

/**
 * Time at which an order is cancelled if it is not checked out, in ms since 1970. Undefined: never. It is not cancelled while its prices
 * are valid. `validDays`: the store's setting. 0: prices never expire.
 */
export const expiresAt = (placedAt: number, validDays: number): number | undefined =>
  validDays === 0 ? undefined : placedAt + Math.max(CANCELLED_AFTER_DAYS, validDays) * DAY_MS;

/** Returns true while the order waits for its checkout. */
export const waitsForCheckout = (state: Order): state is PlacedOrder =>
  isPlaced(state) && !state.checkedOut && state.status === 'new';

/** Expiry of the order's prices, in ms since 1970. Undefined: never. `validDays`: the store's setting. */
export const pricesHoldUntil = (
  { pricedAt }: Pick<PlacedOrder, 'pricedAt'>,
  validDays: number = DEFAULT_VALID_DAYS,
): number | undefined => (validDays === 0 ? undefined : pricedAt + validDays * DAY_MS);

/** Prices the order again at current prices, with the items that are still available. Only while it waits for its checkout. */
export const reprice =
  (priced: Omit<EventData<'OrderRepriced'>, 'fromCatalog'>): OrderDecision =>
  (state) =>
    waitsForCheckout(state) ? [{ type: 'OrderRepriced', data: { ...priced, fromCatalog: true } }] : [];

/** Cancels an order that was not checked out in time. If a checkout is decided first, the order is not cancelled. */
export const expireOrder =
  (now: number, validDays: number): OrderDecision =>
  (state) => {
    if (!waitsForCheckout(state)) return [];
    const at = expiresAt(state.placedAt, validDays);
    if (at === undefined || now < at) return [];
    const days = Math.round((at - state.placedAt) / DAY_MS);
    return moveOrder('service', 'cancelled', `Nobody checked it out within ${days} days.`, 'abandoned')(state);
  };
