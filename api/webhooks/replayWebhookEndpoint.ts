import { requestReplaySince } from '../../domain/webhooks/endpointChanges.js';
import { webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import { operation } from '../operation.js';
import { Uuid } from '../schemas.js';
import type { Owners } from './owners.js';
import { WebhookReplayInputBody } from './schemas.js';

export const replayWebhookEndpoint = (of: Owners) =>
  operation({
    id: of.id('replayWebhookEndpoint'),
    route: `POST ${of.prefix}/webhook-endpoints/{endpointId}/replay`,
    summary:
      'Sends what an endpoint was not told since a time, such as while it was disabled, with the same ids, in order.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    addition: 'An addition to the specification: what came while an endpoint was disabled stands in no delivery log.',
    params: { endpointId: Uuid },
    body: WebhookReplayInputBody,
    answers: { 202: null },
    problems: ['not_found', 'webhook_endpoint_disabled'],
    idempotent: true,
    async handle(request) {
      const { params, body, commands, now } = request;
      const until = body.until === undefined ? undefined : Date.parse(body.until);
      const time = { since: Date.parse(body.since), until, now };
      await commands.decide(webhookEndpoint, params.endpointId, requestReplaySince(of.owner(request), time));
      return { status: 202 };
    },
  });
