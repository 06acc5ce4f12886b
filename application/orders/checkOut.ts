/** Processes the customer's answers to the checkout form. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { DomainError } from '../../domain/decider.js';
import { delivery, offersHandover } from '../../domain/delivery/delivery.js';
import { checkOutOrder, repriceOrder } from '../../domain/orders/checkout.js';
import { checkoutFormOf, shownCents } from '../../domain/orders/offeredForms.js';
import { isPlaced, type Order, order, type PlacedOrder } from '../../domain/orders/order.js';
import type { LeftOutItem } from '../../domain/orders/orderEvents.js';
import { isCalledOff } from '../../domain/orders/orderStatus.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { hasAnswered, send } from '../channel/customerMessages.js';
import type { Fields } from '../channel/formFields.js';
import { isSameConversation } from '../channel/mergedConversations.js';
import { limited } from '../payments/paymentMessages.js';
import { type Payer, type PayerState, payerState } from '../payments/promptAllowance.js';
import { type Offered, type PaysWith, readWallet, readWalletOrCash, walletsOffered } from '../payments/walletChoice.js';
import { phoneReader, type ReadTyped } from '../phones.js';
import { text } from '../texts/texts.js';
import { offerCheckoutForm } from './checkoutOffers.js';
import { emptied, formAgain, summaryAgain } from './customerTexts.js';
import { couponRefused, discountSmaller } from './discountTexts.js';
import { type Answers, readAnswers } from './formAnswers.js';
import { type Checked, checkOrder } from './orderChanges.js';
import type { OrderDependencies } from './orderDependencies.js';
import { type Checkout, settleUses, stepsOf } from './reserveUses.js';
import { type Agreed, agree } from './settleCheckout.js';

export interface FormReply extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
  readonly orderId: string;
  /** Token of the answered form. */
  readonly token: string;
  readonly fields: Fields;
  /** ms since 1970. */
  readonly receivedAt?: number;
}

/** Outcome of the answers: the order is checked out, or the customer gets the reason why not. */
type Reply =
  | 'taken'
  | { readonly text: string }
  /** Sends the form again, with the problems. */
  | { readonly again: readonly string[] }
  /** The order differs from the form: sends the whole order again. */
  | 'changed'
  /** All items are unavailable. */
  | { readonly nothingLeft: readonly LeftOutItem[] };

const DONE: Outcome = { done: true };
const NO_STORE = { locale: 'en', country: '' } as const;

/**
 * The form is sent again with the problems if the answers are wrong, a coupon cannot be used, a promised discount was used up by others,
 * the delivery fee has risen, or a wallet is missing although there is something to pay.
 *
 * An answer is only accepted for a form that shows the current order. Otherwise the current order is sent. A second answer changes nothing,
 * and the customer is notified. Uses of promotions are reserved before the order is checked out, and released after any other outcome.
 */
export const checkOut =
  (dependencies: OrderDependencies) =>
  async (task: Task<FormReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, messageId, orderId } = task.payload;
    const state = await context.commands.query(order, orderId, (seen) => seen);
    if (!isPlaced(state)) return DONE;
    // Another customer's form, or a forged token.
    if (!(await isSameConversation(context.commands, workspaceId, state.conversationId, conversationId))) return DONE;
    const checkout = checkoutOf(dependencies, task, context, state);
    if (await hasAnswered(context, task)) {
      await settleUses(checkout);
      return DONE;
    }
    const closed = closedBy(state, messageId);
    const { locale, country } = (await dependencies.storeOf(workspaceId)) ?? NO_STORE;
    const reply =
      closed === 'this'
        ? 'taken'
        : await replyTo({ dependencies, task, context }, checkout, closed, { locale, country });
    await settleUses(checkout);
    const content = reply === 'taken' ? undefined : await contentOf({ dependencies, task, context }, locale, reply);
    if (content !== undefined)
      await send({ dependencies, context, task }, { conversationId }, content, { kind: 'order_help', orderId });
    return DONE;
  };

interface Answering {
  readonly locale: Locale;
  /** Country of the store, ISO 3166-1. */
  readonly country: string;
}

/** Performance of a task that answers a form. */
interface Performance {
  readonly dependencies: OrderDependencies;
  readonly task: Task<FormReply>;
  readonly context: ProcessorContext;
}

