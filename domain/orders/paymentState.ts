/** Payments of one order, in the order in which they were requested. */

import type { WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import type { WalletId } from '../payments/paymentEvents.js';
import type { OrderEvent } from './orderEvents.js';

/**
 * open: requested, outcome unknown. failed: nobody was charged. paid: the order is paid with it. surplus: charged, but the order could not
 * accept it any more. returned: refunded.
 */
export type PaymentState = 'open' | 'failed' | 'paid' | 'surplus' | 'returned';

export interface Payment {
  /** From 1. */
  readonly attempt: number;
  /** Reference of the attempt at the provider. */
  readonly reference: string;
  readonly wallet: WalletId;
  /** '+' and digits. */
  readonly payer: string;
  readonly amountCents: number;
  readonly merchantId: string;
  /** The customer's message that requested the payment. */
  readonly messageId: string | undefined;
  /** True once the customer was notified of the total. */
  readonly announced: boolean;
  /** True if the number is the chat's, or the customer has confirmed it. */
  readonly confirmed: boolean;
  /** The customer's message that confirmed or refused the number. Undefined if none was needed or none came. */
  readonly answeredBy: string | undefined;
  readonly standing: PaymentState;
  /** Time of the request to the provider, ms since 1970. Undefined before. */
  readonly begunAt: number | undefined;
  /** Process that may send it. Undefined before. */
  readonly sender: string | undefined;
  /** The provider's id of the charge. */
  readonly transactionId: string | undefined;
  /** True for a surplus of a store that stopped taking orders before the charge was known. */
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
      const requested = { attempt, reference, wallet, payer, amountCents, merchantId, messageId, announced, confirmed };
      return [...payments, { ...requested, ...NOTHING_YET }];
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
