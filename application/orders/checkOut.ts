/** The customer's answers to the checkout form reach the order. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { DomainError } from '../../domain/decider.js';
import { delivery, offersHandover } from '../../domain/delivery/delivery.js';
import { derivedId } from '../../domain/ids.js';
import { checkOutOrder, repriceOrder } from '../../domain/orders/checkout.js';
import { isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import type { OrderTotals } from '../../domain/orders/orderEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { Cause, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { send } from '../channel/customerMessages.js';
import type { Fields } from '../channel/formFields.js';
import { type Payer, type PayerStanding, payerStanding } from '../payments/payerStanding.js';
import { limited } from '../payments/paymentMessages.js';
import { type Offered, type PaysWith, readWallet, readWalletOrCash, walletsOffered } from '../payments/walletChoice.js';
import { phoneReader, type ReadTyped } from '../phones.js';
import { text } from '../texts/texts.js';
import { emptied, type FormChoices, formAgain, type OrderInWords, pricedAnew } from './customerTexts.js';
import type { OrderDependencies } from './dependencies.js';
import { couponRefused, discountSmaller, type PricedInWords } from './discountTexts.js';
import { type Answers, readAnswers } from './formAnswers.js';
import { type Looked, lookAtPrices } from './lateFormAnswers.js';
import { type Checkout, releaseBut } from './reserveUses.js';
import { type Agreed, agree } from './settleCheckout.js';

export interface FormReply extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
  readonly orderId: string;
  readonly fields: Fields;
  /** ms since 1970. */
  readonly receivedAt?: number;
}

/** What became of the answers: the order is checked out, or the customer is told why not. */
type Reply =
  | 'taken'
  | { readonly text: string }
  /** The form again, with what was wrong; `totals` when they are others than the order had. */
  | { readonly again: readonly string[]; readonly totals?: OrderTotals };

const DONE: Outcome = { done: true };
const NO_STORE = { locale: 'en', country: '' } as const;

/**
 * Wrong answers bring the form again with what was wrong, and so does a coupon that cannot be used, a promised discount
 * that others used up meanwhile, or a wallet that was not chosen for what is to be paid in the end. Late answers bring the
 * form with the prices of now. A second answer changes nothing and is told so. The uses of promotions are reserved before
 * the order is checked out; whatever else becomes of the answers, they are given back.
 */
export const checkOut =
  (dependencies: OrderDependencies) =>
  async (task: Task<FormReply>, context: ProcessorContext): Promise<Outcome> => {
    const { conversationId, messageId, orderId } = task.payload;
    const state = await context.commands.query(order, orderId, (seen) => seen);
    // Another form's answer, or a token that was made up.
    if (!isPlaced(state) || state.conversationId !== conversationId) return DONE;
    const closed = closedBy(state, messageId);
    if (closed === 'this') return DONE;
    const content = await replyTo(dependencies, task, context, state, closed);
    if (content !== undefined)
      await send(dependencies, context, task, { conversationId }, content, { kind: 'order_help', orderId });
    return DONE;
  };

/** What the customer is to read; undefined: the order is checked out, which is told elsewhere. */
async function replyTo(
  dependencies: OrderDependencies,
  task: Task<FormReply>,
  context: ProcessorContext,
  state: PlacedOrder,
  closed: Exclude<ReturnType<typeof closedBy>, 'this'>,
): Promise<OutboundContent | undefined> {
  const { workspaceId, orderId } = task.payload;
  const { locale, country } = (await dependencies.storeOf(workspaceId)) ?? NO_STORE;
  const offered = await walletsOffered(context.commands, workspaceId, dependencies.takesPayments);
  const choices = () => choicesOf(context, workspaceId, offered);
  const isOpen = await dependencies.takesOrders(workspaceId);
  const asked = checkoutOf(dependencies, task, context, state);
  const looked = isOpen ? await look(dependencies, task, asked, closed) : { checkout: asked };
  if (!('checkout' in looked)) return changedContent(locale, { orderId, ...state }, looked, await choices());
  const readPhone = (await phoneReader()).typedIn(country, state.customerPhone);
  const { checkout } = looked;
  const reply =
    isOpen || closed === 'checkout'
      ? await take(task.payload, checkout, { locale, offered, readPhone }, closed)
      : { text: text(locale, 'orders.closed') };
  if (reply === 'taken') return undefined;
  if (closed !== 'checkout') await releaseBut(undefined, checkout);
  if ('text' in reply) return { type: 'text', text: reply.text };
  const { number, totals } = state;
  return formAgain(locale, { orderId, number, totals: reply.totals ?? totals }, await choices(), reply.again);
}

const choicesOf = async (
  { commands }: ProcessorContext,
  workspaceId: string,
  offered: Offered | undefined,
): Promise<FormChoices> => ({
  ...(await commands.query(delivery, workspaceId, ({ settings }) => settings)),
  wallets: offered?.wallets,
});

/** Before an order that is still open takes an answer: whether its prices hold. */
async function look(
  dependencies: OrderDependencies,
  task: Task<FormReply>,
  checkout: Checkout,
  closed: ReturnType<typeof closedBy>,
): Promise<Looked> {
  if (closed !== undefined) return { checkout };
  const { workspaceId, receivedAt = task.createdAt } = task.payload;
  const validDays = await checkout.commands.query(delivery, workspaceId, ({ settings }) => settings.cartValidDays);
  const looked = await lookAtPrices(dependencies, checkout, { workspaceId, receivedAt, validDays });
  // What an answer before had reserved, and was stopped.
  if (!('checkout' in looked)) await releaseBut(undefined, checkout);
  return looked;
}

