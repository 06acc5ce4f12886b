/** Decisions about goods that the store stopped selling after they were ordered. They are neither sold nor charged. */
import { sameLines } from './offeredForms.js';
import { type EventData, isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';
import type { OrderLine } from './orderEvents.js';

/** Returns true if goods can still be removed: the order waits for its checkout, or for its payment without an open attempt. */
export const mayStillChange = (state: Order): state is PlacedOrder =>
  isPlaced(state) &&
  ((state.status === 'new' && !state.checkedOut) ||
    (state.status === 'awaiting_payment' && !state.payments.some(({ standing }) => standing === 'open')));

/** Removes goods from the order. `before`: the lines from which `priced` was computed. No event if the lines have changed since. */
export const removeUnavailable =
  (before: readonly OrderLine[], priced: EventData<'OrderRepriced'>): OrderDecision =>
  (state) =>
    mayStillChange(state) && sameLines(state.lines, before) ? [{ type: 'OrderRepriced', data: priced }] : [];

/** Cancels an order whose goods are all unavailable. */
export const cancelEmptied: OrderDecision = (state) =>
  mayStillChange(state)
    ? moveOrder('service', 'cancelled', 'Nothing in it could be ordered any more.', 'nothing_left')(state)
    : [];

/** Cancels the order of a cart that the customer deleted in the chat. */
export const cancelDeleted: OrderDecision = (state) =>
  mayStillChange(state)
    ? moveOrder('service', 'cancelled', 'The customer deleted the cart in the chat.', 'cart_deleted')(state)
    : [];
