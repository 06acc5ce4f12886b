import { derivedId } from '../../domain/ids.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import type { PendingDelivery } from './deliveryAttempts.js';
import type { Source, Trigger } from './deliveryLog.js';
import type { Envelope, OneProduct, WriteEnvelope } from './envelope.js';
import { isOfMessage } from './messageData.js';
import { isOfProducts, type ProductData, productsOf } from './productData.js';
import { laneOf } from './subscribers.js';

/** Delivery of one event to one endpoint: its id, and its lane. */
export interface Addressee {
  readonly id: string;
  readonly lane: string;
  readonly endpointId: string;
}

/** An event to publish to endpoints. */
export interface Notification {
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  readonly source: Source;
  readonly to: readonly Addressee[];
}

/** Receivers of an event. */
export interface Audience {
  readonly tenant: string;
  readonly endpointIds: readonly string[];
  /** Id of the replay request. Absent: the event has just happened. */
  readonly requestId?: string;
  /** Set if the work is sharded: the receivers of one shard, each of which renders for itself. */
  readonly part?: string;
}

type Shards = ProcessorContext['shards'];

/** Returns the endpoints of this instance, by shards if the work is sharded. */
export function audiencesOf(tenant: string, endpointIds: readonly string[], shards: Shards): readonly Audience[] {
  if (shards.count === 1) return endpointIds.length === 0 ? [] : [{ tenant, endpointIds }];
  const parts = new Map<number, string[]>();
  for (const id of endpointIds.filter(shards.isHere)) {
    const shard = shards.of(id);
    parts.set(shard, [...(parts.get(shard) ?? []), id]);
  }
  return [...parts].map(([shard, ids]) => ({ tenant, endpointIds: ids, part: String(shard) }));
}

/** Returns the endpoint of a task. For a task from before sharding with several endpoints, the first one. */
export function endpointOf({ payload }: NewTask<never>): string {
  const { endpointId, endpointIds = [], to = [] } = payload as Partial<PendingDelivery & Audience & Notification>;
  return endpointId ?? endpointIds[0] ?? to[0]?.endpointId ?? '';
}

/** An event about several products, published one by one. `from`: index of the next product. */
export interface ProductsNotification extends Audience {
  readonly eventType: string;
  readonly stream: string;
  readonly revision: number;
  readonly from: number;
}

/** Maximum products per performance: with 40 endpoints about 1,000 deliveries. */
const PRODUCTS_AT_ONCE = 25;

/** Id of the delivery of a new event. */
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

/** Creates a delivery for each receiving endpoint. */
export const deliveries = ({ to, ...notification }: Notification, envelope: Envelope): NewTask<PendingDelivery>[] =>
  to.map(({ id, lane, endpointId }) => ({
    id,
    kind: 'deliver',
    lane,
    payload: { endpointId, ...notification, ...envelope },
  }));

/** Id of the task that renders an event and then creates its deliveries. `part`: see `Audience`. */
export const notifyId = (cause: string, part: string | undefined): string =>
  part === undefined ? derivedId('webhookTell', cause) : derivedId('webhookTell', cause, part);
/** Kinds and lanes are stored, so their names must not change. */
const laneEnd = (part: string | undefined): string => (part === undefined ? 'tell' : `tell${part}`);

/**
 * Creates a task that renders an event whose objects are in views, once the views have caught up. A lagging view then delays only the
 * events of its conversation. `tenant`: group of the lane. `cause`: id of the event that triggers it.
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

/** Creates a task for events about one store's products, which are published in order. */
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

/** Renders the envelope in its stored form. */
type WaitingEnvelope = (event: RecordedEvent, type: string, one?: OneProduct) => Promise<Envelope | undefined>;

interface NotifyParts {
  readonly envelope: WaitingEnvelope;
  readonly eventAt: (stream: string, revision: number) => Promise<RecordedEvent | undefined>;
}

/** Returns the tasks for an event. `type`: the webhook event type. */
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

/** Renders the event and creates its deliveries. Throws, to be repeated, while the views lag. */
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
  /** Returns true if an endpoint neither got an event nor has it pending. */
  readonly isMissed: (endpointId: string, eventId: string, context: ProcessorContext) => Promise<boolean>;
}

/** Id of an event about one of its products. */
const productEventId = (eventId: string, externalId: string): string => derivedId('webhookEvent', eventId, externalId);

/** Creates the deliveries of some products, then continues with the next. Throws, to be repeated, while the views lag. */
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
      // A replay has only one endpoint.
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
