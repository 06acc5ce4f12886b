import { ownerId } from '../../../domain/webhooks/webhookEndpoint.js';
import { webhookEndpoints } from '../../../projections/webhookEndpoints.js';
import { operation } from '../../contract/operation.js';
import { endpointBodies } from './endpointBodies.js';
import type { Owners } from './owners.js';
import { WebhookEndpointsOutputBody } from './schemas.js';

/** More than an owner can have. */
const ALL = 200;

/** All of them, newest first; the specification has no pages here. */
export const listWebhookEndpoints = (of: Owners) =>
  operation({
    id: of.id('listWebhookEndpoints'),
    route: `GET ${of.prefix}/webhook-endpoints`,
    summary: `Lists the webhook endpoints that receive events of ${of.whose}, newest first.`,
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    answers: { 200: WebhookEndpointsOutputBody },
    async handle(request) {
      const { read, services, now } = request;
      const where = { ownerId: ownerId(of.owner(request)) };
      const rows = await read.find(webhookEndpoints, { where, sort: ['-createdAt'], limit: ALL });
      return { status: 200, body: { endpoints: await endpointBodies(services.work, rows, now) } };
    },
  });
