/** Processes conversation events for orders: carts, checkout answers, locations, and outcomes of the order's messages. */
import { conversation } from '../../domain/channel/conversation.js';
import type { ConversationEvent, MessagePurpose } from '../../domain/channel/conversationEvents.js';
import { inboundMessageId } from '../../domain/channel/conversationIds.js';
import type { Conversation } from '../../domain/channel/conversationState.js';
import { readFormToken } from '../../domain/orders/offeredForms.js';
import {
  isPlaced,
  order,
  recordNotified,
  recordNotNotified,
  recordSummarySent,
  shareLocation,
  takesLocation,
} from '../../domain/orders/order.js';
import type { GeoPoint, OrderStatus } from '../../domain/orders/orderEvents.js';
import { cancelDeleted } from '../../domain/orders/unavailableItems.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { hasAnswered, send } from '../channel/customerMessages.js';
import { WINDOW_CLOSED } from '../channel/failureReasons.js';
import { withMerged } from '../channel/mergedConversations.js';
import { answerPayer, type PayerReply, payerAnswer } from '../payments/payerConfirmation.js';
import { type PaymentReply, payByForm } from '../payments/paymentRetry.js';
import { text } from '../texts/texts.js';
import { checkOut, type FormReply } from './checkOut.js';
import { templated } from './customerNotices.js';
import { ORDERS_AT_ONCE, type OrderDependencies } from './orderDependencies.js';
import { type Cart, orderIdOf, placeCart } from './placeOrder.js';
import { removeUnavailable } from './unavailableItems.js';

type Received = Extract<ConversationEvent, { type: 'MessageReceived' }>['data'];

interface Pin extends Cause, GeoPoint {
  readonly conversationId: string;
  /** The channel's id of the message that this one replies to. */
  readonly repliesTo?: string;
  /** ms since 1970. */
  readonly receivedAt?: number;
}

interface Deletion extends Cause {
  readonly conversationId: string;
  readonly messageId: string;
}

interface MessageOutcome extends Cause {
  readonly messageId: string;
  readonly purpose: MessagePurpose;
  /** Reason of the failure. Absent if the channel accepted the message. */
  readonly reason?: string;
  readonly errorCode?: string;
  readonly conversationId: string;
}

const DONE: Outcome = { done: true };

/** Returns the task of a customer's message. Undefined: none. */
function taskOf(
  conversationId: string,
  data: Received,
  cause: Cause,
  receivedAt: number,
): Pick<NewTask, 'kind' | 'payload'> | undefined {
  const { content, channelMessageId, messageId, customer, repliesTo } = data;
  switch (content.type) {
    case 'order': {
      const { items, remark, text: customerNote } = content;
      const { phone, name } = customer;
      const payload = { ...cause, conversationId, channelMessageId, items, remark, customerNote, phone, name };
      return { kind: 'cart', payload };
    }
    case 'flow_reply': {
      const { flow_token: token, ...fields } = content.fields;
      const form = typeof token === 'string' ? readFormToken(token) : undefined;
      if (form === undefined) return undefined;
      const kind = form.attempt === undefined ? 'checkout' : 'pay';
      return { kind, payload: { ...cause, conversationId, messageId, fields, receivedAt, token, ...form } };
    }
    case 'choice': {
      const answer = payerAnswer(content.id);
      return answer && { kind: 'payer', payload: { ...cause, conversationId, messageId, ...answer } };
    }
    case 'location': {
      const { latitude, longitude } = content;
      return { kind: 'location', payload: { ...cause, conversationId, latitude, longitude, repliesTo, receivedAt } };
    }
    default:
      return undefined;
  }
}

interface LocationRequest {
  readonly orderId: string;
  readonly channelMessageId: string | undefined;
}

