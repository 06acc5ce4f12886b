import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { ownBody } from './endpointBodies.js';
import type { Owners } from './owners.js';
import { WebhookEndpointBody } from './schemas.js';

export const getWebhookEndpoint = (of: Owners) =>
  operation({
    id: of.id('getWebhookEndpoint'),
    route: `GET ${of.prefix}/webhook-endpoints/{endpointId}`,
    summary: 'Reads one webhook endpoint, with the state of its deliveries.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    params: { endpointId: Uuid },
    answers: { 200: WebhookEndpointBody },
    problems: ['not_found'],
    handle: async (request) => ({
      status: 200,
      body: await ownBody(request, of.owner(request), request.params.endpointId),
    }),
  });
