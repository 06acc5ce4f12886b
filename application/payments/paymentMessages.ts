/** Messages about payments, put together from the texts. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import type { PaymentForm } from '../../domain/orders/forms.js';
import type { PaymentFailureReason } from '../../domain/orders/orderEvents.js';
import type { Payment } from '../../domain/orders/paymentState.js';
import type { PromptPeriod } from '../../domain/payments/prompts.js';
import { walletName } from '../../domain/payments/wallets.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { text } from '../texts/texts.js';
import { money } from '../texts/writing.js';
import { type Offered, walletOptions } from './walletChoice.js';

/** The name under which the payment form is known to the channel, and its first screen. */
const PAYMENT_FORM = { flowName: 'payment', screen: 'PAYMENT' } as const;

/** A form to pay with, as it is sent. */
export interface PaymentOffer {
  readonly form: PaymentForm;
  readonly number: number;
  /** The customer's number, as a suggestion. */
  readonly phone: string;
  readonly offered: Offered;
}

/** The form to pay with: it shows what was recorded with the order. */
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
 * Why a payment failed, and the form to try again where that is possible: in a store that takes no orders at present
 * (`storeOpen` false) once it takes them again. `more`: what else the customer is to know of the order.
 */
export function paymentFailed(
  locale: Locale,
  number: number,
  reason: PaymentFailureReason,
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

/** Why no prompt is sent now, and when one can be. */
export const limited = (locale: Locale, period: PromptPeriod): string => text(locale, `payments.limit.${period}`);

/** What the customer has to do now for a payment that was asked for. */
export const confirmOnPhone = (
  locale: Locale,
  { amountCents, wallet, payer }: Pick<Payment, 'amountCents' | 'wallet' | 'payer'>,
): string =>
  text(locale, 'payments.confirm', { total: money(locale, amountCents), wallet: walletName(wallet), phone: payer });
