/** The event types that can be subscribed to, and which domain events they come from. (DESIGN, 'Event types'.) */
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
  'product.sync_changed': "A product's status in the channel catalog changed. `data`: product.",
  'webhook.test': 'A test that was asked for; sent whatever the endpoint subscribes to. `data`: endpointId.',
} as const satisfies Readonly<Record<string, string>>;

export type EventType = keyof typeof EVENT_TYPES;

type Told<E extends ConversationEvent | OrderEvent = ConversationEvent | OrderEvent> = {
  readonly [T in E['type']]?: {
    readonly type: EventType;
    /** Which of these events are told; all when absent. */
    readonly when?: (event: Extract<E, { type: T }>) => boolean;
  };
};

const setByStore: readonly string[] = STORE_STATUSES;

/** What endpoints are told of. One domain event makes at most one webhook event, which has its id. */
export const TOLD = {
  OrderPlaced: { type: 'order.created' },
  OrderCheckedOut: { type: 'order.checked_out' },
  OrderPaid: { type: 'order.paid' },
  OrderPaymentFailed: { type: 'order.payment_failed' },
  // Statuses that checkout or payment set have types of their own. (Specification 2, 'Event types stated'.)
  OrderStatusChanged: { type: 'order.status_changed', when: ({ data }) => setByStore.includes(data.to) },
  MessageReceived: { type: 'message.received' },
  CallReceived: { type: 'call.missed', when: ({ data }) => data.missed },
  MessageAccepted: { type: 'message.updated' },
  // A message that the channel took shows `sent` already.
  MessageStatusChanged: { type: 'message.updated', when: ({ data }) => data.status !== 'sent' },
  MessageFailed: { type: 'message.updated' },
  MessageReactionChanged: { type: 'message.updated' },
  MessageDeleted: { type: 'message.updated' },
  MessageMediaStored: { type: 'message.updated' },
  MessageMediaFailed: { type: 'message.updated' },
} as const satisfies Told;

/** The webhook event type of a domain event; undefined: endpoints are not told of it. */
export function toldAs(event: { readonly type: string; readonly data: object }): EventType | undefined {
  if (!Object.hasOwn(TOLD, event.type)) return undefined;
  const told: { type: EventType; when?: (event: never) => boolean } = TOLD[event.type as keyof typeof TOLD];
  return told.when === undefined || told.when(event as never) ? told.type : undefined;
}

/** A test is sent because it was asked for, not because something happened. */
const sent: ReadonlySet<string> = new Set(['webhook.test', ...Object.values(TOLD).map(({ type }) => type)]);

/** Whether this service sends events of the type. */
export const isEmitted = (type: EventType): boolean => sent.has(type);
