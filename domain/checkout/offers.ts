/** Decisions about the forms of an order: what a form shows is recorded before it is sent. */
import { defined } from '../defined.js';
import type { DeliverySettings } from '../delivery/deliveryEvents.js';
import { pricesHoldUntil, waitsForCheckout } from '../orders/abandoned.js';
import { checkoutFormIn, checkoutToken, paymentFormIn, paymentToken } from '../orders/forms.js';
import { isPlaced, type OrderDecision } from '../orders/order.js';
import { deliveryFeeCents, goodsOf } from '../pricing/pricing.js';

export interface OfferCheckout {
  readonly orderId: string;
  readonly messageId: string;
  readonly settings: Pick<DeliverySettings, 'deliveryEnabled' | 'areas' | 'freeDeliveryAboveCents' | 'cartValidDays'>;
}

/** Records what a checkout form shows before it is sent; once for each message, and only while the order can be checked out. */
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

/** Records what a payment form shows before it is sent; once for each message. `attempt`: the try that it begins. */
export const offerPayment =
  (orderId: string, attempt: number, messageId: string): OrderDecision =>
  (state) => {
    if (!isPlaced(state) || paymentFormIn(state, messageId) !== undefined) return [];
    const { totalCents } = state.totals;
    const token = paymentToken(state, orderId, attempt, messageId);
    return [{ type: 'OrderPaymentOffered', data: { token, messageId, attempt, totalCents } }];
  };
