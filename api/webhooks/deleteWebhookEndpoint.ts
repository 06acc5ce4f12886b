import { deleteEndpoint } from '../../application/webhooks/endpoints.js';
import { operation } from '../operation.js';
import { Uuid } from '../schemas.js';

/** Ends its deliveries; its log is gone from the API at once, and from the disk within a minute. */
export const deleteWebhookEndpoint = operation({
  id: 'deleteWebhookEndpoint',
  route: 'DELETE {W}/webhook-endpoints/{endpointId}',
  summary: 'Deletes a webhook endpoint and its delivery log; what it was still owed is not sent.',
  tag: 'Webhooks',
  scope: 'developers:manage',
  feature: 'workspace.core',
  params: { endpointId: Uuid },
  answers: { 204: null },
  problems: ['not_found'],
  async handle({ params, workspace, commands }) {
    await deleteEndpoint(commands, { workspaceId: workspace.workspaceId }, params.endpointId);
    return { status: 204 };
  },
});