async function replyTo(
  { dependencies, task, context }: Performance,
  checkout: Checkout,
  closed: Exclude<ReturnType<typeof closedBy>, 'this'>,
  { locale, country }: Answering,
): Promise<Reply> {
  const { workspaceId } = task.payload;
  const { number, customerPhone } = checkout.state;
  if (closed === 'checkout') return alreadyCheckedOut(locale, number);
  if (!(await dependencies.takesOrders(workspaceId))) return { text: text(locale, 'orders.closed') };
  if (closed === 'status') return { text: text(locale, 'orders.noLongerOpen', { number }) };
  const checked = await check(dependencies, task, checkout);
  if ('closed' in checked) return { text: text(locale, 'orders.noLongerOpen', { number }) };
  if ('nothingLeft' in checked) return checked;
  if ('changed' in checked) return 'changed';
  const offered = await walletsOffered(context.commands, workspaceId, dependencies.takesPayments);
  const readPhone = (await phoneReader()).typedIn(country, customerPhone);
  return take(task.payload, checked, { locale, offered, readPhone });
}

const alreadyCheckedOut = (locale: Locale, number: number): Reply => ({
  text: text(locale, 'orders.alreadyCheckedOut', { number }),
});

/** Checks that the answered form shows the current order. */
async function check(dependencies: OrderDependencies, task: Task<FormReply>, checkout: Checkout): Promise<Checked> {
  const { workspaceId, token, receivedAt = task.createdAt } = task.payload;
  const validDays = await checkout.commands.query(delivery, workspaceId, ({ settings }) => settings.cartValidDays);
  const form = checkoutFormOf(checkout.state, token);
  return checkOrder(dependencies, checkout, { workspaceId, receivedAt, form, validDays });
}

/** Returns the message to the customer. Undefined: the order was closed just now, and another message reports that. */
async function contentOf(
  { dependencies, task, context }: Performance,
  locale: Locale,
  reply: Exclude<Reply, 'taken'>,
): Promise<OutboundContent | undefined> {
  if (typeof reply === 'object' && 'text' in reply) return { type: 'text', text: reply.text };
  const offer = await offerCheckoutForm(dependencies, task, context);
  if (offer === undefined) return undefined;
  const { order: now, form, settings, wallets } = offer;
  if (typeof reply === 'object' && 'nothingLeft' in reply) return emptied(locale, now.number, reply.nothingLeft);
  const choices = { ...settings, wallets };
  if (reply === 'changed') return summaryAgain(locale, now, form, choices);
  if (form === undefined) return { type: 'text', text: text(locale, 'orders.noLongerOpen', { number: now.number }) };
  return formAgain(locale, now.number, { form, choices }, reply.again);
}

function checkoutOf(
  { promotions }: OrderDependencies,
  task: Task<FormReply>,
  context: ProcessorContext,
  state: PlacedOrder,
): Checkout {
  const { commands, clock } = context;
  const by: CommandContext = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } };
  return {
    commands,
    promotions,
    orderId: task.payload.orderId,
    state,
    now: clock.now(),
    by: stepsOf(by),
  };
}

/** Context for reading the answers, with the offered wallets. */
interface AnswerContext {
  readonly locale: Locale;
  readonly offered: Offered | undefined;
  readonly readPhone: ReadTyped;
}

