/** Starts another payment attempt with the customer's answers to the payment form. */
import { DomainError } from '../../domain/decider.js';
import { paymentFormOf, showsPayment } from '../../domain/orders/offeredForms.js';
import { isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import { duePayment, nextAttempt, payAgain } from '../../domain/orders/paymentDecisions.js';
import { paymentOf } from '../../domain/orders/paymentState.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { type CustomerOf, hasAnswered, send } from '../channel/customerMessages.js';
import type { Fields } from '../channel/formFields.js';
import { isSameConversation } from '../channel/mergedConversations.js';
import { phoneReader } from '../phones.js';
import { text } from '../texts/texts.js';
import { offerPaymentForm } from './paymentForms.js';
import { confirmOnPhone, limited, type PaymentOffer, paymentForm } from './paymentMessages.js';
import { payerState } from './promptAllowance.js';
import { readWallet, walletsOffered } from './walletChoice.js';

/** Dependencies on other parts of the service. */
export interface PayingDependencies {
  /** `country`: ISO 3166-1. Undefined: there is no such store. */
  readonly storeOf: (workspaceId: string) => Promise<{ locale: Locale; country: string } | undefined>;
  /** Returns true if the store takes orders now, and has since `since`, if given: see orders/orderAcceptance.ts. */
  readonly takesOrders: (workspaceId: string, since?: number) => Promise<boolean>;
  /** True if a payment provider is configured. Without one no store accepts payments. */
  readonly takesPayments: boolean;
  readonly customerOf: CustomerOf;
}

export interface PaymentReply extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
  readonly orderId: string;
  /** Payment attempt for which the form was sent. */
  readonly attempt: number;
  /** Token of the answered form. */
  readonly token: string;
  readonly fields: Fields;
}

const DONE: Outcome = { done: true };
const NO_STORE = { locale: 'en', country: '' } as const;

/** Goods that the store no longer sells, as texts for the customer. */
export interface GoodsGone {
  /** True if no goods are left: the order is cancelled. */
  readonly cancelled: boolean;
  readonly lines: readonly string[];
}

/** Removes goods from the order that the store no longer sells. Undefined: all goods are still sold. */
export type LeaveOutGone = (
  task: Task<Cause & { readonly orderId: string }>,
  context: ProcessorContext,
  state: PlacedOrder,
  locale: Locale,
) => Promise<GoodsGone | undefined>;

/**
 * Returns the payment form of the task's message, recorded with the order. Undefined: no attempt can start, or the store accepts no
 * payments.
 */
export async function offerPayment(
  { takesPayments }: Pick<PayingDependencies, 'takesPayments'>,
  task: Task<Cause & { readonly orderId: string }>,
  context: ProcessorContext,
): Promise<PaymentOffer | undefined> {
  const { orderId, workspaceId } = task.payload;
  const offered = await walletsOffered(context.commands, workspaceId, takesPayments);
  const state = await context.commands.query(order, orderId, (seen) => seen);
  const attempt = isPlaced(state) ? nextAttempt(state) : undefined;
  if (offered === undefined || attempt === undefined || !isPlaced(state)) return undefined;
  const form = await offerPaymentForm(task, context, attempt);
  const phone = state.payments.at(-1)?.payer ?? state.customerPhone;
  return form && { form, number: state.number, phone, offered };
}

/**
 * Starts the attempt of a form, once. A second answer, or an answer to an older form, changes nothing, and the customer is notified. The
 * amount is never higher than in the form, and goods that the store no longer sells are not charged.
 */
export const payByForm =
  (dependencies: PayingDependencies, leaveOutGone: LeaveOutGone) =>
  async (task: Task<PaymentReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, messageId, orderId, attempt } = task.payload;
    const { commands } = context;
    const state = await commands.query(order, orderId, (seen) => seen);
    if (!isPlaced(state) || (await hasAnswered(context, task))) return DONE;
    // Another customer's form, or a forged token.
    if (!(await isSameConversation(commands, workspaceId, state.conversationId, conversationId))) return DONE;
    const store = (await dependencies.storeOf(workspaceId)) ?? NO_STORE;
    const isStarted = paymentOf(state.payments, attempt)?.messageId === messageId;
    const reply = isStarted
      ? await startedBy(task.payload, context, store.locale)
      : await take({ dependencies, leaveOutGone, task, context, ...store }, state);
    const content =
      typeof reply === 'object' ? await formAgain({ dependencies, task, context, ...store }, reply) : reply;
    if (content !== undefined)
      await send(
        { dependencies, context, task },
        { conversationId },
        typeof content === 'string' ? { type: 'text', text: content } : content,
        { kind: 'order_help', orderId },
      );
    return DONE;
  };

