import { EVENT_TYPES, type EventType, isEmitted } from '../../../domain/webhooks/eventTypes.js';
import { operation } from '../../contract/operation.js';
import type { Owners } from './owners.js';
import { WebhookEventTypesOutputBody } from './schemas.js';

const eventTypes = Object.entries(EVENT_TYPES).map(([type, description]) => ({
  type,
  description,
  emitted: isEmitted(type as EventType),
}));

export const listWebhookEventTypes = (of: Owners) =>
  operation({
    id: of.id('listWebhookEventTypes'),
    route: `GET ${of.prefix}/webhook-event-types`,
    summary: 'The event types that an endpoint can subscribe to, and which of them are already sent.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    answers: { 200: WebhookEventTypesOutputBody },
    handle: async () => ({ status: 200, body: { eventTypes } }),
  });
