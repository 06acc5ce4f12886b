/** Deliveries of a webhook endpoint. Changes go through the API's operations (`apiOperations.ts`). */
import type { Viewer } from '../../application/console/access.js';
import { type SentWebhookParts, sentWebhook } from '../../application/console/sentWebhook.js';
import { orderHistories } from '../../application/orders/orderHistory.js';
import { eventData } from '../../application/webhooks/eventData.js';
import { defined } from '../../domain/defined.js';
import { foldOrder } from '../../projections/orders.js';
import { webhookEndpoints } from '../../projections/webhookEndpoints.js';
import type { Services, ViewProgress } from '../contract/services.js';
import { type ConsoleOperation, consoleRead, notFound, onlyStoreOf } from './request.js';

/** Longest wait for the views that a body is rendered from, in ms. */
const VIEWS_WITHIN = 2000;

const rendering = ({ eventStore, work, directory, reads, clock }: Services, progress: ViewProgress) => {
  const histories = orderHistories(eventStore, foldOrder);
  const { renderData } = eventData({
    ...{ reads, histories, clock },
    passed: (categories, position) => progress.waitFor(categories, position, VIEWS_WITHIN),
    // The delivery took place; this page shows how.
    readable: () => undefined,
  });
  return { work, log: eventStore, directory, renderData } satisfies SentWebhookParts;
};

export function webhookOperations(services: Services, progress: ViewProgress): readonly ConsoleOperation[] {
  const { reads } = services;
  /** The store that an endpoint belongs to, absent where it is a partner's; one that may not be seen is as unknown as none. */
  async function storeOf(endpointId: string, viewer: Viewer): Promise<string | undefined> {
    const found = (await reads.get(webhookEndpoints, endpointId)) ?? notFound('webhook endpoint');
    const ownerId = String(found.keys.ownerId);
    const only = onlyStoreOf(viewer);
    if (only !== undefined) return ownerId === only ? ownerId : notFound('webhook endpoint');
    return (await services.directory.workspace(ownerId)) === undefined ? undefined : ownerId;
  }
  return [
    consoleRead({
      id: 'console.getDelivery',
      path: '/webhooks/{endpointId}/events/{eventId}',
      async answer({ params, viewer }) {
        const endpointId = params.endpointId!;
        const eventId = params.eventId!;
        const workspaceId = await storeOf(endpointId, viewer);
        const of = { endpointId, eventId, workspaceId };
        const { attempts, body } = (await sentWebhook(rendering(services, progress), of)) ?? notFound('delivery');
        return { endpointId, eventId, eventType: attempts[0]!.eventType, attempts, ...defined({ body }) };
      },
    }),
  ];
}
