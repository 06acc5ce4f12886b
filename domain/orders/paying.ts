/** Decisions about an order's payments: asked for, answered by the provider, given back. Moves: orderStatus.ts alone. */

import { refuse } from '../decider.js';
import { defined } from '../defined.js';
import type { WalletId } from '../payments/paymentEvents.js';
import { type PaymentForm, showsPayment } from './forms.js';
import { isPlaced, moveOrder, type Order, type OrderDecision, type PlacedOrder } from './order.js';
import type { OrderEvent, OrderStatus, PaymentFailureReason } from './orderEvents.js';
import { isCalledOff, mayMove } from './orderStatus.js';
import { type Payment, paymentOf } from './paymentState.js';

/** What a customer chose to pay with. */
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

/** Tries for one order; after these the customer has to speak with the store. */
export const MOST_ATTEMPTS = 20;

/** Letters, digits, dashes and dots, 39 at most: one for each try, so that a try is charged once, however often it is sent. */
export const paymentReference = (orderId: string, attempt: number): string => `${orderId}.${attempt}`;

/** The customer is to be asked for this amount. */
const asked = (
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

/** The first try, with the checkout: the customer is told the final total before the provider asks for it. */
export function askedFirst(chosen: ChosenWallet, amountCents: number): OrderEvent {
  const { data, ...event } = asked(chosen, 1, amountCents);
  return { ...event, data: { ...data, awaitsAnnouncement: true } };
}

/** Returns a try that the customer is still to pay: it is open, and its order waits for payment. */
export function duePayment(state: Order, attempt: number): Payment | undefined {
  const payment =
    isPlaced(state) && state.status === 'awaiting_payment' ? paymentOf(state.payments, attempt) : undefined;
  return payment?.standing === 'open' ? payment : undefined;
}

/** Which try a customer may begin now; undefined: none. */
export function nextAttempt({ status, payments }: PlacedOrder): number | undefined {
  if (status !== 'awaiting_payment' || payments.some(({ standing }) => standing === 'open')) return undefined;
  return payments.length < MOST_ATTEMPTS ? payments.length + 1 : undefined;
}

/**
 * Tries again. `attempt` is the try that the customer was offered: it begins once, so that two answers to one offer ask
 * for the money once. Refuses `payment_not_open` when the order does not wait for that try, or is not what `form` showed.
 */
export const payAgain =
  (chosen: ChosenWallet, attempt: number, form?: PaymentForm): OrderDecision =>
  (state) => {
    if (!isPlaced(state)) refuse('not_found', 'There is no such order.');
    const begun = paymentOf(state.payments, attempt);
    if (begun !== undefined && begun.messageId === chosen.messageId) return [];
    if (nextAttempt(state) !== attempt) refuse('payment_not_open', `This order is ${state.status}.`);
    if (form !== undefined && !showsPayment(form, state))
      refuse('payment_not_open', 'The order is not what the form showed.');
    return [asked(chosen, attempt, state.totals.totalCents)];
  };

/** A decision on one try; nothing for a try that the order does not have. */
const about =
  (attempt: number, decide: (state: PlacedOrder, payment: Payment) => readonly OrderEvent[]): OrderDecision =>
  (state) => {
    const payment = isPlaced(state) ? paymentOf(state.payments, attempt) : undefined;
    return payment === undefined ? [] : decide(state as PlacedOrder, payment);
  };

/** The customer has been told the total: the try that waited for that may begin. Once. */
export const announcePayment = (attempt: number): OrderDecision =>
  about(attempt, (_, { announced }) => (announced ? [] : [{ type: 'OrderPaymentAnnounced', data: { attempt } }]));

/** The customer confirms the number that the try asks: only now it may begin. Nothing for a try that waits for no such word. */
export const confirmPayment = (attempt: number, messageId: string): OrderDecision =>
  about(attempt, (_, { standing, confirmed }) =>
    standing === 'open' && !confirmed ? [{ type: 'OrderPaymentConfirmed', data: { attempt, messageId } }] : [],
  );

/**
 * Ends a try whose number the customer has refused (`messageId`: by which message) or not confirmed in time. No effect on a try whose number is
 * confirmed.
 */
export const leaveUnconfirmed = (attempt: number, messageId?: string): OrderDecision =>
  about(attempt, ({ status }, { standing, confirmed }) => {
    if (standing !== 'open' || confirmed) return [];
    const reason = status === 'awaiting_payment' ? 'not_confirmed' : notAsked(status);
    return [{ type: 'OrderPaymentFailed', data: { attempt, reason, ...defined({ messageId }) } }];
  });

/** Why nobody is asked any more for the money of an order in this status. */
const notAsked = (status: OrderStatus): PaymentFailureReason => (isCalledOff(status) ? 'closed' : 'withdrawn');

export interface Beginning {
  readonly storeOpen?: boolean;
  readonly goodsGone?: boolean;
  /** The process that is going to send the try. */
  readonly sender?: string;
}

/**
 * Before the provider is asked, and only once: who gets the event may send the try, everybody else looks it up. Of an order
 * that was closed meanwhile, or that the store took the money for otherwise, nobody is asked, nor in a store that takes no
 * orders any more (`storeOpen` false), nor for goods that it no longer sells (`goodsGone`), and at no number that the customer
 * has still to confirm.
 */
export const beginPayment = (
  attempt: number,
  { storeOpen = true, goodsGone = false, sender }: Beginning = {},
): OrderDecision =>
  about(attempt, ({ status }, { standing, begunAt, confirmed }) => {
    if (standing !== 'open' || begunAt !== undefined || !confirmed) return [];
    if (status !== 'awaiting_payment')
      return [{ type: 'OrderPaymentFailed', data: { attempt, reason: notAsked(status) } }];
    if (!storeOpen) return [{ type: 'OrderPaymentFailed', data: { attempt, reason: 'store_closed' } }];
    if (goodsGone) return [{ type: 'OrderPaymentFailed', data: { attempt, reason: 'goods_gone' } }];
    return [{ type: 'OrderPaymentBegun', data: { attempt, ...defined({ sender }) } }];
  });

const STORE_CLOSED =
  'The store stopped taking orders while the customer was paying; the payment goes back to the customer.';

/**
 * The provider has charged the customer. The order is paid with it where it waits for that; otherwise, cancelled, paid by
 * another try or taken by the store without it meanwhile, the money is to go back. So it is when the store has not taken
 * orders all the while since the try was sent (`storeOpen` false), be it open again: its order ends with the payment.
 * Once for each try.
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

/** Nobody was charged. Only while nothing is known of the try. */
export const recordPaymentFailed = (attempt: number, reason: PaymentFailureReason, code?: string): OrderDecision =>
  about(attempt, (_, { standing }) =>
    standing === 'open' ? [{ type: 'OrderPaymentFailed', data: { attempt, reason, ...defined({ code }) } }] : [],
  );

/** Money that the store holds for an order and owes back to the customer. */
export const refundsOwed = ({ status, payments }: PlacedOrder): readonly Payment[] =>
  payments.filter(({ standing }) => standing === 'surplus' || (standing === 'paid' && isCalledOff(status)));

const noteOf = ({ storeClosed }: Payment): string =>
  storeClosed
    ? 'The store had stopped taking orders while the customer was paying.'
    : 'The payment came after the cancellation.';

/** The money of a try went back; the last of a cancelled order's moves it to `refunded`. */
export const recordRefunded = (attempt: number, refundId: string): OrderDecision =>
  about(attempt, (state, payment) => {
    const owed = refundsOwed(state);
    if (!owed.includes(payment)) return [];
    const back: OrderEvent = { type: 'OrderRefunded', data: { attempt, refundId, amountCents: payment.amountCents } };
    const arrived = { ...state, paid: true };
    if (owed.length > 1 || !mayMove('payment', state.status, 'refunded', arrived)) return [back];
    const note = payment.standing === 'surplus' ? noteOf(payment) : undefined;
    return [...moveOrder('payment', 'refunded', note)(arrived), back];
  });
