import type { EventType } from '../../../../domain/webhooks/eventTypes.js';
import { order, product } from './commerce.js';
import { at, IDS } from './ids.js';
import { conversation, delivered, received } from './inbox.js';

const envelope = (type: EventType, createdAt: string, data: object): object => ({
  id: IDS.event,
  type,
  createdAt,
  workspaceId: IDS.workspace,
  partner: { storeExternalRef: 'shop-7' },
  data,
});

const { events: history } = order;
/** `undefined` removes the fields that checkout adds. */
const placed = {
  ...order,
  checkedOutAt: undefined,
  fulfilment: undefined,
  address: undefined,
  location: undefined,
  contactPhone: undefined,
  deliveryArea: undefined,
  couponCode: undefined,
  discountReason: undefined,
  status: 'new',
  nextStatuses: ['cancelled'],
  discountCents: 0,
  deliveryFeeCents: 0,
  totalCents: 7800,
  events: history.slice(0, 1),
  updatedAt: order.createdAt,
};
const paid = {
  ...order,
  status: 'paid',
  nextStatuses: ['preparing', 'cancelled'],
  events: history.slice(0, 2),
  updatedAt: at('08:32:10.900'),
};
const refunded = { ...order, status: 'refunded', nextStatuses: [], cancelReason: 'Out of indigo cloth' };
const call = {
  id: received.id,
  conversationId: received.conversationId,
  direction: 'inbound',
  type: 'call',
  text: '',
  status: 'received',
  reactions: [],
  deleted: false,
  call: { callId: IDS.delivery, missed: true, reason: 'no_answer' },
  createdAt: at('09:12:00.000'),
};

/** Samples of webhook bodies, by event type. */
export const eventSamples: Readonly<Record<EventType, unknown>> = {
  'message.received': envelope('message.received', at('08:29:11.364'), { message: received, conversation }),
  'message.updated': envelope('message.updated', at('08:30:00.201'), { message: delivered, conversation }),
  'call.missed': envelope('call.missed', at('09:12:20.000'), { message: call, conversation }),
  'order.created': envelope('order.created', at('08:30:02.518'), { order: placed }),
  'order.checked_out': envelope('order.checked_out', at('08:31:40.112'), {
    order: { ...paid, status: 'awaiting_payment', nextStatuses: ['cancelled'], updatedAt: at('08:31:40.112') },
  }),
  'order.paid': envelope('order.paid', at('08:32:10.900'), { order: paid }),
  'order.payment_failed': envelope('order.payment_failed', at('08:32:10.900'), {
    order: { ...paid, status: 'awaiting_payment', nextStatuses: ['cancelled'] },
  }),
  'order.status_changed': envelope('order.status_changed', at('08:45:19.007'), { order }),
  'order.refunded': envelope('order.refunded', at('10:02:00.000'), { order: refunded }),
  'product.sync_changed': envelope('product.sync_changed', at('08:01:12.480'), { product }),
  'conversation.merged': envelope('conversation.merged', at('11:00:00.000'), {
    mergedConversationId: IDS.test,
    conversation,
  }),
  'webhook.test': envelope('webhook.test', at('12:00:00.000'), { endpointId: IDS.endpoint }),
};
