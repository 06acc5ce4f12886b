import { rotateEndpointSecret } from '../../../application/webhooks/endpoints.js';
import { operation } from '../../contract/operation.js';
import { Int64, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { ownBody } from './endpointBodies.js';
import type { Owners } from './owners.js';
import { WebhookSecretOutputBody } from './schemas.js';

const DEFAULT_HOURS = 24;
const MOST_HOURS = 168;

/** Specification 2, rule 3 of endpoints; bounds and default of `keepPreviousHours` are DESIGN's. */
export const rotateWebhookEndpointSecret = (of: Owners) =>
  operation({
    id: of.id('rotateWebhookEndpointSecret'),
    route: `POST ${of.prefix}/webhook-endpoints/{endpointId}/rotate-secret`,
    summary:
      'Replaces the signing secret and returns the new one once. The old one signs too for keepPreviousHours; 0 ends all old ones.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    params: { endpointId: Uuid },
    query: {
      keepPreviousHours: Type.Optional(
        Int64({ minimum: 0, maximum: MOST_HOURS, description: `${DEFAULT_HOURS} when absent.` }),
      ),
    },
    answers: { 200: WebhookSecretOutputBody },
    problems: ['not_found'],
    whenClosed: true,
    idempotent: true,
    async handle(request) {
      const { params, query, commands, services, now, newId } = request;
      const owner = of.owner(request);
      const secret = await rotateEndpointSecret(
        { commands, secretBox: services.secretBox },
        {
          owner,
          endpointId: params.endpointId,
          rotationId: newId('secretRotation'),
          keepPreviousHours: query.keepPreviousHours ?? DEFAULT_HOURS,
          now,
        },
      );
      const endpoint = await ownBody(request, owner, params.endpointId);
      return { status: 200, body: { endpoint, secret }, replayBody: { endpoint } };
    },
  });
