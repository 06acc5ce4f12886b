import { createEndpoint } from '../../application/webhooks/endpoints.js';
import { refuse } from '../../domain/decider.js';
import { webhookEndpoints } from '../../projections/webhookEndpoints.js';
import { operation } from '../operation.js';
import { CreateWebhookEndpointInputBody, WebhookSecretOutputBody } from './schemas.js';

/** Specification 2, 'Workspace webhook endpoints': the answer carries the signing secret, once. */
export const createWebhookEndpoint = operation({
  id: 'createWebhookEndpoint',
  route: 'POST {W}/webhook-endpoints',
  summary: 'Registers an https URL for events of the store; answers its signing secret once. At most 20 in a store.',
  tag: 'Webhooks',
  scope: 'developers:manage',
  feature: 'workspace.core',
  body: CreateWebhookEndpointInputBody,
  answers: { 201: WebhookSecretOutputBody },
  problems: ['webhook_endpoint_limit_reached'],
  idempotent: true,
  async handle({ body, workspace, principal, commands, read, services, now, newId }) {
    const urls = services.webhookUrls ?? refuse('unavailable', 'URLs cannot be checked here.');
    const endpointId = newId('webhookEndpoint');
    const secret = await createEndpoint(
      { commands, secretBox: services.secretBox, urls },
      {
        endpointId,
        owner: { workspaceId: workspace.workspaceId },
        url: body.url,
        description: body.description ?? '',
        events: body.events,
        createdBy: principal.keyId,
        now,
      },
    );
    const endpoint = (await read.get(webhookEndpoints, endpointId))!.body;
    return { status: 201, body: { endpoint, secret }, replayBody: { endpoint } };
  },
});
