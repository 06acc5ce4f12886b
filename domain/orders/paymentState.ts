/** The payments of one order, in the order in which they were asked for: what its history makes of each. */

import type { WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import type { WalletId } from '../payments/paymentEvents.js';
import type { OrderEvent } from './orderEvents.js';

/**
 * open: the customer was asked, nothing is known yet. failed: nobody was charged. paid: the order is paid with it. surplus:
 * charged, but the order could not take it any more. returned: given back.
 */
export type PaymentStanding = 'open' | 'failed' | 'paid' | 'surplus' | 'returned';

export interface Payment {
  /** From 1. */
  readonly attempt: number;
  /** What the provider knows it by. */
  readonly reference: string;
  readonly wallet: WalletId;
  /** '+' and digits. */
  readonly payer: string;
  readonly amountCents: number;
  readonly merchantId: string;
  /** The customer's message that asked for it. */
  readonly messageId: string | undefined;
  /** Whether the customer has been told what it asks for. */
  readonly announced: boolean;
  /** Whether the number may be asked: it is the chat's, or the customer has confirmed it. */
  readonly confirmed: boolean;
  /** The customer's message that confirmed or refused the number; undefined where none had to, or none did. */
  readonly answeredBy: string | undefined;
  readonly standing: PaymentStanding;
  /** When the provider was asked, ms since 1970; undefined before. */
  readonly begunAt: number | undefined;
  /** The process that may send it; undefined before. */
  readonly sender: string | undefined;
  /** The provider's name of the charge. */
  readonly transactionId: string | undefined;
  /** Of a surplus: the store stopped taking orders before the charge was known. */
  readonly storeClosed: boolean;
}
export type Payments = readonly Payment[];

export type PaymentEvent = Extract<
  WithMeta<OrderEvent>,
  {
    type:
      | 'OrderPaymentRequested'
      | 'OrderPaymentAnnounced'
      | 'OrderPaymentConfirmed'
      | 'OrderPaymentBegun'
      | 'OrderPaid'
      | 'OrderPaymentFailed'
      | 'OrderPaymentSurplus'
      | 'OrderRefunded';
  }
>;

export const NO_PAYMENTS: Payments = [];

const NOTHING_YET = {
  answeredBy: undefined,
  standing: 'open',
  begunAt: undefined,
  sender: undefined,
  transactionId: undefined,
  storeClosed: false,
} as const;

const changed = (payments: Payments, attempt: number, fields: Partial<Payment>): Payments =>
  payments.map((payment) => (payment.attempt === attempt ? { ...payment, ...fields } : payment));

export function paymentsAfter(payments: Payments, event: PaymentEvent): Payments {
  const { attempt } = event.data;
  switch (event.type) {
    case 'OrderPaymentRequested': {
      const { reference, wallet, payer, amountCents, merchantId, messageId } = event.data;
      const announced = event.data.awaitsAnnouncement !== true;
      const confirmed = event.data.awaitsConfirmation !== true;
      const asked = { attempt, reference, wallet, payer, amountCents, merchantId, messageId, announced, confirmed };
      return [...payments, { ...asked, ...NOTHING_YET }];
    }
    case 'OrderPaymentAnnounced':
      return changed(payments, attempt, { announced: true });
    case 'OrderPaymentConfirmed':
      return changed(payments, attempt, { confirmed: true, answeredBy: event.data.messageId });
    case 'OrderPaymentBegun':
      return changed(payments, attempt, { begunAt: Date.parse(event.meta.at), sender: event.data.sender });
    case 'OrderPaid':
      return changed(payments, attempt, { standing: 'paid', transactionId: event.data.transactionId });
    case 'OrderPaymentSurplus':
      return changed(payments, attempt, {
        standing: 'surplus',
        transactionId: event.data.transactionId,
        storeClosed: event.data.why === 'store_closed',
      });
    case 'OrderPaymentFailed':
      return changed(payments, attempt, {
        standing: 'failed',
        ...defined({ answeredBy: event.data.messageId }),
      });
    case 'OrderRefunded':
      return changed(payments, attempt, { standing: 'returned' });
  }
}

export const paymentOf = (payments: Payments, attempt: number): Payment | undefined =>
  payments.find((payment) => payment.attempt === attempt);
