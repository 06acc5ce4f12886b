import { derivedId } from '../../domain/ids.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import type { OwedDelivery } from './deliver.js';
import type { Source, Trigger } from './deliveryLog.js';
import type { Envelope, OneProduct, WriteEnvelope } from './envelope.js';
import { isOfMessage } from './messageData.js';
import { isOfProducts, type ProductData, productsOf } from './productData.js';
import { laneOf } from './subscribers.js';

/** One event to one endpoint: the delivery's id, and the lane that it waits its turn in. */
export interface Addressee {
  readonly id: string;
  readonly lane: string;
  readonly endpointId: string;
}

/** An event that endpoints are to be told of. */
export interface Notification {
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  readonly source: Source;
  readonly to: readonly Addressee[];
}

/** Whom an event is told. */
export interface Audience {
  readonly tenant: string;
  readonly endpointIds: readonly string[];
  /** Of the request to send again what was missed; absent: the event has just happened. */
  readonly requestId?: string;
  /** Where the work is parted: those of one shard, each of which renders for itself. */
  readonly part?: string;
}

type Shards = ProcessorContext['shards'];

/** The endpoints that are told from here, by shards where the work is parted. */
export function audiencesOf(tenant: string, endpointIds: readonly string[], shards: Shards): readonly Audience[] {
  if (shards.count === 1) return endpointIds.length === 0 ? [] : [{ tenant, endpointIds }];
  const parts = new Map<number, string[]>();
  for (const id of endpointIds.filter(shards.isHere)) {
    const shard = shards.of(id);
    parts.set(shard, [...(parts.get(shard) ?? []), id]);
  }
  return [...parts].map(([shard, ids]) => ({ tenant, endpointIds: ids, part: String(shard) }));
}

/** The endpoint that a task is about; of those that were noted together before the work was parted, the first. */
export function endpointOf({ payload }: NewTask<never>): string {
  const { endpointId, endpointIds = [], to = [] } = payload as Partial<OwedDelivery & Audience & Notification>;
  return endpointId ?? endpointIds[0] ?? to[0]?.endpointId ?? '';
}

/** An event about several products, told one by one; `from`: the place of the next. */
export interface ProductsNotification extends Audience {
  readonly eventType: string;
  readonly stream: string;
  readonly revision: number;
  readonly from: number;
}

/** Products that are told in one performance: with 40 endpoints some 1,000 deliveries. */
const PRODUCTS_AT_ONCE = 25;

/** Of what an endpoint is told when it happens. */
export const deliveryId = (endpointId: string, eventId: string): string =>
  derivedId('webhookDelivery', endpointId, eventId);

function addressed({ tenant, endpointIds, requestId }: Audience, eventId: string, orderedBy: string): Addressee[] {
  const lane = laneOf(tenant, orderedBy);
  return endpointIds.map((endpointId) => ({
    id: requestId === undefined ? deliveryId(endpointId, eventId) : derivedId('webhookReplay', requestId, eventId),
    lane: lane(endpointId),
    endpointId,
  }));
}

const triggerOf = ({ requestId }: Audience): Trigger => (requestId === undefined ? 'event' : 'replay');

/** A delivery for each endpoint that is told. */
export const deliveries = ({ to, ...notification }: Notification, envelope: Envelope): NewTask<OwedDelivery>[] =>
  to.map(({ id, lane, endpointId }) => ({
    id,
    kind: 'deliver',
    lane,
    payload: { endpointId, ...notification, ...envelope },
  }));

/** Id of the task that renders an event, and then owes it. `part`: see `Audience`. */
export const notifyId = (cause: string, part: string | undefined): string =>
  part === undefined ? derivedId('webhookTell', cause) : derivedId('webhookTell', cause, part);
/** Kinds and lanes are stored, and keep the names that they had. */
const laneEnd = (part: string | undefined): string => (part === undefined ? 'tell' : `tell${part}`);

/**
 * Events whose objects stand in views are rendered in a task of their own, when the views have come to them: a view that is
 * late then holds up its conversation's events, and nobody else's. `tenant` is the lane's group, `cause` the id of the event
 * that asks for it.
 */
export const notifyLater = (
  cause: string,
  { tenant, part }: Pick<Audience, 'tenant' | 'part'>,
  stream: string,
  notification: Notification,
): NewTask<Notification> => ({
  id: notifyId(cause, part),
  kind: 'tell',
  lane: `${tenant}/${stream}.${laneEnd(part)}`,
  payload: notification,
});

