import { createEndpoint } from '../../../application/webhooks/endpoints.js';
import { operation } from '../../contract/operation.js';
import { ownBody, urlCheck, urlRule } from './endpointBodies.js';
import type { Owners } from './owners.js';
import { WebhookSecretOutputBody } from './schemas.js';

/** Specification 2, 'Workspace webhook endpoints': the answer carries the signing secret, once. */
export const createWebhookEndpoint = (of: Owners) =>
  operation({
    id: of.id('createWebhookEndpoint'),
    route: `POST ${of.prefix}/webhook-endpoints`,
    summary: `Registers an https URL for events of ${of.ownerText}; returns its signing secret once. At most 20.`,
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    body: of.CreateBody,
    rules: [urlRule],
    answers: { 201: WebhookSecretOutputBody },
    problems: ['webhook_endpoint_limit_reached'],
    idempotent: true,
    async handle(request) {
      const { body, principal, commands, services, now, newId } = request;
      const owner = of.owner(request);
      const endpointId = newId('webhookEndpoint');
      const secret = await createEndpoint(
        { commands, secretBox: services.secretBox, urls: urlCheck(services) },
        {
          endpointId,
          owner,
          url: body.url,
          description: body.description ?? '',
          events: body.events,
          createdBy: principal.session?.userId ?? principal.keyId,
          now,
        },
      );
      const endpoint = await ownBody(request, owner, endpointId);
      return { status: 201, body: { endpoint, secret }, replayBody: { endpoint } };
    },
  });