/** Returns a payment form with these lines above its button, or only the lines if no attempt can start any more. */
async function formAgain(
  { dependencies, task, context, locale }: Omit<Paying, 'leaveOutGone'>,
  { again }: { readonly again: readonly string[] },
) {
  const offer = await offerPayment(dependencies, task, context);
  return offer === undefined ? again.join('\n') : paymentForm(locale, offer, again);
}

interface Paying {
  readonly dependencies: PayingDependencies;
  readonly leaveOutGone: LeaveOutGone;
  readonly task: Task<PaymentReply>;
  readonly context: ProcessorContext;
  readonly locale: Locale;
  readonly country: string;
}

/**
 * Returns the message to the customer: a text, or lines above another form. Undefined: the number must be confirmed first, for which
 * another message is sent.
 */
async function take(
  { dependencies, leaveOutGone, task, context, locale, country }: Paying,
  state: PlacedOrder,
): Promise<string | { readonly again: readonly string[] } | undefined> {
  const { workspaceId, conversationId, messageId, orderId, attempt, fields, token } = task.payload;
  const { commands } = context;
  if (nextAttempt(state) !== attempt) return notPossible(state, locale);
  if (!(await dependencies.takesOrders(workspaceId))) return text(locale, 'payments.closed');
  const offered = await walletsOffered(commands, workspaceId, dependencies.takesPayments);
  if (offered === undefined)
    return [text(locale, 'payments.why.store_account'), text(locale, 'payments.askUs')].join('\n');
  const gone = await leaveOutGone(task, context, state, locale);
  if (gone?.cancelled) return gone.lines.join('\n');
  if (gone !== undefined) return { again: [...gone.lines, text(locale, 'payments.again')] };
  const form = paymentFormOf(state, token);
  if (form === undefined || !showsPayment(form, state))
    return { again: [text(locale, 'orders.changed'), text(locale, 'payments.again')] };
  const readPhone = (await phoneReader()).typedIn(country, state.customerPhone);
  const choice = readWallet(fields, offered, state.customerPhone, readPhone);
  if (choice.wrong !== undefined) {
    const wrong = choice.wrong.map((one) => text(locale, `payments.wrong.${one}`));
    return { again: [...wrong, text(locale, 'payments.again')] };
  }
  const named = { workspaceId, conversationId, chatPhone: state.customerPhone, payer: choice.payer };
  const { limit, ...unconfirmed } = await payerState(commands, named, context.clock.now());
  if (limit !== undefined) return { again: [limited(locale, limit)] };
  const chosen = { ...choice, ...unconfirmed, orderId, merchantId: offered.merchantId, messageId };
  const by = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } as const };
  try {
    await commands.decide(by, order, orderId, payAgain(chosen, attempt, form));
    return startedBy(task.payload, context, locale);
  } catch (error) {
    // The order has changed since it was read above.
    if (!(error instanceof DomainError && error.code === 'payment_not_open')) throw error;
    return text(locale, 'payments.notOpen', { number: state.number });
  }
}

/**
 * Returns the instructions for the attempt that the customer's answer started. Undefined: the attempt has ended, or the number must be
 * confirmed first. Other messages report both.
 */
const startedBy = ({ orderId, attempt }: PaymentReply, { commands }: ProcessorContext, locale: Locale) =>
  commands.query(order, orderId, (state) => {
    const payment = duePayment(state, attempt);
    return payment?.confirmed ? confirmOnPhone(locale, payment) : undefined;
  });

function notPossible({ status, number, payments }: PlacedOrder, locale: Locale): string {
  const open = payments.some(({ standing }) => standing === 'open');
  return text(locale, status === 'awaiting_payment' && open ? 'payments.underWay' : 'payments.notOpen', { number });
}
