/** Sends messages about an order to the customer: the summary with the checkout form, the confirmation, and notifications of its status. */
import { defined } from '../../domain/defined.js';
import { delivery } from '../../domain/delivery/delivery.js';
import { isPlaced, order, type PlacedOrder, recordNotNotified } from '../../domain/orders/order.js';
import type { LeftOutItem, OrderEvent, OrderStatus, PaymentFailureReason } from '../../domain/orders/orderEvents.js';
import { announcePayment, duePayment } from '../../domain/orders/paymentDecisions.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { messageIdOf, send } from '../channel/customerMessages.js';
import { currentConversation } from '../channel/mergedConversations.js';
import { payerQuestion } from '../payments/payerConfirmation.js';
import { confirmOnPhone, paymentFailed } from '../payments/paymentMessages.js';
import { offerPayment } from '../payments/paymentRetry.js';
import { money } from '../texts/localeFormats.js';
import { text } from '../texts/texts.js';
import { offerCheckoutForm } from './checkoutOffers.js';
import { ABANDONED, notification } from './customerNotices.js';
import { confirmation, summary } from './customerTexts.js';
import { ORDERS_AT_ONCE, type OrderDependencies } from './orderDependencies.js';
import { removeUnavailable } from './unavailableItems.js';

interface About extends Cause {
  readonly orderId: string;
}
interface Summary extends About {
  readonly leftOut: readonly LeftOutItem[];
}
interface Confirmation extends About {
  readonly deliveryArea?: string;
  readonly requestLocation: boolean;
  readonly unusedCouponCode?: string;
  readonly inCash?: boolean;
}
interface Notice extends About {
  readonly status: OrderStatus;
  /** True if the order was never checked out or paid: no reason to write first to a customer who has not written for a day. */
  readonly abandoned?: true;
}

interface UnconfirmedPayer extends About {
  readonly attempt: number;
}

interface FailedPayment extends About {
  readonly reason: PaymentFailureReason;
}

const DONE: Outcome = { done: true };
const NO_CHAT = 'The order was not placed in a chat.';

type Handling<Payload extends About> = (
  task: Task<Payload>,
  context: ProcessorContext,
  state: PlacedOrder,
) => Promise<void>;

/** Reads the order first. The stream exists, since one of its events led to the task. */
const about =
  <Payload extends About>(handle: Handling<Payload>) =>
  async (task: Task<Payload>, context: ProcessorContext): Promise<Outcome> => {
    const state = await context.commands.query(order, task.payload.orderId, (seen) => seen);
    if (isPlaced(state)) await handle(task, context, state);
    return DONE;
  };

/**
 * Queues messages on the conversation, from which the outbox sends them. The id of each is derived from the event that led to it, so that a
 * repeat queues nothing.
 */
class OrderMessages {
  readonly #dependencies: OrderDependencies;

  constructor(dependencies: OrderDependencies) {
    this.#dependencies = dependencies;
  }

  readonly summary: Handling<Summary> = async (task, context, { conversationId, ...state }) => {
    const dependencies = this.#dependencies;
    const { orderId, workspaceId, leftOut } = task.payload;
    // A cart that was cancelled meanwhile is not offered for checkout.
    if (conversationId === undefined || state.status !== 'new' || state.checkedOut) return;
    const offer = await offerCheckoutForm(dependencies, task, context);
    if (offer === undefined) return;
    const { order: now, form, settings, wallets } = offer;
    const locale = await this.#localeOf(workspaceId);
    const content = summary(locale, now, { form, choices: { ...settings, wallets } }, { leftOut });
    await send({ dependencies, context, task }, { conversationId }, content, { kind: 'order_summary', orderId });
  };