/** What the customer reads when the order is not what it was. */
function changedContent(
  locale: Locale,
  order: OrderInWords & PricedInWords,
  looked: Exclude<Looked, { readonly checkout: Checkout }>,
  choices: FormChoices,
): OutboundContent {
  if ('closed' in looked) return { type: 'text', text: text(locale, 'orders.noLongerOpen', { number: order.number }) };
  if ('nothingLeft' in looked) return emptied(locale, order.number, looked.nothingLeft);
  return pricedAnew(locale, { ...order, ...looked.again }, looked.leftOut, choices);
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
    by: (step) => ({ ...by, commandId: derivedId(by.commandId, step, task.attempt) }),
  };
}

/** How the answers are read, and what was offered. */
interface Asking {
  readonly locale: Locale;
  readonly offered: Offered | undefined;
  readonly readPhone: ReadTyped;
}

/** Checks the order out, if it can be. */
async function take(
  { workspaceId, conversationId, messageId, fields }: FormReply,
  checkout: Checkout,
  { locale, offered, readPhone }: Asking,
  closed: 'checkout' | 'status' | undefined,
): Promise<Reply> {
  const { commands, orderId, state, now, by } = checkout;
  const { number, customerPhone } = state;
  const noLongerOpen = { text: text(locale, 'orders.noLongerOpen', { number }) };
  if (closed === 'checkout') return { text: text(locale, 'orders.alreadyCheckedOut', { number }) };
  if (closed === 'status') return noLongerOpen;
  const settings = await commands.query(delivery, workspaceId, (seen) => seen.settings);
  if (!offersHandover(settings)) return { text: text(locale, 'orders.noCheckout') };
  const named = { workspaceId, conversationId, chatPhone: customerPhone };
  const read = settings.cashOnDelivery === true ? readWalletOrCash : readWallet;
  const paysWith = offered && read(fields, offered, customerPhone, readPhone);
  const { unpayable, unconfirmed } = await standingOf(commands, locale, named, paysWith, now);
  // What is wrong with the wallet matters only to an order that costs something; the coupon may see to that it does not.
  const needed = state.totals.totalCents > 0 ? unpayable : [];
  const answers = readAnswers(fields, settings, readPhone);
  if (answers.wrong !== undefined)
    return { again: [...answers.wrong.map((one) => text(locale, `orders.wrong.${one}`)), ...needed] };
  const agreed = await agree(checkout, workspaceId, answers.handover, answers.coupon);
  if ('coupon' in agreed) return { again: [...couponRefused(locale, agreed.coupon), ...needed] };
  if ('repriced' in agreed) {
    const { totals } = agreed.repriced;
    await commands.decide(by('reprice'), order, orderId, repriceOrder(agreed.repriced));
    return { again: [discountSmaller(locale, totals.totalCents)], totals };
  }
  const costs = agreed.priced.totals.totalCents > 0;
  if (costs && unpayable.length > 0) return { again: unpayable };
  await releaseBut(agreed.priced, checkout);
  const { command, payment } = checkOutWith(answers, agreed, costs ? paysWith : undefined, messageId);
  const { merchantId = '' } = offered ?? {};
  const chosen = payment && { ...payment, ...unconfirmed, orderId, merchantId, messageId };
  try {
    await commands.decide(by('check out'), order, orderId, checkOutOrder(command, chosen));
    return 'taken';
  } catch (error) {
    // The store has cancelled it since the look above.
    if (!(error instanceof DomainError && error.code === 'order_status_not_allowed')) throw error;
    return noLongerOpen;
  }
}

/** What is wrong with the choice of a wallet, in words; and whether the customer has to confirm its number first. */
async function standingOf(
  commands: Parameters<typeof payerStanding>[0],
  locale: Locale,
  named: Omit<Payer, 'payer'>,
  paysWith: PaysWith | undefined,
  now: number,
): Promise<{ unpayable: readonly string[]; unconfirmed?: Omit<PayerStanding, 'limit'> }> {
  if (paysWith === undefined || 'cash' in paysWith) return { unpayable: [] };
  if (paysWith.wrong !== undefined)
    return { unpayable: paysWith.wrong.map((one) => text(locale, `payments.wrong.${one}`)) };
  const { limit, ...unconfirmed } = await payerStanding(commands, { ...named, payer: paysWith.payer }, now);
  return { unpayable: limit === undefined ? [] : [limited(locale, limit)], unconfirmed };
}

/** `paysWith`: undefined where nothing is to be paid, or the store takes no payments. */
function checkOutWith(
  { said }: Extract<Answers, { said: unknown }>,
  { priced, ...codes }: Extract<Agreed, { priced: unknown }>,
  paysWith: PaysWith | undefined,
  messageId: string,
) {
  const command = { ...said, ...priced, ...codes, messageId };
  if (paysWith === undefined || paysWith.wrong !== undefined) return { command };
  if ('cash' in paysWith) return { command: { ...command, payment: 'cash' as const } };
  return { command, payment: { wallet: paysWith.wallet, payer: paysWith.payer } };
}

/** Why the order takes no answers any more; `this`: the very message has been taken before. */
function closedBy(state: PlacedOrder, messageId: string): 'this' | 'checkout' | 'status' | undefined {
  if (state.checkedOut && state.checkedOutBy === messageId) return 'this';
  if (state.status === 'cancelled' || state.status === 'refunded') return 'status';
  if (state.checkedOut) return 'checkout';
  return state.status === 'new' ? undefined : 'status';
}
