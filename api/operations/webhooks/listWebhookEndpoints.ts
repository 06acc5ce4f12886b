import { operation } from '../../contract/operation.js';
import { allBodies } from './endpointBodies.js';
import type { Owners } from './owners.js';
import { WebhookEndpointsOutputBody } from './schemas.js';

/** All of them, newest first; the specification has no pages here. */
export const listWebhookEndpoints = (of: Owners) =>
  operation({
    id: of.id('listWebhookEndpoints'),
    route: `GET ${of.prefix}/webhook-endpoints`,
    summary: `Lists the webhook endpoints that receive events of ${of.ownerText}, newest first.`,
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    answers: { 200: WebhookEndpointsOutputBody },
    async handle(request) {
      return { status: 200, body: { endpoints: await allBodies(request, of.owner(request)) } };
    },
  });
