/** The customer's answers to the checkout form reach the order. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { DomainError } from '../../domain/decider.js';
import { delivery } from '../../domain/delivery/delivery.js';
import { checkOutOrder, repriceOrder } from '../../domain/orders/checkout.js';
import { isPlaced, order, type PlacedOrder } from '../../domain/orders/order.js';
import type { OrderTotals } from '../../domain/orders/orderEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import type { CommandContext } from '../commands.js';
import { derivedId } from '../ids.js';
import { paymentTextsIn } from '../payments/paymentTexts.js';
import { type Offered, readWallet, walletsOffered } from '../payments/walletChoice.js';
import type { Cause } from '../processors/cause.js';
import type { Outcome, ProcessorContext, Task } from '../processors/processor.js';
import { agree } from './agreeing.js';
import { couponIn, type Fields, readAnswers } from './answers.js';
import { type OrderDependencies, send } from './dependencies.js';
import { couponRefused, discountSmaller } from './discountTexts.js';
import { type Looked, lookAtPrices } from './lateAnswers.js';
import { emptied, type FormChoices, formAgain, type OrderInWords, pricedAnew } from './messages.js';
import { type Checkout, releaseBut } from './reserving.js';
import { textsIn } from './texts.js';

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

/**
 * Wrong answers bring the form again with what was wrong, and so does a coupon that cannot be used, or a promised discount
 * that others used up meanwhile. Late answers bring the form with the prices of now. A second answer changes nothing and is
 * told so. The uses of promotions are reserved before the order is checked out; whatever else becomes of the answers, they
 * are given back.
 */
export const checkOut =
  (dependencies: OrderDependencies) =>
  async (task: Task<FormReply>, context: ProcessorContext): Promise<Outcome> => {
    const { workspaceId, conversationId, messageId, orderId } = task.payload;
    const state = await context.commands.query(order, orderId, (seen) => seen);
    // Another form's answer, or a token that was made up.
    if (!isPlaced(state) || state.conversationId !== conversationId) return DONE;
    const closed = closedBy(state, messageId);
    if (closed === 'this') return DONE;
    const locale = (await dependencies.storeOf(workspaceId))?.locale ?? 'en';
    const offered = await walletsOffered(context.commands, workspaceId, dependencies.takesPayments);
    const looked = await look(dependencies, task, checkoutOf(dependencies, task, context, state), closed);
    if (!('checkout' in looked)) {
      const content = changedContent(
        locale,
        { orderId, ...state },
        looked,
        await choicesOf(context, workspaceId, offered),
      );
      await send(dependencies, context, task, { conversationId }, content, { kind: 'order_help', orderId });
      return DONE;
    }
    const { checkout } = looked;
    const reply =
      closed === 'checkout'
        ? { text: textsIn(locale).alreadyCheckedOut(state.number) }
        : await take(task.payload, checkout, { locale, offered }, closed === 'status');
    if (reply === 'taken') return DONE;
    if (closed !== 'checkout') await releaseBut(undefined, checkout);
    const content =
      'text' in reply
        ? ({ type: 'text', text: reply.text } as const)
        : formAgain(
            locale,
            { orderId, number: state.number, totals: reply.totals ?? state.totals },
            await choicesOf(context, workspaceId, offered),
            reply.again,
          );
    await send(dependencies, context, task, { conversationId }, content, { kind: 'order_help', orderId });
    return DONE;
  };

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
  order: OrderInWords,
  looked: Exclude<Looked, { readonly checkout: Checkout }>,
  choices: FormChoices,
): OutboundContent {
  if ('closed' in looked) return { type: 'text', text: textsIn(locale).noLongerOpen(order.number) };
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

/** Checks the order out, if it can be. */
async function take(
  { workspaceId, messageId, fields }: FormReply,
  checkout: Checkout,
  { locale, offered }: { readonly locale: Locale; readonly offered: Offered | undefined },
  closed: boolean,
): Promise<Reply> {
  const { commands, orderId, state, by } = checkout;
  const texts = textsIn(locale);
  const noLongerOpen = { text: texts.noLongerOpen(state.number) };
  if (closed) return noLongerOpen;
  const settings = await commands.query(delivery, workspaceId, (seen) => seen.settings);
  const answers = readAnswers(fields, settings);
  // Goods that cost nothing and are collected need no wallet; what an order costs in the end is known later.
  const costs = state.totals.totalCents > 0 || answers.wrong !== undefined || answers.said.fulfilment === 'delivery';
  const choice = offered && costs ? readWallet(fields, offered, state.customerPhone) : undefined;
  const wrong = [
    ...(answers.wrong ?? []).map((one) => texts.wrong[one]),
    ...(choice?.wrong ?? []).map((one) => paymentTextsIn(locale).wrong[one]),
  ];
  if (answers.wrong !== undefined || choice?.wrong !== undefined) return { again: wrong };
  const agreed = await agree(checkout, workspaceId, answers.handover, couponIn(fields));
  if ('coupon' in agreed) return { again: couponRefused(locale, agreed.coupon) };
  if ('repriced' in agreed) {
    const { totals } = agreed.repriced;
    await commands.decide(by('reprice'), order, orderId, repriceOrder(agreed.repriced));
    return { again: [discountSmaller(locale, totals.totalCents)], totals };
  }
  const { priced, ...codes } = agreed;
  await releaseBut(priced, checkout);
  try {
    const command = { ...answers.said, ...priced, ...codes, messageId };
    const payment = choice && offered ? { ...choice, orderId, merchantId: offered.merchantId, messageId } : undefined;
    await commands.decide(by('check out'), order, orderId, checkOutOrder(command, payment));
    return 'taken';
  } catch (error) {
    // The store has cancelled it since the look above.
    if (!(error instanceof DomainError && error.code === 'order_status_not_allowed')) throw error;
    return noLongerOpen;
  }
}

/** Why the order takes no answers any more; `this`: the very message has been taken before. */
function closedBy(state: PlacedOrder, messageId: string): 'this' | 'checkout' | 'status' | undefined {
  if (state.checkedOut && state.checkedOutBy === messageId) return 'this';
  if (state.status === 'cancelled' || state.status === 'refunded') return 'status';
  if (state.checkedOut) return 'checkout';
  return state.status === 'new' ? undefined : 'status';
}
