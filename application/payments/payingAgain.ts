/** The customer's answers to the payment form begin another try. */
import { DomainError } from '../../domain/decider.js';
import { paymentFormOf, showsPayment } from '../../domain/orders/forms.js';
import { isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import { duePayment, nextAttempt, payAgain } from '../../domain/orders/paying.js';
import { paymentOf } from '../../domain/orders/paymentState.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { type CustomerOf, hasAnswered, send } from '../channel/customerMessages.js';
import type { Fields } from '../channel/formFields.js';
import { isSameConversation } from '../channel/mergedConversations.js';
import { phoneReader } from '../phones.js';
import { text } from '../texts/texts.js';
import { offerPaymentForm } from './offeringForms.js';
import { payerStanding } from './payerStanding.js';
import { confirmOnPhone, limited, type PaymentOffer, paymentForm } from './paymentMessages.js';
import { readWallet, walletsOffered } from './walletChoice.js';

/** What it needs of the rest of the service. */
export interface PayingDependencies {
  /** `country`: ISO 3166-1. Undefined: there is no such store. */
  readonly storeOf: (workspaceId: string) => Promise<{ locale: Locale; country: string } | undefined>;
  /** Whether the store takes orders at this moment, and has since `since`, where that is given: see orders/takingOrders.ts. */
  readonly takesOrders: (workspaceId: string, since?: number) => Promise<boolean>;
  /** Whether a payment provider is configured: without one no store takes payments. */
  readonly takesPayments: boolean;
  readonly customerOf: CustomerOf;
}

export interface PaymentReply extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
  readonly orderId: string;
  /** The try that the form was sent for. */
  readonly attempt: number;
  /** Of the form that was answered. */
  readonly token: string;
  readonly fields: Fields;
}

const DONE: Outcome = { done: true };
const NO_STORE = { locale: 'en', country: '' } as const;

/** What became of goods that the store no longer sells, in words for the customer. */
export interface GoodsGone {
  /** Nothing is left: the order is cancelled. */
  readonly cancelled: boolean;
  readonly lines: readonly string[];
}

/** Leaves out of the order what the store no longer sells. Undefined: all of it is still sold. */
export type LeaveOutGone = (
  task: Task<Cause & { readonly orderId: string }>,
  context: ProcessorContext,
  state: PlacedOrder,
  locale: Locale,
) => Promise<GoodsGone | undefined>;

/**
 * The form to pay again that the task's message carries, recorded with the order. Undefined: no try can be begun, or the store
 * takes no payments.
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
 * A form begins its try once: its second answer, or an answer to an older form, changes nothing and is told so. What the
 * order asks for may not be more than the form showed, and goods that the store no longer sells are not charged.
 */
export const payByForm =
  (dependencies: PayingDependencies, leaveOutGone: LeaveOutGone) =>
  async (task: Task<PaymentReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, messageId, orderId, attempt } = task.payload;
    const { commands } = context;
    const state = await commands.query(order, orderId, (seen) => seen);
    if (!isPlaced(state) || (await hasAnswered(context, task))) return DONE;
    // Another customer's form, or a token that was made up.
    if (!(await isSameConversation(commands, workspaceId, state.conversationId, conversationId))) return DONE;
    const store = (await dependencies.storeOf(workspaceId)) ?? NO_STORE;
    const isBegun = paymentOf(state.payments, attempt)?.messageId === messageId;
    const reply = isBegun
      ? await begunBy(task.payload, context, store.locale)
      : await take({ dependencies, leaveOutGone, task, context, ...store }, state);
    const content = typeof reply === 'object' ? await formAgain(dependencies, task, context, store, reply) : reply;
    if (content !== undefined)
      await send(
        dependencies,
        context,
        task,
        { conversationId },
        typeof content === 'string' ? { type: 'text', text: content } : content,
        { kind: 'order_help', orderId },
      );
    return DONE;
  };

/** A payment form with these lines above its button, or the lines alone where no try can be begun any more. */
async function formAgain(
  dependencies: PayingDependencies,
  task: Task<PaymentReply>,
  context: ProcessorContext,
  { locale }: { readonly locale: Locale },
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

/** What the customer is to read, as text or above the form again; undefined: they are asked about the number first, which is told elsewhere. */
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
  const { limit, ...unconfirmed } = await payerStanding(commands, named, context.clock.now());
  if (limit !== undefined) return { again: [limited(locale, limit)] };
  const chosen = { ...choice, ...unconfirmed, orderId, merchantId: offered.merchantId, messageId };
  const by = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } as const };
  try {
    await commands.decide(by, order, orderId, payAgain(chosen, attempt, form));
    return begunBy(task.payload, context, locale);
  } catch (error) {
    // The order has moved on since the look above.
    if (!(error instanceof DomainError && error.code === 'payment_not_open')) throw error;
    return text(locale, 'payments.notOpen', { number: state.number });
  }
}

/**
 * What the customer has to do for the try that their answer began. Undefined: the try has ended by now, or they are asked about
 * the number first; both are told elsewhere.
 */
const begunBy = ({ orderId, attempt }: PaymentReply, { commands }: ProcessorContext, locale: Locale) =>
  commands.query(order, orderId, (state) => {
    const payment = duePayment(state, attempt);
    return payment?.confirmed ? confirmOnPhone(locale, payment) : undefined;
  });

function notPossible({ status, number, payments }: PlacedOrder, locale: Locale): string {
  const open = payments.some(({ standing }) => standing === 'open');
  return text(locale, status === 'awaiting_payment' && open ? 'payments.underWay' : 'payments.notOpen', { number });
}