  readonly #sendConfirmation: Handling<Confirmation> = async (task, context, state) => {
    const dependencies = this.#dependencies;
    const { conversationId, number, totals, competition, payments } = state;
    const { orderId, workspaceId, deliveryArea, requestLocation, unusedCouponCode, inCash } = task.payload;
    if (conversationId === undefined) return;
    const { pickupAddress } = await context.commands.query(delivery, workspaceId, (seen) => seen.settings);
    const locale = await this.#localeOf(workspaceId);
    const [first] = payments;
    const payment = first
      ? first.confirmed && duePayment(state, first.attempt) && confirmOnPhone(locale, first)
      : inCash && text(locale, 'payments.payInCash', { total: money(locale, totals.totalCents) });
    const message = {
      number,
      totals,
      competition,
      pickupAddress,
      requestLocation,
      ...defined({ deliveryArea, unusedCouponCode }),
      ...(payment && { payment }),
    };
    const content = confirmation(locale, message);
    const kind = requestLocation ? 'order_location' : 'order_help';
    await send({ dependencies, context, task }, { conversationId }, content, { kind, orderId });
  };

  /** Sends the total before the provider requests the payment. */
  readonly confirmation: Handling<Confirmation> = async (task, context, state) => {
    await this.#sendConfirmation(task, context, state);
    const [first] = state.payments;
    if (first === undefined || first.announced) return;
    const by = context.contextFor(task, task.payload);
    await context.commands.decide(by, order, task.payload.orderId, announcePayment(first.attempt));
  };

  /** Requests confirmation before a payment request to a number other than the chat's. */
  readonly confirmPayer: Handling<UnconfirmedPayer> = async (task, context, state) => {
    const dependencies = this.#dependencies;
    const { conversationId } = state;
    const { orderId, workspaceId, attempt } = task.payload;
    const payment = duePayment(state, attempt);
    if (conversationId === undefined || payment === undefined || payment.confirmed) return;
    const content = payerQuestion(await this.#localeOf(workspaceId), payment);
    await send({ dependencies, context, task }, { conversationId }, content, { kind: 'order_help', orderId });
  };

  /** The phone may show a request for a payment that the store does not need any more. */
  readonly withdrawn: Handling<About> = async (task, context, { conversationId, number, payments }) => {
    const dependencies = this.#dependencies;
    if (conversationId === undefined || !payments.some(({ standing }) => standing === 'open')) return;
    const { orderId, workspaceId } = task.payload;
    const message = text(await this.#localeOf(workspaceId), 'payments.withdrawn', { number });
    await send(
      { dependencies, context, task },
      { conversationId },
      { type: 'text', text: message },
      { kind: 'order_help', orderId },
    );
  };

  readonly notice: Handling<Notice> = async (task, context, { conversationId, number }) => {
    const dependencies = this.#dependencies;
    const { orderId, workspaceId, status, abandoned } = task.payload;
    const settings = await context.commands.query(delivery, workspaceId, (seen) => seen.settings);
    if (!(settings.notifyStatuses as readonly OrderStatus[]).includes(status)) return;
    if (conversationId === undefined) return this.#notNotified(task, context, NO_CHAT);
    const locale = await this.#localeOf(workspaceId);
    const template = abandoned ? undefined : dependencies.statusTemplates[locale];
    const message = text(locale, `orders.status.${status}`, { number });
    const current = await currentConversation(context.commands, workspaceId, conversationId);
    const content = await notification(current, message, template, context);
    if ('untold' in content) return this.#notNotified(task, context, abandoned ? ABANDONED : content.untold);
    const asTemplate = content.type === 'template' ? ({ template: true } as const) : {};
    const asText = abandoned ? ({ textOnly: true } as const) : {};
    const purpose = { kind: 'order_status', orderId, status, ...asTemplate, ...asText } as const;
    await send({ dependencies, context, task }, { conversationId }, content, purpose);
  };

  readonly paymentFailed: Handling<FailedPayment> = async (task, context, state) => {
    const dependencies = this.#dependencies;
    const { orderId, workspaceId, reason } = task.payload;
    const { conversationId, number } = state;
    // The customer of an order that was cancelled or paid meanwhile gets another message.
    if (conversationId === undefined || state.status !== 'awaiting_payment') return;
    const locale = await this.#localeOf(workspaceId);
    const gone = await removeUnavailable(dependencies)(task, context, state, locale);
    const again = gone?.cancelled ? undefined : await offerPayment(dependencies, task, context);
    const storeOpen = await dependencies.takesOrders(workspaceId);
    const content = gone?.cancelled
      ? ({ type: 'text', text: gone.lines.join('\n') } as const)
      : paymentFailed(locale, { number, reason }, again, { storeOpen, more: gone?.lines ?? [] });
    await send({ dependencies, context, task }, { conversationId }, content, { kind: 'order_help', orderId });
  };

  /** Records that the customer was not notified. */
  async #notNotified(task: Task<Notice>, context: ProcessorContext, why: string): Promise<void> {
    const { orderId, status } = task.payload;
    const decision = recordNotNotified(status, messageIdOf(task), why);
    await context.commands.decide(context.contextFor(task, task.payload), order, orderId, decision);
  }

  async #localeOf(workspaceId: string) {
    return (await this.#dependencies.storeOf(workspaceId))?.locale ?? 'en';
  }
}

