/**
 * Schemas of webhook bodies: an envelope for each event type. (Specification 2, 'Envelope' and 'Event types stated'.)
 */
import type { Static, TProperties } from 'typebox';
import { EVENT_TYPES, type EventType } from '../../../domain/webhooks/eventTypes.js';
import { DateTime, ExternalRef, Named, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { ProductBody } from '../catalog/schemas.js';
import { ConversationBody, MessageBody } from '../inbox/schemas.js';
import { StoreOrderBody } from '../orders/schemas.js';

const partner = Type.Optional(
  Type.Object(
    { storeExternalRef: ExternalRef },
    { description: "The partner's own id of the store; absent for stores without one." },
  ),
);

const envelope = <T extends EventType, D extends TProperties>(name: string, type: T, data: D) =>
  Named(
    name,
    Type.Object(
      {
        id: Type.String({ format: 'uuid', description: 'The same in every attempt and replay. Process each id once.' }),
        type: Type.Literal(type),
        createdAt: DateTime,
        workspaceId: Uuid,
        partner,
        data: Type.Object(data),
      },
      { description: EVENT_TYPES[type] },
    ),
  );

const ofOrder = { order: StoreOrderBody };
const ofMessage = { message: MessageBody, conversation: ConversationBody };

/** The test of a partner's endpoint happens in no store. */
const WebhookTestEvent = Named(
  'WebhookTestEvent',
  Type.Object(
    {
      id: Uuid,
      type: Type.Literal('webhook.test'),
      createdAt: DateTime,
      workspaceId: Type.Optional(Uuid),
      partner,
      data: Type.Object({ endpointId: Uuid }),
    },
    { description: EVENT_TYPES['webhook.test'] },
  ),
);

export const EVENT_SCHEMAS = {
  'message.received': envelope('MessageReceivedEvent', 'message.received', ofMessage),
  'message.updated': envelope('MessageUpdatedEvent', 'message.updated', ofMessage),
  'call.missed': envelope('CallMissedEvent', 'call.missed', ofMessage),
  'order.created': envelope('OrderCreatedEvent', 'order.created', ofOrder),
  'order.checked_out': envelope('OrderCheckedOutEvent', 'order.checked_out', ofOrder),
  'order.paid': envelope('OrderPaidEvent', 'order.paid', ofOrder),
  'order.payment_failed': envelope('OrderPaymentFailedEvent', 'order.payment_failed', ofOrder),
  'order.status_changed': envelope('OrderStatusChangedEvent', 'order.status_changed', ofOrder),
  'order.refunded': envelope('OrderRefundedEvent', 'order.refunded', ofOrder),
  'product.sync_changed': envelope('ProductSyncChangedEvent', 'product.sync_changed', { product: ProductBody }),
  'conversation.merged': envelope('ConversationMergedEvent', 'conversation.merged', {
    mergedConversationId: Uuid,
    conversation: Type.Optional(ConversationBody),
  }),
  'webhook.test': WebhookTestEvent,
} as const satisfies Readonly<Record<EventType, object>>;

/** Any event, discriminated by its `type`. */
export type WebhookEvent = Static<(typeof EVENT_SCHEMAS)[EventType]>;
