import { EVENT_TYPES, type EventType, isEmitted } from '../../domain/webhooks/eventTypes.js';
import { operation } from '../operation.js';
import { WebhookEventTypesOutputBody } from './schemas.js';

const eventTypes = Object.entries(EVENT_TYPES).map(([type, description]) => ({
  type,
  description,
  emitted: isEmitted(type as EventType),
}));

export const listWebhookEventTypes = operation({
  id: 'listWebhookEventTypes',
  route: 'GET {W}/webhook-event-types',
  summary: 'The event types that an endpoint can subscribe to, and which of them are sent already.',
  tag: 'Webhooks',
  scope: 'developers:manage',
  feature: 'workspace.core',
  answers: { 200: WebhookEventTypesOutputBody },
  handle: async () => ({ status: 200, body: { eventTypes } }),
});
