import type { CheckoutForm } from '../../../domain/orders/offeredForms.js';

const NOTHING = { subtotalCents: 0, discountCents: 0, deliveryFeeCents: 0, totalCents: 0 };

/** Returns a checkout form as recorded with an order. */
export const offeredForm = (more: Partial<CheckoutForm> = {}): CheckoutForm => ({
  form: 'checkout',
  token: 'o/m',
  messageId: 'm',
  lines: [],
  totals: NOTHING,
  areas: [],
  freeDeliveryAboveCents: undefined,
  pricesHoldUntil: undefined,
  ...more,
});
