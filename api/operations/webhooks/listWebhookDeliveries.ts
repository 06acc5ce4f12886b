import { DELIVERIES, EITHER, LOG_KEPT_MS } from '../../../application/webhooks/deliveryLog.js';
import { defined } from '../../../domain/defined.js';
import type { Condition } from '../../../engine/ports/documents.js';
import { listJson, operation } from '../../contract/operation.js';
import { OneOf, PageQuery, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
import { ownEndpoint } from './endpointBodies.js';
import type { Owners } from './owners.js';
import { WebhookDeliveriesOutputBody } from './schemas.js';

const SORT = ['-attemptedAt'];
const PAGE = 50;

/** Every attempt of the last 30 days, latest first. (Specification 2, 'Delivery attempt'.) */
export const listWebhookDeliveries = (of: Owners) =>
  operation({
    id: of.id('listWebhookDeliveries'),
    route: `GET ${of.prefix}/webhook-endpoints/{endpointId}/deliveries`,
    summary: 'Every delivery attempt of the last 30 days to an endpoint, latest first.',
    tag: of.tag,
    scope: of.scope,
    feature: 'workspace.core',
    params: { endpointId: Uuid },
    query: {
      eventId: Type.Optional(Uuid),
      status: Type.Optional(OneOf('succeeded', 'failed')),
      ...PageQuery,
    },
    answers: { 200: WebhookDeliveriesOutputBody },
    problems: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const { params, query, read, services, now } = request;
      const { eventId, status = EITHER, limit = PAGE } = query;
      await ownEndpoint(read, of.owner(request), params.endpointId);
      const where: Record<string, Condition> = {
        endpointId: params.endpointId,
        attemptedAt: { gte: now - LOG_KEPT_MS },
        ...defined({ eventId, status }),
      };
      const { after, next: nextAt } = read.cursor(SORT);
      const found = await services.work.find(DELIVERIES, {
        where,
        sort: SORT,
        ...defined({ after }),
        limit: limit + 1,
      });
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      const next = last && { next: nextAt([last.keys.attemptedAt!, last.id]) };
      return { status: 200, body: listJson('deliveries', { rows, ...next }) };
    },
  });
