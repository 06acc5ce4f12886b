/** Decisions that record the contents of a form before it is sent. */
import { defined } from '../defined.js';
import type { DeliverySettings } from '../delivery/deliveryEvents.js';
import { pricesHoldUntil, waitsForCheckout } from '../orders/cartExpiry.js';
import { checkoutFormIn, checkoutToken, paymentFormIn, paymentToken } from '../orders/offeredForms.js';
import { isPlaced, type OrderDecision } from '../orders/order.js';
import { deliveryFeeCents, goodsOf } from '../pricing/pricing.js';

export interface OfferCheckout {
  readonly orderId: string;
  readonly messageId: string;
  readonly settings: Pick<DeliverySettings, 'deliveryEnabled' | 'areas' | 'freeDeliveryAboveCents' | 'cartValidDays'>;
}

/** Records the contents of a checkout form before it is sent, once per message, and only while the order can be checked out. */
export const offerCheckout =
  ({ orderId, messageId, settings }: OfferCheckout): OrderDecision =>
  (state) => {
    if (!waitsForCheckout(state) || checkoutFormIn(state, messageId) !== undefined) return [];
    const { deliveryEnabled, areas, freeDeliveryAboveCents, cartValidDays } = settings;
    const goodsCents = goodsOf(state.totals);
    const offered = areas
      .filter(({ active }) => deliveryEnabled && active)
      .map(({ id, name, feeCents }) => {
        const handover = { fulfilment: 'delivery', areaFeeCents: feeCents, freeDeliveryAboveCents } as const;
        return { id, name, feeCents, totalCents: goodsCents + deliveryFeeCents(handover, goodsCents) };
      });
    const until = pricesHoldUntil(state, cartValidDays);
    const data = {
      token: checkoutToken(state, orderId, messageId),
      messageId,
      totals: state.totals,
      areas: offered,
      ...defined({ freeDeliveryAboveCents }),
      ...(until === undefined ? {} : { pricesHoldUntil: new Date(until).toISOString() }),
    };
    return [{ type: 'OrderCheckoutOffered', data }];
  };

/** Records the contents of a payment form before it is sent, once per message. `attempt`: the payment attempt that the form starts. */
export const offerPayment =
  (orderId: string, attempt: number, messageId: string): OrderDecision =>
  (state) => {
    if (!isPlaced(state) || paymentFormIn(state, messageId) !== undefined) return [];
    const { totalCents } = state.totals;
    const token = paymentToken(state, orderId, attempt, messageId);
    return [{ type: 'OrderPaymentOffered', data: { token, messageId, attempt, totalCents } }];
  };