/** Checks the order out, if possible. */
async function take(
  { workspaceId, conversationId, messageId, fields }: FormReply,
  { checkout, form }: Extract<Checked, { readonly checkout: Checkout }>,
  { locale, offered, readPhone }: AnswerContext,
): Promise<Reply> {
  const { commands, orderId, state, now, by } = checkout;
  const { customerPhone } = state;
  const settings = await commands.query(delivery, workspaceId, (seen) => seen.settings);
  if (!offersHandover(settings)) return { text: text(locale, 'orders.noCheckout') };
  const named = { workspaceId, conversationId, chatPhone: customerPhone };
  const read = settings.cashOnDelivery === true ? readWalletOrCash : readWallet;
  const paysWith = offered && read(fields, offered, customerPhone, readPhone);
  const { unpayable, unconfirmed } = await walletState(commands, locale, { ...named, paysWith }, now);
  // Problems of the wallet matter only if there is something to pay. The coupon may reduce the total to zero.
  const needed = state.totals.totalCents > 0 ? unpayable : [];
  const answers = readAnswers(fields, settings, readPhone);
  if (answers.wrong !== undefined)
    return { again: [...answers.wrong.map((one) => text(locale, `orders.wrong.${one}`)), ...needed] };
  const shown = shownCents(form, answers.area);
  if (shown === undefined) return { again: [text(locale, 'orders.deliveryChanged'), ...needed] };
  const agreed = await agree(checkout, workspaceId, answers, shown);
  if ('coupon' in agreed) return { again: [...couponRefused(locale, agreed.coupon), ...needed] };
  if ('dearer' in agreed) return { again: [text(locale, 'orders.deliveryChanged'), ...needed] };
  if ('repriced' in agreed) {
    await commands.decide(by('reprice'), order, orderId, repriceOrder(agreed.repriced));
    return { again: [discountSmaller(locale, agreed.repriced.totals.totalCents)] };
  }
  const costs = agreed.priced.totals.totalCents > 0;
  if (costs && unpayable.length > 0) return { again: unpayable };
  const { command, payment } = checkOutWith(answers, agreed, costs ? paysWith : undefined, messageId);
  const { merchantId = '' } = offered ?? {};
  const chosen = payment && { ...payment, ...unconfirmed, orderId, merchantId, messageId };
  return end(checkout, checkOutOrder(command, chosen), locale, messageId);
}

/** Checks the order out, unless it has been closed or checked out since it was read. */
async function end(
  { commands, orderId, state: { number }, by }: Checkout,
  decision: ReturnType<typeof checkOutOrder>,
  locale: Locale,
  messageId: string,
): Promise<Reply> {
  try {
    const { events } = await commands.decide(by('check out'), order, orderId, decision);
    if (events.length > 0) return 'taken';
    // By another performance of this task, or by another message.
    const isThis = (seen: Order): boolean => isPlaced(seen) && seen.checkedOutBy === messageId;
    return (await commands.query(order, orderId, isThis)) ? 'taken' : alreadyCheckedOut(locale, number);
  } catch (error) {
    // The store has cancelled it since it was read above.
    if (!(error instanceof DomainError && error.code === 'order_status_not_allowed')) throw error;
    return { text: text(locale, 'orders.noLongerOpen', { number }) };
  }
}

/** Returns the problems of the chosen wallet, as texts, and whether the customer has to confirm its number first. */
async function walletState(
  commands: Parameters<typeof payerState>[0],
  locale: Locale,
  { paysWith, ...named }: Omit<Payer, 'payer'> & { readonly paysWith: PaysWith | undefined },
  now: number,
): Promise<{ unpayable: readonly string[]; unconfirmed?: Omit<PayerState, 'limit'> }> {
  if (paysWith === undefined || 'cash' in paysWith) return { unpayable: [] };
  if (paysWith.wrong !== undefined)
    return { unpayable: paysWith.wrong.map((one) => text(locale, `payments.wrong.${one}`)) };
  const { limit, ...unconfirmed } = await payerState(commands, { ...named, payer: paysWith.payer }, now);
  return { unpayable: limit === undefined ? [] : [limited(locale, limit)], unconfirmed };
}

/** `paysWith`: undefined if there is nothing to pay, or the store takes no payments. */
function checkOutWith(
  { answers }: Extract<Answers, { answers: unknown }>,
  { priced, ...codes }: Extract<Agreed, { priced: unknown }>,
  paysWith: PaysWith | undefined,
  messageId: string,
) {
  const command = { ...answers, ...priced, ...codes, messageId };
  if (paysWith === undefined || paysWith.wrong !== undefined) return { command };
  if ('cash' in paysWith) return { command: { ...command, payment: 'cash' as const } };
  return { command, payment: { wallet: paysWith.wallet, payer: paysWith.payer } };
}

/** Returns why the order accepts no answers any more. `this`: this message was accepted before. */
function closedBy(state: PlacedOrder, messageId: string): 'this' | 'checkout' | 'status' | undefined {
  if (state.checkedOut && state.checkedOutBy === messageId) return 'this';
  if (isCalledOff(state.status)) return 'status';
  if (state.checkedOut) return 'checkout';
  return state.status === 'new' ? undefined : 'status';
}
