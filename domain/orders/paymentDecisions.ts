/** Decisions about an order's payments: requests, outcomes and refunds. Moves: only in orderStatus.ts. */

import { refuse } from '../decider.js';
import { defined } from '../defined.js';
import type { WalletId } from '../payments/paymentEvents.js';
import { type PaymentForm, showsPayment } from './offeredForms.js';
import { isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';
import type { OrderEvent, OrderStatus, PaymentFailureReason } from './orderEvents.js';
import { isCalledOff, mayMove } from './orderStatus.js';
import { type Payment, paymentOf } from './paymentState.js';

/** Wallet that a customer chose to pay with. */
export interface ChosenWallet {
  readonly orderId: string;
  readonly wallet: WalletId;
  /** '+' and digits. */
  readonly payer: string;
  readonly merchantId: string;
  /** The customer's message. */
  readonly messageId?: string;
  /** The number is not the chat's, and the customer has not confirmed it yet. */
  readonly awaitsConfirmation?: true;
}

/** Maximum payment attempts for one order. After these the customer has to contact the store. */
export const MOST_ATTEMPTS = 20;

/**
 * Letters, digits, dashes and dots, at most 39. Each attempt has its own reference, so that it is charged once, however often it is sent.
 */
export const paymentReference = (orderId: string, attempt: number): string => `${orderId}.${attempt}`;

/** Requests this amount from the customer. */
const paymentRequested = (
  { orderId, wallet, payer, merchantId, messageId, awaitsConfirmation }: ChosenWallet,
  attempt: number,
  amountCents: number,
): Extract<OrderEvent, { type: 'OrderPaymentRequested' }> => ({
  type: 'OrderPaymentRequested',
  data: {
    attempt,
    reference: paymentReference(orderId, attempt),
    wallet,
    payer,
    amountCents,
    merchantId,
    ...defined({ messageId, awaitsConfirmation }),
  },
});

/** Requests the first payment, with the checkout. The customer is notified of the final total before the provider requests the payment. */
export function firstPaymentRequested(chosen: ChosenWallet, amountCents: number): OrderEvent {
  const { data, ...event } = paymentRequested(chosen, 1, amountCents);
  return { ...event, data: { ...data, awaitsAnnouncement: true } };
}

/** Returns an attempt that the customer can still pay: it is open, and its order waits for payment. */
export function duePayment(state: Order, attempt: number): Payment | undefined {
  const payment =
    isPlaced(state) && state.status === 'awaiting_payment' ? paymentOf(state.payments, attempt) : undefined;
  return payment?.standing === 'open' ? payment : undefined;
}

/** Returns the next attempt that a customer may start, or undefined if none is allowed. */
export function nextAttempt({ status, payments }: PlacedOrder): number | undefined {
  if (status !== 'awaiting_payment' || payments.some(({ standing }) => standing === 'open')) return undefined;
  return payments.length < MOST_ATTEMPTS ? payments.length + 1 : undefined;
}

/**
 * Starts another attempt. `attempt` is the number that the customer was offered. It starts once, so that two answers to one offer request
 * the money once. Refuses `payment_not_open` if the order does not wait for that attempt, or differs from `form`.
 */
export const payAgain =
  (chosen: ChosenWallet, attempt: number, form?: PaymentForm): OrderDecision =>
  (state) => {
    if (!isPlaced(state)) refuse('not_found', 'There is no such order.');
    const payment = paymentOf(state.payments, attempt);
    if (payment !== undefined && payment.messageId === chosen.messageId) return [];
    if (nextAttempt(state) !== attempt) refuse('payment_not_open', `This order is ${state.status}.`);
    if (form !== undefined && !showsPayment(form, state))
      refuse('payment_not_open', 'The order is not what the form showed.');
    return [paymentRequested(chosen, attempt, state.totals.totalCents)];
  };

/** Decides on one attempt. No events for an unknown attempt. */
const about =
  (attempt: number, decide: (state: PlacedOrder, payment: Payment) => readonly OrderEvent[]): OrderDecision =>
  (state) => {
    const payment = isPlaced(state) ? paymentOf(state.payments, attempt) : undefined;
    return payment === undefined ? [] : decide(state as PlacedOrder, payment);
  };

/** Records that the customer was notified of the total, so that the waiting attempt may start. Once. */
export const announcePayment = (attempt: number): OrderDecision =>
  about(attempt, (_, { announced }) => (announced ? [] : [{ type: 'OrderPaymentAnnounced', data: { attempt } }]));

/** Confirms the number of an attempt, so that it may start. No event if no confirmation is pending. */
export const confirmPayment = (attempt: number, messageId: string): OrderDecision =>
  about(attempt, (_, { standing, confirmed }) =>
    standing === 'open' && !confirmed ? [{ type: 'OrderPaymentConfirmed', data: { attempt, messageId } }] : [],
  );

/**
 * Ends an attempt whose number the customer has refused (by the message `messageId`) or not confirmed in time. No effect on a confirmed
 * attempt.
 */
export const leaveUnconfirmed = (attempt: number, messageId?: string): OrderDecision =>
  about(attempt, ({ status }, { standing, confirmed }) => {
    if (standing !== 'open' || confirmed) return [];
    const reason = status === 'awaiting_payment' ? 'not_confirmed' : failureReason(status);
    return [{ type: 'OrderPaymentFailed', data: { attempt, reason, ...defined({ messageId }) } }];
  });

/** Reason why the payment of an order in this status is not requested any more. */
const failureReason = (status: OrderStatus): PaymentFailureReason => (isCalledOff(status) ? 'closed' : 'withdrawn');

export interface Beginning {
  readonly storeOpen?: boolean;
  readonly goodsGone?: boolean;
  /** Process that is going to send the attempt. */
  readonly sender?: string;
}

/**
 * Starts an attempt, once, before the request to the provider. The process that stores the event may send the attempt, and all others only
 * query its outcome.
 *
 * The provider is not called if the order was closed or paid in another way, the store does not take orders (`storeOpen` false) or no
 * longer sells the goods (`goodsGone`), or the customer has not confirmed the number.
 */
export const beginPayment = (
  attempt: number,
  { storeOpen = true, goodsGone = false, sender }: Beginning = {},
): OrderDecision =>
  about(attempt, ({ status }, { standing, begunAt, confirmed }) => {
    if (standing !== 'open' || begunAt !== undefined || !confirmed) return [];
    if (status !== 'awaiting_payment')
      return [{ type: 'OrderPaymentFailed', data: { attempt, reason: failureReason(status) } }];
    if (!storeOpen) return [{ type: 'OrderPaymentFailed', data: { attempt, reason: 'store_closed' } }];
    if (goodsGone) return [{ type: 'OrderPaymentFailed', data: { attempt, reason: 'goods_gone' } }];
    return [{ type: 'OrderPaymentBegun', data: { attempt, ...defined({ sender }) } }];
  });

const STORE_CLOSED =
  'The store stopped taking orders while the customer was paying; the payment goes back to the customer.';

/**
 * Records that the provider charged the customer, once per attempt. The order becomes paid if it waits for payment. Otherwise (cancelled,
 * paid by another attempt, or accepted without it) the money is refunded.
 *
 * If the store stopped taking orders after the attempt was sent (`storeOpen` false), even if it is open again, the order is cancelled and
 * the money refunded.
 */
export const recordPaid = (attempt: number, transactionId: string, storeOpen = true): OrderDecision =>
  about(attempt, (state, { standing, amountCents, wallet }) => {
    if (standing !== 'open' && standing !== 'failed') return [];
    const data = { attempt, transactionId, amountCents };
    if (!mayMove('payment', state.status, 'paid', state)) return [{ type: 'OrderPaymentSurplus', data }];
    if (!storeOpen)
      return [
        ...moveOrder('payment', 'cancelled', STORE_CLOSED)(state),
        { type: 'OrderPaymentSurplus', data: { ...data, why: 'store_closed' } },
      ];
    return [...moveOrder('payment', 'paid')(state), { type: 'OrderPaid', data: { ...data, wallet } }];
  });

/** Records that nobody was charged. Only while the outcome of the attempt is unknown. */
export const recordPaymentFailed = (attempt: number, reason: PaymentFailureReason, code?: string): OrderDecision =>
  about(attempt, (_, { standing }) =>
    standing === 'open' ? [{ type: 'OrderPaymentFailed', data: { attempt, reason, ...defined({ code }) } }] : [],
  );

/** Payments that the store has to refund. */
export const refundsDue = ({ status, payments }: PlacedOrder): readonly Payment[] =>
  payments.filter(({ standing }) => standing === 'surplus' || (standing === 'paid' && isCalledOff(status)));

const noteOf = ({ storeClosed }: Payment): string =>
  storeClosed
    ? 'The store had stopped taking orders while the customer was paying.'
    : 'The payment came after the cancellation.';

/** Records the refund of an attempt. The last refund of a cancelled order moves it to `refunded`. */
export const recordRefunded = (attempt: number, refundId: string): OrderDecision =>
  about(attempt, (state, payment) => {
    const due = refundsDue(state);
    if (!due.includes(payment)) return [];
    const back: OrderEvent = { type: 'OrderRefunded', data: { attempt, refundId, amountCents: payment.amountCents } };
    const arrived = { ...state, paid: true };
    if (due.length > 1 || !mayMove('payment', state.status, 'refunded', arrived)) return [back];
    const note = payment.standing === 'surplus' ? noteOf(payment) : undefined;
    return [...moveOrder('payment', 'refunded', note)(arrived), back];
  });
