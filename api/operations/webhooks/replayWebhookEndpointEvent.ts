import { DELIVERIES, type DeliveryBody, EITHER } from '../../../application/webhooks/deliveryLog.js';
import { refuse } from '../../../domain/decider.js';
import { requestReplay } from '../../../domain/webhooks/endpointChanges.js';
import { webhookEndpoint } from '../../../domain/webhooks/webhookEndpoint.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { ownEndpoint } from './endpointBodies.js';
import type { Owners } from './owners.js';

/**
 * Replays one event. Attempts and replayable events are retained for 30 days. (Specification 2, rule 2 of endpoints.)
 */
export const replayWebhookEndpointEvent = (of: Owners) =>
  operation({
    id: of.id('replayWebhookEndpointEvent'),
    route: `POST ${of.prefix}/webhook-endpoints/{endpointId}/events/{eventId}/replay`,
    summary: 'Sends an event of the delivery log again, with the same id, on the usual schedule.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    params: { endpointId: Uuid, eventId: Uuid },
    answers: { 202: null },
    problems: ['not_found', 'webhook_endpoint_disabled'],
    idempotent: true,
    async handle(request) {
      const { params, commands, read, services, now } = request;
      const { endpointId, eventId } = params;
      const owner = of.owner(request);
      await ownEndpoint(read, owner, endpointId);
      const where = { endpointId, eventId, status: EITHER, attemptedAt: { lte: now } };
      const [attempt] = await services.work.find<DeliveryBody>(DELIVERIES, { where, sort: ['-attemptedAt'], limit: 1 });
      if (attempt === undefined) refuse('not_found', "This event is not in the endpoint's delivery log.");
      await commands.decide(webhookEndpoint, endpointId, requestReplay(owner, eventId, attempt.body.eventType));
      return { status: 202 };
    },
  });
