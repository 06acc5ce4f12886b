/** Confirmation of a number other than the chat's by the customer, in the chat, before a payment request. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { isPlaced, order } from '../../domain/orders/order.js';
import { confirmPayment, duePayment, leaveUnconfirmed } from '../../domain/orders/paymentDecisions.js';
import { type Payment, paymentOf } from '../../domain/orders/paymentState.js';
import { confirmPayer, paymentPrompts } from '../../domain/payments/prompts.js';
import { walletName } from '../../domain/payments/wallets.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { send } from '../channel/customerMessages.js';
import { isSameConversation } from '../channel/mergedConversations.js';
import { money } from '../texts/localeFormats.js';
import { text } from '../texts/texts.js';
import { confirmOnPhone } from './paymentMessages.js';
import type { PayingDependencies } from './paymentRetry.js';

const OPTION = /^payer:(yes|no):([0-9a-f-]{36})\.(\d{1,2})$/;

/** Parses a tap on one of the question's buttons. Undefined: a button of another message. */
export function payerAnswer(
  optionId: string,
): { readonly orderId: string; readonly attempt: number; readonly yes: boolean } | undefined {
  const [, answer, orderId = '', attempt] = OPTION.exec(optionId) ?? [];
  return answer === undefined ? undefined : { orderId, attempt: Number(attempt), yes: answer === 'yes' };
}

/** Returns the question whether the number may get the prompt. */
export const payerQuestion = (
  locale: Locale,
  { reference, amountCents, wallet, payer }: Pick<Payment, 'reference' | 'amountCents' | 'wallet' | 'payer'>,
): OutboundContent => ({
  type: 'menu',
  text: text(locale, 'payments.confirmNumber', {
    total: money(locale, amountCents),
    wallet: walletName(wallet),
    phone: payer,
  }),
  options: [
    { id: `payer:yes:${reference}`, title: text(locale, 'payments.numberIsRight') },
    { id: `payer:no:${reference}`, title: text(locale, 'payments.otherNumber') },
  ],
});

export interface PayerReply extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
  readonly orderId: string;
  readonly attempt: number;
  readonly yes: boolean;
}

const DONE: Outcome = { done: true };

/**
 * Processes the first tap. 'Yes' is recorded for this customer and number, and the attempt starts. 'No' ends it, and the customer gets the
 * form to pay again, as after any failure. Later taps change nothing, and the customer is notified.
 */
export const answerPayer =
  (dependencies: PayingDependencies) =>
  async (task: Task<PayerReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, orderId, attempt } = task.payload;
    const { commands } = context;
    const state = await commands.query(order, orderId, (seen) => seen);
    const payment = isPlaced(state) ? paymentOf(state.payments, attempt) : undefined;
    if (!isPlaced(state) || payment === undefined) return DONE;
    // Another customer's button, or a forged one.
    if (!(await isSameConversation(commands, workspaceId, state.conversationId, conversationId))) return DONE;
    const locale = (await dependencies.storeOf(workspaceId))?.locale ?? 'en';
    const text = await answered(task, context, { number: state.number, payment, locale });
    if (text === undefined) return DONE;
    const content = { type: 'text', text: text } as const;
    await send({ dependencies, context, task }, { conversationId }, content, { kind: 'order_help', orderId });
    return DONE;
  };

interface PaymentRequest {
  /** Number of the order in its store. */
  readonly number: number;
  readonly payment: Payment;
  readonly locale: Locale;
}

/** Returns the text for the customer. Undefined: none, or another message reports the outcome. */
async function answered(
  task: Task<PayerReply>,
  context: ProcessorContext,
  { number, payment, locale }: PaymentRequest,
): Promise<string | undefined> {
  const { orderId, attempt, messageId, yes } = task.payload;
  const { commands } = context;
  const isTaken = payment.answeredBy === messageId;
  if (!isTaken && (payment.standing !== 'open' || payment.confirmed)) return text(locale, tooLate(payment), { number });
  const by = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } as const };
  if (!yes) {
    await commands.decide(by, order, orderId, leaveUnconfirmed(attempt, messageId));
    return undefined;
  }
  if (!isTaken) await confirm(context, by, task, payment.payer);
  // Reads the order after the decision: if the attempt has ended, another message reports that.
  const due = await commands.query(order, orderId, (state) => duePayment(state, attempt));
  return due && confirmOnPhone(locale, due);
}

const tooLate = ({ standing }: Payment) => (standing === 'open' ? 'payments.underWay' : 'payments.notOpen');

/** Records that the customer confirmed this number, and confirms the attempt. */
async function confirm(
  { commands }: ProcessorContext,
  by: CommandContext,
  { payload: { workspaceId, conversationId, orderId, attempt, messageId }, createdAt }: Task<PayerReply>,
  payer: string,
): Promise<void> {
  await commands.decide(by, paymentPrompts, workspaceId, confirmPayer({ customer: conversationId, payer }, createdAt));
  await commands.decide(by, order, orderId, confirmPayment(attempt, messageId));
}
