/** Decisions about an order's checkout: the promotions that it may use, its price, and the customer's answers. */
import { refuse } from '../decider.js';
import { type EventData, isPlaced, moveOrder, type OrderDecision } from './order.js';
import { type ChosenWallet, firstPaymentRequested } from './paymentDecisions.js';

/**
 * Records, before uses of these promotions are reserved, that they may be reserved for the order. After a stop of the service, unneeded
 * reservations can then be released. Recorded promotions lead to no event.
 */
export const claimPromotions =
  (promotionIds: readonly string[]): OrderDecision =>
  (state) => {
    if (!isPlaced(state)) return [];
    const more = promotionIds.filter((id) => !state.claimed.has(id));
    return more.length === 0 ? [] : [{ type: 'OrderPromotionsClaimed', data: { promotionIds: more } }];
  };

/** Updates the price of the order. Only while it can be checked out. */
export const repriceOrder =
  (priced: EventData<'OrderRepriced'>): OrderDecision =>
  (state) =>
    isPlaced(state) &&
    !state.checkedOut &&
    state.status === 'new' &&
    state.totals.totalCents !== priced.totals.totalCents
      ? [{ type: 'OrderRepriced', data: priced }]
      : [];

export type CheckOut = EventData<'OrderCheckedOut'>;

/**
 * Records the customer's answers, once, while the order is new. With a wallet the order waits for its payment. It stays `new` if the store
 * takes no wallets, the customer pays in cash, or the order costs nothing.
 *
 * The move precedes the checkout, so that webhooks describe the order after both.
 */
export const checkOutOrder =
  (command: CheckOut, payment?: ChosenWallet): OrderDecision =>
  (state) => {
    if (!isPlaced(state)) refuse('not_found', 'There is no such order.');
    if (state.checkedOut) return [];
    if (state.status !== 'new') refuse('order_status_not_allowed', `This order is ${state.status}.`);
    const { totalCents } = command.totals;
    if (payment === undefined || totalCents === 0) return [{ type: 'OrderCheckedOut', data: command }];
    return [
      ...moveOrder('checkout', 'awaiting_payment')(state),
      { type: 'OrderCheckedOut', data: command },
      firstPaymentRequested(payment, totalCents),
    ];
  };