/** Returns requests for an order's location, the latest first. */
const locationRequests = (state: Conversation): LocationRequest[] =>
  [...state.outbound.values()].reverse().flatMap(({ purpose, channelMessageId }) => {
    if (purpose?.kind !== 'order_location' || purpose.orderId === undefined) return [];
    return [{ orderId: purpose.orderId, channelMessageId }];
  });

/** Returns orders whose location was requested, the latest first. Only the one that the pin replies to, if it does. */
async function awaitingLocation(commands: ProcessorContext['commands'], { payload }: Task<Pin>): Promise<string[]> {
  const { workspaceId, conversationId, repliesTo } = payload;
  const all: LocationRequest[] = [];
  for (const id of await withMerged(commands, workspaceId, conversationId))
    all.push(...(await commands.query(conversation, id, locationRequests)));
  const answered = all.filter(({ channelMessageId }) => repliesTo !== undefined && channelMessageId === repliesTo);
  return (answered.length > 0 ? answered : all).map(({ orderId }) => orderId);
}

/**
 * Assigns a pin to the request that it replies to, otherwise to the latest order whose location was requested and that has not left the
 * store. A customer who sent a wrong location can thus correct it. A store that takes no orders accepts no locations either.
 */
const takePin =
  (dependencies: OrderDependencies) =>
  async (task: Task<Pin>, context: ProcessorContext): Promise<Outcome> => {
    const { commands } = context;
    const { workspaceId, latitude, longitude, receivedAt = task.createdAt } = task.payload;
    if (await hasAnswered(context, task)) return DONE;
    const by = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } as const };
    for (const orderId of await awaitingLocation(commands, task)) {
      if (!(await commands.query(order, orderId, takesLocation(receivedAt)))) continue;
      if (await dependencies.takesOrders(workspaceId))
        await commands.decide(by, order, orderId, shareLocation({ latitude, longitude }, receivedAt));
      else await notifyClosed(dependencies, task, context, orderId);
      break;
    }
    return DONE;
  };

/** Cancels the order of a cart that its customer deleted in the chat, until it is checked out and paid for. */
async function cancelCart(task: Task<Deletion>, context: ProcessorContext): Promise<Outcome> {
  const { workspaceId, conversationId, messageId } = task.payload;
  const { commands } = context;
  const by = { ...context.contextFor(task, task.payload), actor: { type: 'customer' } as const };
  for (const id of await withMerged(commands, workspaceId, conversationId)) {
    // The channel's ids of the cart and of its deletion, which has no order. A cart from before a merge has another id here.
    const channelIds = await commands.query(conversation, id, ({ inbound }) =>
      [...inbound].flatMap(([channelId, known]) =>
        known === messageId || inboundMessageId(conversationId, channelId) === messageId ? channelId : [],
      ),
    );
    for (const channelId of channelIds) await commands.decide(by, order, orderIdOf(id, channelId), cancelDeleted);
  }
  return DONE;
}

async function notifyClosed(
  dependencies: OrderDependencies,
  task: Task<Pin>,
  context: ProcessorContext,
  orderId: string,
): Promise<void> {
  const { workspaceId, conversationId } = task.payload;
  const locale = (await dependencies.storeOf(workspaceId))?.locale ?? 'en';
  const content = { type: 'text', text: text(locale, 'orders.closed') } as const;
  await send({ dependencies, context, task }, { conversationId }, content, { kind: 'order_help', orderId });
}

/** Records in the order's history which messages the customer got. A text that missed the customer's window is sent again as a template. */
const recordOutcome =
  (dependencies: OrderDependencies) =>
  async (task: Task<MessageOutcome>, context: ProcessorContext): Promise<Outcome> => {
    const { purpose, messageId, reason } = task.payload;
    if (purpose.kind !== 'order_summary' && purpose.kind !== 'order_status') return DONE;
    const status = purpose.kind === 'order_status' ? (purpose.status as OrderStatus) : undefined;
    const reported = status === undefined ? recordSummarySent(messageId) : recordNotified(status, messageId);
    const decision = reason === undefined ? reported : recordNotNotified(status, messageId, reason);
    await context.commands.decide(context.contextFor(task, task.payload), order, purpose.orderId, decision);
    if (purpose.kind === 'order_status' && !purpose.template && !purpose.textOnly)
      await notifyByTemplate(dependencies, task, context, { ...purpose, template: true });
    return DONE;
  };

