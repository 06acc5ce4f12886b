/** Messages about payments, composed of translated texts. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import type { PaymentForm } from '../../domain/orders/offeredForms.js';
import type { PaymentFailureReason } from '../../domain/orders/orderEvents.js';
import type { Payment } from '../../domain/orders/paymentState.js';
import type { PromptPeriod } from '../../domain/payments/prompts.js';
import { walletName } from '../../domain/payments/wallets.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { money } from '../texts/localeFormats.js';
import { text } from '../texts/texts.js';
import { type Offered, walletOptions } from './walletChoice.js';

/** Name of the payment form at the channel, and its first screen. */
const PAYMENT_FORM = { flowName: 'payment', screen: 'PAYMENT' } as const;

/** Contents of a payment form. */
export interface PaymentOffer {
  readonly form: PaymentForm;
  readonly number: number;
  /** The customer's number, as a suggestion. */
  readonly phone: string;
  readonly offered: Offered;
}

/** Returns the payment form with the contents that were recorded with the order. */
export const paymentForm = (
  locale: Locale,
  { form, number, phone, offered }: PaymentOffer,
  lines: readonly string[],
): OutboundContent => ({
  type: 'flow',
  text: lines.join('\n'),
  ...PAYMENT_FORM,
  cta: text(locale, 'payments.payButton'),
  token: form.token,
  data: {
    orderNumber: number,
    currency: 'USD',
    totalText: money(locale, form.totalCents),
    wallets: walletOptions(offered.wallets),
    walletPhone: phone,
  },
});

/**
 * Returns why a payment failed, with the form to try again if possible. If the store currently takes no orders (`storeOpen` false), the
 * customer can try again once it does. `more`: other lines about the order.
 */
export function paymentFailed(
  locale: Locale,
  { number, reason }: { readonly number: number; readonly reason: PaymentFailureReason },
  again: PaymentOffer | undefined,
  { storeOpen = true, more = [] }: { readonly storeOpen?: boolean; readonly more?: readonly string[] } = {},
): OutboundContent {
  const lines = [text(locale, 'payments.failed', { number }), text(locale, `payments.why.${reason}`), ...more];
  if (again === undefined) {
    const last = text(locale, storeOpen ? 'payments.askUs' : 'payments.closed');
    return { type: 'text', text: [...lines, last].join('\n') };
  }
  const last = text(locale, storeOpen ? 'payments.again' : 'payments.whenOpen');
  return paymentForm(locale, again, [...lines, last]);
}

/** Returns why no prompt is sent now, and when one can be. */
export const limited = (locale: Locale, period: PromptPeriod): string => text(locale, `payments.limit.${period}`);

/** Returns the instructions for a requested payment. */
export const confirmOnPhone = (
  locale: Locale,
  { amountCents, wallet, payer }: Pick<Payment, 'amountCents' | 'wallet' | 'payer'>,
): string =>
  text(locale, 'payments.confirm', { total: money(locale, amountCents), wallet: walletName(wallet), phone: payer });
