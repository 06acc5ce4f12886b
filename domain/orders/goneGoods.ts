/** Decisions about goods that the store stopped selling after they were ordered: they are neither sold nor charged. */
import { sameLines } from './forms.js';
import { type EventData, isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';
import type { OrderLine } from './orderEvents.js';

/** Whether goods can still be left out: the order waits for its checkout, or for its payment with no try under way. */
export const mayStillChange = (state: Order): state is PlacedOrder =>
  isPlaced(state) &&
  ((state.status === 'new' && !state.checkedOut) ||
    (state.status === 'awaiting_payment' && !state.payments.some(({ standing }) => standing === 'open')));

/** Leaves goods out of the order. `before`: the lines that `priced` was made from; nothing happens when they are others by now. */
export const leaveOutGone =
  (before: readonly OrderLine[], priced: EventData<'OrderRepriced'>): OrderDecision =>
  (state) =>
    mayStillChange(state) && sameLines(state.lines, before) ? [{ type: 'OrderRepriced', data: priced }] : [];

/** Cancels an order of which nothing can be had any more. */
export const cancelEmptied: OrderDecision = (state) =>
  mayStillChange(state)
    ? moveOrder('service', 'cancelled', 'Nothing in it could be ordered any more.', 'nothing_left')(state)
    : [];

/** Cancels the order of a cart that its customer deleted in the chat. */
export const cancelDeleted: OrderDecision = (state) =>
  mayStillChange(state)
    ? moveOrder('service', 'cancelled', 'The customer deleted the cart in the chat.', 'cart_deleted')(state)
    : [];
