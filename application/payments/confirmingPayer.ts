/** A number that is not the chat's is asked for money only when the customer has said, in the chat, that it may be. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { isPlaced, order } from '../../domain/orders/order.js';
import { confirmPayment, duePayment, leaveUnconfirmed } from '../../domain/orders/paying.js';
import { type Payment, paymentOf } from '../../domain/orders/paymentState.js';
import { confirmPayer, paymentPrompts } from '../../domain/payments/prompts.js';
import { walletName } from '../../domain/payments/wallets.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { send } from '../channel/customerMessages.js';
import { isSameConversation } from '../channel/mergedConversations.js';
import { text } from '../texts/texts.js';
import { money } from '../texts/writing.js';
import type { PayingDependencies } from './payingAgain.js';
import { confirmOnPhone } from './paymentMessages.js';

const OPTION = /^payer:(yes|no):([0-9a-f-]{36})\.(\d{1,2})$/;

/** What a tap on one of the question's buttons says; undefined: it is another message's. */
export function payerAnswer(
  optionId: string,
): { readonly orderId: string; readonly attempt: number; readonly yes: boolean } | undefined {
  const [, answer, orderId = '', attempt] = OPTION.exec(optionId) ?? [];
  return answer === undefined ? undefined : { orderId, attempt: Number(attempt), yes: answer === 'yes' };
}

/** Asks whether the number may be sent the prompt. */
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
 * The first tap counts. 'Yes' is remembered for this customer and number, and the try begins; 'no' ends it, and the customer gets
 * the form to pay again as after any failure. What is tapped later changes nothing and is told so.
 */
export const answerPayer =
  (dependencies: PayingDependencies) =>
  async (task: Task<PayerReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, orderId, attempt } = task.payload;
    const { commands } = context;
    const state = await commands.query(order, orderId, (seen) => seen);
    const payment = isPlaced(state) ? paymentOf(state.payments, attempt) : undefined;
    if (!isPlaced(state) || payment === undefined) return DONE;
    // Another customer's button, or one that was made up.
    if (!(await isSameConversation(commands, workspaceId, state.conversationId, conversationId))) return DONE;
    const locale = (await dependencies.storeOf(workspaceId))?.locale ?? 'en';
    const said = await answered(task, context, { number: state.number, payment, locale });
    if (said === undefined) return DONE;
    const content = { type: 'text', text: said } as const;
    await send(dependencies, context, task, { conversationId }, content, { kind: 'order_help', orderId });
    return DONE;
  };

interface Asked {
  /** Of the order, in its store. */
  readonly number: number;
  readonly payment: Payment;
  readonly locale: Locale;
}

/** What the customer is to read; undefined: nothing, or what other messages tell. */
async function answered(
  task: Task<PayerReply>,
  context: ProcessorContext,
  { number, payment, locale }: Asked,
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
  if (!isTaken) await confirm(context, by, task.payload, payment.payer);
  // The order as it is after the decision: the try may have ended, and that is told elsewhere.
  const due = await commands.query(order, orderId, (state) => duePayment(state, attempt));
  return due && confirmOnPhone(locale, due);
}

const tooLate = ({ standing }: Payment) => (standing === 'open' ? 'payments.underWay' : 'payments.notOpen');

/** Remembers that the customer named this number, and confirms the try. */
async function confirm(
  { commands }: ProcessorContext,
  by: CommandContext,
  { workspaceId, conversationId, orderId, attempt, messageId }: PayerReply,
  payer: string,
): Promise<void> {
  await commands.decide(by, paymentPrompts, workspaceId, confirmPayer({ customer: conversationId, payer }));
  await commands.decide(by, order, orderId, confirmPayment(attempt, messageId));
}
