import { requestTest } from '../../../domain/webhooks/endpointChanges.js';
import { webhookEndpoint } from '../../../domain/webhooks/webhookEndpoint.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import type { Owners } from './owners.js';
import { WebhookTestOutputBody } from './schemas.js';

/** Specification 2, rule 4 of endpoints. */
export const sendWebhookTest = (of: Owners) =>
  operation({
    id: of.id('sendWebhookTest'),
    route: `POST ${of.prefix}/webhook-endpoints/{endpointId}/test`,
    summary: 'Sends a webhook.test event, also to a disabled endpoint, once; the delivery log shows the result.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    params: { endpointId: Uuid },
    answers: { 202: WebhookTestOutputBody },
    problems: ['not_found'],
    idempotent: true,
    async handle(request) {
      const eventId = request.newId('webhookTest');
      const { endpointId } = request.params;
      await request.commands.decide(webhookEndpoint, endpointId, requestTest(of.owner(request), eventId));
      return { status: 202, body: { eventId } };
    },
  });
