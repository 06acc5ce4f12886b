import { deleteEndpoint } from '../../../application/webhooks/endpoints.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import type { Owners } from './owners.js';

/** Ends its deliveries; its log is gone from the API at once, and from the disk within a minute. */
export const deleteWebhookEndpoint = (of: Owners) =>
  operation({
    id: of.id('deleteWebhookEndpoint'),
    route: `DELETE ${of.prefix}/webhook-endpoints/{endpointId}`,
    summary: 'Deletes a webhook endpoint and its delivery log. Pending events are not sent.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    params: { endpointId: Uuid },
    answers: { 204: null },
    problems: ['not_found'],
    whenClosed: true,
    async handle(request) {
      await deleteEndpoint(request.commands, of.owner(request), request.params.endpointId);
      return { status: 204 };
    },
  });