const tasksOf = (
  { id, streamId, meta }: { id: string; streamId: string; meta: Parameters<typeof causeOf>[0] },
  kind: string,
  more: object,
): NewTask[] => {
  const cause = causeOf(meta);
  return cause === undefined ? [] : [{ id, kind, lane: streamId, payload: { ...cause, orderId: streamId, ...more } }];
};

export function orderMessages(dependencies: OrderDependencies) {
  const messages = new OrderMessages(dependencies);
  const perform: Record<string, (task: Task<never>, context: ProcessorContext) => Promise<Outcome>> = {
    summary: about(messages.summary),
    confirmation: about(messages.confirmation),
    notice: about(messages.notice),
    paymentFailed: about(messages.paymentFailed),
    withdrawn: about(messages.withdrawn),
    confirmPayer: about(messages.confirmPayer),
  };
  return defineProcessor<OrderEvent>({
    name: 'orderMessages',
    categories: ['order'],
    concurrency: ORDERS_AT_ONCE,
    on: {
      OrderPlaced: (event) =>
        event.data.lines.length === 0 ? [] : tasksOf(event, 'summary', { leftOut: event.data.leftOut ?? [] }),
      OrderCheckedOut: (event) => {
        const { deliveryArea, requestLocation, unusedCouponCode, payment } = event.data;
        const inCash = payment === 'cash';
        return tasksOf(event, 'confirmation', { deliveryArea, requestLocation, unusedCouponCode, inCash });
      },
      OrderPaymentRequested: (event) =>
        event.data.awaitsConfirmation ? tasksOf(event, 'confirmPayer', { attempt: event.data.attempt }) : [],
      // The notification that the order waits for payment follows the confirmation, though its status changes before.
      OrderPaymentAnnounced: (event) => tasksOf(event, 'notice', { status: 'awaiting_payment' }),
      OrderPaymentFailed: (event) => tasksOf(event, 'paymentFailed', { reason: event.data.reason }),
      OrderStatusChanged(event) {
        const { from, to, cause } = event.data;
        // Waiting for a payment is reported with its announcement, and a lack of available goods in the answer to the form.
        if (to === 'awaiting_payment' || cause === 'nothing_left') return [];
        const withdrawn = from === 'awaiting_payment' && to === 'preparing';
        const more = withdrawn ? tasksOf({ ...event, id: `${event.id}.withdrawn` }, 'withdrawn', {}) : [];
        return [
          ...tasksOf(event, 'notice', {
            status: to,
            ...((cause === 'abandoned' || cause === 'unpaid') && { abandoned: true }),
          }),
          ...more,
        ];
      },
    },
    perform,
  });
}
