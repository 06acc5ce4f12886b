/** The customer's answers to the payment form begin another try. */
import { DomainError } from '../../domain/decider.js';
import { isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import { nextAttempt, payAgain } from '../../domain/orders/paying.js';
import { paymentOf } from '../../domain/orders/paymentState.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { type CustomerOf, send } from '../channel/customerMessages.js';
import type { Fields } from '../channel/formFields.js';
import { phoneReader } from '../phones.js';
import { text } from '../texts/texts.js';
import { payerStanding } from './payerStanding.js';
import { confirmOnPhone, limited, type Offer, paymentForm } from './paymentMessages.js';
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
  readonly fields: Fields;
}

const DONE: Outcome = { done: true };
const NO_STORE = { locale: 'en', country: '' } as const;

/** What the customer could pay now, as the form shows it. */
export const offerOf = (orderId: string, attempt: number, state: PlacedOrder): Offer => ({
  orderId,
  number: state.number,
  totalCents: state.totals.totalCents,
  attempt,
  phone: state.payments.at(-1)?.payer ?? state.customerPhone,
});

/** A form begins its try once: its second answer, or an answer to an older form, changes nothing and is told so. */
export const payByForm =
  (dependencies: PayingDependencies) =>
  async (task: Task<PaymentReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, messageId, orderId, attempt } = task.payload;
    const state = await context.commands.query(order, orderId, (seen) => seen);
    // Another form's answer, or a token that was made up.
    if (!isPlaced(state) || state.conversationId !== conversationId) return DONE;
    if (paymentOf(state.payments, attempt)?.messageId === messageId) return DONE;
    const store = (await dependencies.storeOf(workspaceId)) ?? NO_STORE;
    const content = await take(dependencies, task, context, state, store);
    if (content !== undefined)
      await send(dependencies, context, task, { conversationId }, content, { kind: 'order_help', orderId });
    return DONE;
  };

/** What the customer is to read; undefined: they are asked about the number first, which is told elsewhere. */
async function take(
  dependencies: PayingDependencies,
  task: Task<PaymentReply>,
  context: ProcessorContext,
  state: PlacedOrder,
  { locale, country }: { readonly locale: Locale; readonly country: string },
) {
  const { workspaceId, conversationId, messageId, orderId, attempt, fields } = task.payload;
  const say = (said: string) => ({ type: 'text', text: said }) as const;
  if (nextAttempt(state) !== attempt) return say(notPossible(state, locale));
  if (!(await dependencies.takesOrders(workspaceId))) return say(text(locale, 'payments.closed'));
  const offered = await walletsOffered(context.commands, workspaceId, dependencies.takesPayments);
  if (offered === undefined)
    return say([text(locale, 'payments.why.store_account'), text(locale, 'payments.askUs')].join('\n'));
  const readPhone = (await phoneReader()).typedIn(country, state.customerPhone);
  const choice = readWallet(fields, offered, state.customerPhone, readPhone);
  if (choice.wrong !== undefined) {
    const wrong = choice.wrong.map((one) => text(locale, `payments.wrong.${one}`));
    return paymentForm(locale, offerOf(orderId, attempt, state), offered, [...wrong, text(locale, 'payments.again')]);
  }
  const named = { workspaceId, conversationId, chatPhone: state.customerPhone, payer: choice.payer };
  const { limit, ...unconfirmed } = await payerStanding(context.commands, named, context.clock.now());
  if (limit !== undefined)
    return paymentForm(locale, offerOf(orderId, attempt, state), offered, [limited(locale, limit)]);
  const chosen = { ...choice, ...unconfirmed, orderId, merchantId: offered.merchantId, messageId };
  const by = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } as const };
  try {
    const { events } = await context.commands.decide(by, order, orderId, payAgain(chosen, attempt));
    const [asked] = events;
    if (asked?.type !== 'OrderPaymentRequested')
      return say(text(locale, 'payments.underWay', { number: state.number }));
    const { amountCents, wallet, payer, awaitsConfirmation } = asked.data;
    if (awaitsConfirmation) return undefined;
    return say(confirmOnPhone(locale, { amountCents, wallet, payer }));
  } catch (error) {
    // The order has moved on since the look above.
    if (!(error instanceof DomainError && error.code === 'payment_not_open')) throw error;
    return say(text(locale, 'payments.notOpen', { number: state.number }));
  }
}

function notPossible({ status, number, payments }: PlacedOrder, locale: Locale): string {
  const open = payments.some(({ standing }) => standing === 'open');
  return text(locale, status === 'awaiting_payment' && open ? 'payments.underWay' : 'payments.notOpen', { number });
}
