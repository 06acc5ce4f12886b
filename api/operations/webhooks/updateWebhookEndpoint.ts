import { checkUrl } from '../../../application/webhooks/endpoints.js';
import { updateWebhookEndpoint as update } from '../../../domain/webhooks/endpointChanges.js';
import { webhookEndpoint } from '../../../domain/webhooks/webhookEndpoint.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { ownBody, urlCheck, urlRule } from './endpointBodies.js';
import type { Owners } from './owners.js';
import { WebhookEndpointBody } from './schemas.js';

/** Specification 2, 'Partner update'. `events: null` is as if it were absent. */
export const updateWebhookEndpoint = (of: Owners) =>
  operation({
    id: of.id('updateWebhookEndpoint'),
    route: `PATCH ${of.prefix}/webhook-endpoints/{endpointId}`,
    summary: 'Changes the URL, the event types, the description or the status of an endpoint.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    params: { endpointId: Uuid },
    body: of.UpdateBody,
    rules: [urlRule],
    answers: { 200: WebhookEndpointBody },
    problems: ['not_found'],
    whenClosed: { body: { status: 'disabled' } },
    async handle(request) {
      const { body, params, commands, services } = request;
      const owner = of.owner(request);
      const { events, ...others } = body;
      if (others.url !== undefined) await checkUrl(urlCheck(services), others.url);
      const change = { ...others, ...(events ? { events } : {}) };
      await commands.decide(webhookEndpoint, params.endpointId, update(owner, change));
      return { status: 200, body: await ownBody(request, owner, params.endpointId) };
    },
  });