/** All that is told of one store's products, one after another. */
const notifyOfProductsLater = (
  cause: string,
  workspaceId: string,
  payload: ProductsNotification,
): NewTask<ProductsNotification> => ({
  id: notifyId(cause, payload.part),
  kind: 'tellProducts',
  lane: `${payload.tenant}/products-${workspaceId}.${laneEnd(payload.part)}`,
  payload,
});

/** The envelope as it waits. */
type WaitingEnvelope = (event: RecordedEvent, type: string, one?: OneProduct) => Promise<Envelope | undefined>;

interface NotifyParts {
  readonly envelope: WaitingEnvelope;
  readonly eventAt: (stream: string, revision: number) => Promise<RecordedEvent | undefined>;
}

/** The tasks that an event leads to. `type`: the webhook event type. */
export const tasksOf =
  ({ envelope }: Pick<NotifyParts, 'envelope'>) =>
  async (event: RecordedEvent, eventType: string, to: Audience): Promise<NewTask[]> => {
    const { id: eventId, stream, revision, meta } = event;
    const { requestId } = to;
    const cause = requestId === undefined ? eventId : derivedId('webhookReplay', requestId, eventId);
    if (isOfProducts(event))
      return [notifyOfProductsLater(cause, meta.workspaceId!, { ...to, eventType, stream, revision, from: 0 })];
    const source = { type: eventType, stream, revision };
    const trigger = triggerOf(to);
    const notification: Notification = { eventId, eventType, trigger, source, to: addressed(to, eventId, stream) };
    if (isOfMessage(event)) return [notifyLater(cause, to, stream, notification)];
    const rendered = await envelope(event, eventType);
    return rendered === undefined ? [] : deliveries(notification, rendered);
  };

/** Renders the event and owes it to its endpoints. Throws, to be performed again, while the views are late. */
export const notify =
  ({ envelope, eventAt }: NotifyParts) =>
  async ({ payload }: Task<Notification>): Promise<Outcome> => {
    const { source, eventType, eventId } = payload;
    if ('at' in source) return { done: true };
    const event = await eventAt(source.stream, source.revision);
    const one = source.product === undefined ? undefined : { eventId, product: source.product };
    const rendered = event && (await envelope(event, eventType, one));
    return rendered === undefined ? { done: true } : { done: true, next: deliveries(payload, rendered) };
  };

interface NotifyOfProductsParts extends Pick<NotifyParts, 'eventAt'> {
  readonly write: WriteEnvelope;
  readonly products: Pick<ProductData, 'changed'>;
  /** Whether an endpoint neither got an event nor has it coming. */
  readonly isMissed: (endpointId: string, eventId: string, context: ProcessorContext) => Promise<boolean>;
}

/** The id of what an event tells about one product. */
const productEventId = (eventId: string, externalId: string): string => derivedId('webhookEvent', eventId, externalId);

/** Owes a part of the products to the endpoints, then the next. Throws, to be performed again, while the views are late. */
export const notifyOfProducts =
  ({ write, eventAt, products, isMissed }: NotifyOfProductsParts) =>
  async ({ payload }: Task<ProductsNotification>, context: ProcessorContext): Promise<Outcome> => {
    const { eventType, stream, revision, from, endpointIds, requestId } = payload;
    const event = await eventAt(stream, revision);
    if (event === undefined) return { done: true };
    const all = productsOf(event);
    const { workspaceId, at: createdAt } = event.meta;
    const next: NewTask[] = [];
    for (const [externalId, data] of await products.changed(event, all.slice(from, from + PRODUCTS_AT_ONCE))) {
      const eventId = productEventId(event.id, externalId);
      // A replay is to one endpoint.
      if (requestId !== undefined && !(await isMissed(endpointIds[0]!, eventId, context))) continue;
      const source = { type: eventType, stream, revision, product: externalId };
      const to = addressed(payload, eventId, `product-${workspaceId}/${externalId}`);
      const rendered = await write({ id: eventId, type: eventType, createdAt, workspaceId, data });
      next.push(...deliveries({ eventId, eventType, trigger: triggerOf(payload), source, to }, rendered));
    }
    const rest = from + PRODUCTS_AT_ONCE;
    if (rest >= all.length) return { done: true, next };
    return { again: { at: context.clock.now(), payload: { ...payload, from: rest } }, next };
  };
