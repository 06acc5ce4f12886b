import { webhookEndpoints } from '../../projections/webhookEndpoints.js';
import { operation } from '../operation.js';
import { endpointBodies } from './endpointBodies.js';
import { WebhookEndpointsOutputBody } from './schemas.js';

/** More than a store can have. */
const ALL = 200;

/** All of the store's endpoints, newest first; the specification has no pages here. */
export const listWebhookEndpoints = operation({
  id: 'listWebhookEndpoints',
  route: 'GET {W}/webhook-endpoints',
  summary: "Lists the store's webhook endpoints, newest first.",
  tag: 'Webhooks',
  scope: 'developers:manage',
  feature: 'workspace.core',
  answers: { 200: WebhookEndpointsOutputBody },
  async handle({ workspace, read, services }) {
    const where = { ownerId: workspace.workspaceId };
    const rows = await read.find(webhookEndpoints, { where, sort: ['-createdAt'], limit: ALL });
    return { status: 200, body: { endpoints: await endpointBodies(services.work, rows) } };
  },
});
