import { secretContext } from '../../../application/webhooks/endpoints.js';
import { categoryOf, type RecordedEvent } from '../../../engine/ports/eventStore.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import type { Exchange } from '../workload/clients.js';
import { KEY } from '../world/people.js';
import type { Invariant } from './invariant.js';

const box = createSecretBox(KEY);

const isRotation =
  (endpointId: string, secret: string) =>
  ({ stream, type, data }: RecordedEvent): boolean =>
    type === 'WebhookSecretRotated' &&
    stream === `webhookEndpoint-${endpointId}` &&
    box.open((data as { secretSealed: string }).secretSealed, secretContext(endpointId)) === secret;

/** Returns a matcher for the event that an answer implies; undefined if the operation may have changed nothing. */
function reportedOf({ request, body }: Exchange): ((event: RecordedEvent) => boolean) | undefined {
  const { operation, params = {} } = request;
  const order = `order-${params.orderId}`;
  const movedTo = (status: string) => (event: RecordedEvent) =>
    event.stream === order && event.type === 'OrderStatusChanged' && (event.data as { to: string }).to === status;
  switch (operation) {
    case 'upsertProduct': {
      const type = { created: 'ProductAdded', updated: 'ProductRevised' }[body.result as string];
      return type === undefined
        ? undefined
        : (event) => event.type === type && (event.data as { externalId: string }).externalId === params.externalId;
    }
    case 'setOrderStatus':
      return movedTo((request.body as { status: string }).status);
    case 'cancelOrder':
      return movedTo('cancelled');
    case 'sendMessage':
      return ({ type, data }) => type === 'MessageQueued' && (data as { messageId: string }).messageId === body.id;
    case 'rotateWebhookEndpointSecret':
      // The answer to a repeated request does not contain the secret.
      return body.secret === undefined ? undefined : isRotation(params.endpointId!, body.secret);
    case 'createPromotion':
      return ({ stream, type }) => type === 'PromotionCreated' && stream === `promotion-${body.id}`;
    case 'deletePromotion':
      return ({ stream, type }) => type === 'PromotionDeleted' && stream === `promotion-${params.promotionId}`;
    default:
      return undefined;
  }
}

/**
 * Acknowledged changes are in the log exactly once, with the request's correlation. No event id occurs twice, unless the
 * first event was erased (docs/internals/simulation.md, 'Erasures').
 */
export const acknowledged: Invariant = ({ data, answered, erased }) => {
  const wrong: string[] = [];
  const ids = new Set<string>();
  for (const { id, stream, type } of data.log.events) {
    // A batch may be sent to the provider twice, and each time is recorded.
    if (categoryOf(stream) === 'catalogSync') continue;
    if (ids.has(id) && !erased.has(id)) wrong.push(`${type} ${id} is twice in ${stream}`);
    ids.add(id);
  }
  for (const exchange of answered) {
    const { status, requestIds, request } = exchange;
    const mentions = status < 300 ? reportedOf(exchange) : undefined;
    if (mentions === undefined) continue;
    const sent = new Set(requestIds);
    const found = data.log.events.filter(mentions).filter(({ meta }) => sent.has(meta.correlationId));
    const isOnce = found.length === 1;
    if (!isOnce) wrong.push(`${request.operation} was answered ${status}, and is in the log ${found.length} times`);
  }
  return wrong;
};
