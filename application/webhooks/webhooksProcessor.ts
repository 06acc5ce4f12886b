import type { CatalogEvent, CatalogSyncEvent } from '../../domain/catalog/catalogEvents.js';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import { derivedId } from '../../domain/ids.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { eventTypeOf, SUBSCRIBED_CATEGORIES, SUBSCRIBED_EVENTS } from '../../domain/webhooks/eventTypes.js';
import type { WebhookEndpointEvent } from '../../domain/webhooks/webhookEvents.js';
import type { Documents } from '../../engine/ports/documents.js';
import type { EventStore, RecordedEvent } from '../../engine/ports/eventStore.js';
import {
  defineProcessor,
  type NewTask,
  type Outcome,
  type Processor,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import type { AccessDirectory } from '../access/principal.js';
import type { PersonTexts } from '../ports/personTexts.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { WebhookSender } from '../ports/webhookSender.js';
import type { SeeAttempt } from './attemptReports.js';
import { audiencesOf, endpointOf, notify, notifyOfProducts, tasksOf } from './deliveriesFor.js';
import { checkFailing, deliver, resetHealth } from './deliveryAttempts.js';
import { DELIVERIES, HEALTH, logSweep } from './deliveryLog.js';
import { envelopes, eventEnvelopes, once, type RenderData } from './envelope.js';
import { healthBooks } from './healthBook.js';
import type { ProductData } from './productData.js';
import { missedIn, replaysSince } from './replaySince.js';
import { requestedDeliveries } from './requestedDeliveries.js';
import { bodyOf, sealedEnvelope } from './sealedBodies.js';
import { sourceBooks } from './sourceBook.js';
import { creations, ownersOf, subscribed } from './subscribers.js';

export interface WebhooksProcessorParts {
  readonly sender: WebhookSender;
  readonly secretBox: SecretBox;
  /** Stores the log of attempts. Its collections (`webhookCollections`) must be open. */
  readonly work: Documents;
  /** Provides the partner's reference of a store. */
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  /**
   * Renders the envelope's `data` in the form of the API right after the event. Undefined: there is nothing to publish. May throw for
   * objects in views, and is then repeated.
   */
  readonly renderData: RenderData;
  readonly products: Pick<ProductData, 'changed'>;
  /** Log of events, for later rendering and for replays. */
  readonly log: Pick<EventStore, 'readStream' | 'readAll'>;
  /** Seals stored bodies. Absent if nothing is sealed. */
  readonly people?: PersonTexts;
  /** Random number in [0, 1) for jitter of the retries. Default: Math.random. */
  readonly random?: () => number;
  /** For metrics and log. */
  readonly seen?: SeeAttempt;
}

/** Maximum concurrent deliveries to all endpoints. */
const CONCURRENCY = 1000;
/** Maximum time after a deletion in which an attempt may still write its log, in ms. */
const PURGE_AFTER_MS = 15_000;
const PURGE_PORTION = 500;

/** Removes the log of a deleted endpoint, a portion at a time. */
const purge =
  (work: Documents, health: ReturnType<typeof healthBooks>) =>
  async ({ payload: { endpointId } }: Task<{ endpointId: string }>, context: ProcessorContext): Promise<Outcome> => {
    const removed = await work.removeWhere(DELIVERIES, { endpointId }, PURGE_PORTION);
    if (removed === PURGE_PORTION) return { again: { at: 0 } };
    health(context).forget(endpointId);
    return { done: true, also: { [HEALTH]: { remove: [{ id: endpointId, revision: Number.MAX_SAFE_INTEGER }] } } };
  };

/** Events that the processor reads. */
export type WebhookCause = CatalogEvent | CatalogSyncEvent | ConversationEvent | OrderEvent | WebhookEndpointEvent;

/**
 * Publishes events to endpoints. Endpoints are read from their aggregates, not from a read model, so that one created before an event
 * always receives it.
 */
export function createWebhooksProcessor(parts: WebhooksProcessorParts): Processor<WebhookCause> {
  const { work, log, directory, products } = parts;
  const write = envelopes(directory);
  const rendered = eventEnvelopes(write, parts.renderData);
  const envelope = sealedEnvelope({ people: parts.people, envelope: rendered });
  const tasks = tasksOf({ envelope });
  const health = healthBooks(work);
  const { test, replay } = requestedDeliveries({ work, directory, write });
  const isMissed = missedIn(work);
  const createdAt = creations(log);
  const replaying = replaysSince({ work, log, directory, tasks, isMissed, createdAt });
  const eventAt = async (stream: string, revision: number): Promise<RecordedEvent | undefined> =>
    (await log.readStream(stream, { from: revision, limit: 1 }))[0];
  const delivering = {
    ...{ ...parts, health, sources: sourceBooks(), sweep: logSweep(work), random: parts.random ?? Math.random },
    bodyOf: bodyOf({ people: parts.people, envelope: rendered, eventAt }),
  };

  async function tasksFor(event: RecordedEvent, { commands, shards }: ProcessorContext): Promise<NewTask[]> {
    const type = eventTypeOf(event);
    const { workspaceId } = event.meta;
    if (type === undefined || workspaceId === undefined) return [];
    const owners = await ownersOf({ directory, commands }, event, workspaceId);
    const endpointIds = await subscribed(commands, owners, type, { position: event.position, createdAt });
    const found: NewTask[] = [];
    const tasksOnce = tasksOf({ envelope: once(envelope) });
    for (const audience of audiencesOf(owners.at(-1)!, endpointIds, shards))
      found.push(...(await tasksOnce(event, type, audience)));
    return found;
  }

  const own = (kind: string, endpointId: string, of: string, dueAt: number): NewTask[] => [
    { id: derivedId(kind, of), kind, lane: `${endpointId}.check`, dueAt, payload: { endpointId } },
  ];

  return defineProcessor<WebhookCause>({
    name: 'webhooks',
    // Tasks are spread by endpoint: a partner's endpoint receives events of many stores, and its attempts are counted together.
    spread: endpointOf,
    categories: [...SUBSCRIBED_CATEGORIES, 'webhookEndpoint'],
    on: {
      ...Object.fromEntries(Object.keys(SUBSCRIBED_EVENTS).map((type) => [type, tasksFor])),
      WebhookTestRequested: test,
      WebhookReplayRequested: replay,
      WebhookReplaySinceRequested: replaying.requested,
      WebhookEndpointEnabled: ({ streamId, id }, { clock }) => own('startAnew', streamId, id, clock.now()),
      WebhookEndpointDeleted: ({ streamId }, { clock }) =>
        own('purge', streamId, streamId, clock.now() + PURGE_AFTER_MS),
    },
    perform: {
      tell: notify({ envelope, eventAt }),
      tellProducts: notifyOfProducts({ write, eventAt, products, isMissed }),
      replaySince: replaying.slice,
      deliver: deliver(delivering),
      checkFailing: checkFailing(delivering),
      startAnew: resetHealth(delivering),
      purge: purge(work, health),
    },
    concurrency: CONCURRENCY,
  });
}
