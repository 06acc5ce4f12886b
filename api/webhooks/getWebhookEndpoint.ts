import { operation } from '../operation.js';
import { Uuid } from '../schemas.js';
import { endpointBodies, ownEndpoint } from './endpointBodies.js';
import { WebhookEndpointBody } from './schemas.js';

export const getWebhookEndpoint = operation({
  id: 'getWebhookEndpoint',
  route: 'GET {W}/webhook-endpoints/{endpointId}',
  summary: 'One webhook endpoint, with how its deliveries fare.',
  tag: 'Webhooks',
  scope: 'developers:manage',
  feature: 'workspace.core',
  params: { endpointId: Uuid },
  answers: { 200: WebhookEndpointBody },
  problems: ['not_found'],
  async handle({ params, workspace, read, services }) {
    const row = await ownEndpoint(read, workspace, params.endpointId);
    const [body] = await endpointBodies(services.work, [row]);
    return { status: 200, body: body! };
  },
});
