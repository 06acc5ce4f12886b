/** Decisions about orders that nobody checks out: their prices grow old, and in the end the service cancels them. */
import { type EventData, isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';

const DAY_MS = 86_400_000;

/** While the store has not said how long the prices of a cart hold. */
export const DEFAULT_VALID_DAYS = 7;
const CANCELLED_AFTER_DAYS = 30;

/** When a service looks first whether an order was abandoned: no store's is cancelled before. ms since 1970. */
export const firstExpiry = (placedAt: number): number => placedAt + CANCELLED_AFTER_DAYS * DAY_MS;

/**
 * When an order that nobody checks out is cancelled, in ms since 1970; undefined: never. It is not taken away while the
 * store lets its prices hold. `validDays`: the store's setting; 0 means that prices hold for ever.
 */
export const expiresAt = (placedAt: number, validDays: number): number | undefined =>
  validDays === 0 ? undefined : placedAt + Math.max(CANCELLED_AFTER_DAYS, validDays) * DAY_MS;

/** Whether the order still waits for its customer. */
export const waitsForCheckout = (state: Order): state is PlacedOrder =>
  isPlaced(state) && !state.checkedOut && state.status === 'new';

/** Until when the prices of the order hold, in ms since 1970; undefined: for ever. `validDays`: the store's setting. */
export const pricesHoldUntil = (
  { pricedAt }: Pick<PlacedOrder, 'pricedAt'>,
  validDays: number = DEFAULT_VALID_DAYS,
): number | undefined => (validDays === 0 ? undefined : pricedAt + validDays * DAY_MS);

/** The order at the prices of now, with what can still be had; only while it waits for its checkout. */
export const priceAnew =
  (priced: Omit<EventData<'OrderRepriced'>, 'fromCatalog'>): OrderDecision =>
  (state) =>
    waitsForCheckout(state) ? [{ type: 'OrderRepriced', data: { ...priced, fromCatalog: true } }] : [];

/** Nobody checked the order out in time. Of this and a checkout at the same moment one comes first, and the other is too late. */
export const expireOrder =
  (now: number, validDays: number): OrderDecision =>
  (state) => {
    if (!waitsForCheckout(state)) return [];
    const at = expiresAt(state.placedAt, validDays);
    if (at === undefined || now < at) return [];
    const days = Math.round((at - state.placedAt) / DAY_MS);
    return moveOrder('service', 'cancelled', `Nobody checked it out within ${days} days.`, 'abandoned')(state);
  };
