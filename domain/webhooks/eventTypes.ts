/** Event types that can be subscribed to, and the domain events that they come from. (DESIGN, 'Event types'.) */
import type { CatalogEvent, CatalogSyncEvent } from '../catalog/catalogEvents.js';
import type { ConversationEvent } from '../channel/conversationEvents.js';
import type { OrderEvent } from '../orders/orderEvents.js';
import { STORE_STATUSES } from '../orders/orderStatus.js';

export const EVENT_TYPES = {
  'message.received': 'A customer sent a message. `data`: message, conversation.',
  'message.updated':
    'A message changed: the status of one to a customer; the file of a received one was copied or cannot be had; a reaction; it was taken back. `data`: message, conversation.',
  'call.missed': 'A call of a customer was missed. `data`: message, conversation.',
  'order.created': 'A cart became an order with prices. `data`: order, as it was then.',
  'order.checked_out': 'The customer checked the order out. `data`: order, as it was then.',
  'order.paid': 'The payment of an order arrived. `data`: order, as it was then.',
  'order.payment_failed': 'A payment of an order failed. `data`: order, as it was then.',
  'order.status_changed': 'The store set the status of an order or cancelled it. `data`: order, as it was then.',
  'order.refunded': 'The payment of a cancelled order went back to the customer. `data`: order, as it was then.',
  'product.sync_changed':
    "The channel catalog's verdict on a product: `sync.status` became approved, rejected, failed or inactive, or its reason changed. `data`: product.",
  'conversation.merged':
    'Two conversations turned out to be of one customer; one was closed. `data`: mergedConversationId (the closed one), conversation (the one that goes on; absent until the customer has one with this number).',
  'webhook.test': 'A test that was asked for; sent whatever the endpoint subscribes to. `data`: endpointId.',
} as const satisfies Readonly<Record<string, string>>;

export type EventType = keyof typeof EVENT_TYPES;

type SubscribableEvent = CatalogEvent | CatalogSyncEvent | ConversationEvent | OrderEvent;

interface As<E> {
  readonly type: EventType;
  /** Condition for publishing such an event. Absent: always. */
  readonly when?: (event: E) => boolean;
}

type SubscribedEvents<E extends SubscribableEvent = SubscribableEvent> = {
  readonly [T in E['type']]?: readonly As<Extract<E, { type: T }>>[];
};

const setByStore: readonly string[] = STORE_STATUSES;

/** Categories of the streams whose events are published. */
export const SUBSCRIBED_CATEGORIES = ['catalog', 'catalogSync', 'conversation', 'order'] as const;

/**
 * Webhook event types by domain event. The first whose condition is met applies. A domain event leads to at most one webhook event, which
 * has its id. Events about products lead to at most one for each of their products.
 */
export const SUBSCRIBED_EVENTS = {
  OrderPlaced: [{ type: 'order.created' }],
  OrderCheckedOut: [{ type: 'order.checked_out' }],
  OrderPaid: [{ type: 'order.paid' }],
  OrderPaymentFailed: [{ type: 'order.payment_failed' }],
  // Statuses that checkout or payment set have types of their own. (Specification 2, 'Event types stated'.) A payment that the order did
  // not accept and that was refunded (OrderRefunded alone) was never published, so its refund is not published either.
  OrderStatusChanged: [
    { type: 'order.status_changed', when: ({ data }) => setByStore.includes(data.to) },
    { type: 'order.refunded', when: ({ data }) => data.to === 'refunded' },
  ],
  CatalogItemsRefused: [{ type: 'product.sync_changed' }],
  CatalogItemsReviewed: [{ type: 'product.sync_changed' }],
  ProductRevised: [{ type: 'product.sync_changed', when: ({ data }) => data.changes.active === false }],
  // Older events do not contain the conversation that continues.
  ConversationStatusChanged: [{ type: 'conversation.merged', when: ({ data }) => data.mergedInto !== undefined }],
  MessageReceived: [{ type: 'message.received' }],
  CallReceived: [{ type: 'call.missed', when: ({ data }) => data.missed }],
  MessageAccepted: [{ type: 'message.updated' }],
  // Acceptance by the channel is already reported as `sent`.
  MessageStatusChanged: [{ type: 'message.updated', when: ({ data }) => data.status !== 'sent' }],
  MessageFailed: [{ type: 'message.updated' }],
  MessageReactionChanged: [{ type: 'message.updated' }],
  MessageDeleted: [{ type: 'message.updated' }],
  MessageMediaStored: [{ type: 'message.updated' }],
  MessageMediaFailed: [{ type: 'message.updated' }],
} as const satisfies SubscribedEvents;

/** Returns the webhook event type of a domain event, or undefined if it is not published. */
export function eventTypeOf(event: { readonly type: string; readonly data: object }): EventType | undefined {
  if (!Object.hasOwn(SUBSCRIBED_EVENTS, event.type)) return undefined;
  const ways: readonly As<never>[] = SUBSCRIBED_EVENTS[event.type as keyof typeof SUBSCRIBED_EVENTS];
  return ways.find(({ when }) => when === undefined || when(event as never))?.type;
}

/** Types that this service sends. A test is sent on request, not because of an event. */
const sent: ReadonlySet<string> = new Set([
  'webhook.test',
  ...Object.values(SUBSCRIBED_EVENTS).flatMap((ways) => ways.map(({ type }) => type)),
]);

/** Returns true if this service sends events of the type. */
export const isEmitted = (type: EventType): boolean => sent.has(type);
