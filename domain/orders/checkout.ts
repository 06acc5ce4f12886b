/** Decisions about an order's checkout: the promotions that it may use, what it costs, and the customer's answers. */
import { refuse } from '../decider.js';
import { type EventData, isPlaced, moveOrder, type OrderDecision } from './order.js';
import { askedFirst, type ChosenWallet } from './paying.js';

/**
 * Says, before uses of these promotions are reserved for the order, that they may be: so that each of them is given back
 * when it is not needed after all, wherever the service was stopped in between. Those that are said already: no event.
 */
export const claimPromotions =
  (promotionIds: readonly string[]): OrderDecision =>
  (state) => {
    if (!isPlaced(state)) return [];
    const more = promotionIds.filter((id) => !state.claimed.has(id));
    return more.length === 0 ? [] : [{ type: 'OrderPromotionsClaimed', data: { promotionIds: more } }];
  };

/** The same order at what it costs now; only while it can be checked out. */
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
 * The customer's answers, once, while the order is new. With a wallet the order waits for its payment; without one, in a
 * store that takes none or from a customer who pays in cash, it stays `new`, as does an order that costs nothing. The move stands before the checkout, so
 * that the order is told of as it is after both.
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
      askedFirst(payment, totalCents),
    ];
  };