async function notifyByTemplate(
  dependencies: OrderDependencies,
  task: Task<MessageOutcome>,
  context: ProcessorContext,
  purpose: Extract<MessagePurpose, { kind: 'order_status' }>,
): Promise<void> {
  const { workspaceId, conversationId, errorCode } = task.payload;
  if (errorCode !== WINDOW_CLOSED) return;
  const locale = (await dependencies.storeOf(workspaceId))?.locale ?? 'en';
  const template = dependencies.statusTemplates[locale];
  if (template === undefined) return;
  const number = await context.commands.query(order, purpose.orderId, (state) => (isPlaced(state) ? state.number : 0));
  const message = text(locale, `orders.status.${purpose.status as OrderStatus}`, { number });
  await send({ dependencies, context, task }, { conversationId }, templated(template, message), purpose);
}

/**
 * Repeated tasks find the results of the first performance: by the channel's message id (carts), the order's own state (checkouts, pins)
 * and the message ids in its history. Tasks of one conversation are performed in order.
 */
export function orderIntake(dependencies: OrderDependencies) {
  const fate = (
    event: { id: string; streamId: string; meta: Parameters<typeof causeOf>[0] },
    data: { messageId: string; purpose?: MessagePurpose },
    failure: { reason?: string; errorCode?: string } = {},
  ): NewTask[] => {
    const cause = causeOf(event.meta);
    const { messageId, purpose } = data;
    if (cause === undefined || (purpose?.kind !== 'order_summary' && purpose?.kind !== 'order_status')) return [];
    const payload: MessageOutcome = { ...cause, messageId, purpose, conversationId: event.streamId, ...failure };
    return [{ id: event.id, kind: 'fate', lane: event.streamId, payload }];
  };
  const perform: Record<string, (task: Task<never>, context: ProcessorContext) => Promise<Outcome>> = {
    cart: placeCart(dependencies) as (task: Task<Cart>, context: ProcessorContext) => Promise<Outcome>,
    checkout: checkOut(dependencies) as (task: Task<FormReply>, context: ProcessorContext) => Promise<Outcome>,
    pay: payByForm(dependencies, removeUnavailable(dependencies)) as (
      task: Task<PaymentReply>,
      context: ProcessorContext,
    ) => Promise<Outcome>,
    payer: answerPayer(dependencies) as (task: Task<PayerReply>, context: ProcessorContext) => Promise<Outcome>,
    location: takePin(dependencies),
    deleted: cancelCart,
    fate: recordOutcome(dependencies),
  };
  return defineProcessor<ConversationEvent>({
    name: 'orderIntake',
    categories: ['conversation'],
    on: {
      MessageReceived({ id, streamId, data, meta }) {
        const cause = causeOf(meta);
        const task = cause === undefined ? undefined : taskOf(streamId, data, cause, Date.parse(meta.at));
        return task === undefined ? [] : [{ ...task, id, lane: streamId }];
      },
      MessageDeleted({ id, streamId, data, meta }) {
        const cause = causeOf(meta);
        if (cause === undefined) return [];
        const payload: Deletion = { ...cause, conversationId: streamId, messageId: data.messageId };
        return [{ id, kind: 'deleted', lane: streamId, payload }];
      },
      MessageAccepted: (event) => fate(event, event.data),
      MessageFailed(event) {
        const { reason, errorCode } = event.data;
        return fate(event, event.data, { reason, errorCode });
      },
    },
    perform,
    concurrency: ORDERS_AT_ONCE,
  });
}
