import { createHash } from 'node:crypto';
import type { ConversationEvent } from '../../domain/channel/conversationEvents.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { webhookPlaces } from '../../domain/webhooks/endpointPlaces.js';
import { TOLD, toldAs } from '../../domain/webhooks/eventTypes.js';
import { webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { WebhookEndpointEvent } from '../../domain/webhooks/webhookEvents.js';
import type { AccessDirectory } from '../access/principal.js';
import type { CommandHandler } from '../commands.js';
import { derivedId } from '../ids.js';
import type { RecordedEvent } from '../ports/eventStore.js';
import type { ReadModels } from '../ports/readModels.js';
import type { SecretBox } from '../ports/secretBox.js';
import type { WebhookSender } from '../ports/webhookSender.js';
import { defineProcessor, type NewTask, type Outcome, type Processor, type Task } from '../processors/processor.js';
import { checkFailing, deliver, startAnew } from './deliver.js';
import { DELIVERIES, HEALTH, logSweep, SOURCES, type Source } from './deliveryLog.js';
import { envelopes } from './envelope.js';
import { createHealthBook } from './healthBook.js';
import { isOfMessage } from './messageData.js';
import type { SeeAttempt } from './observing.js';
import { deliveries, type Telling, tell, tellLater } from './telling.js';

export interface WebhooksProcessorParts {
  readonly sender: WebhookSender;
  readonly secretBox: SecretBox;
  /** For the log of attempts. Its collections (`webhookCollections`) must be open. */
  readonly work: ReadModels;
  /** For the reference that a store's partner knows it by. */
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  /**
   * The envelope's `data` as the API would have answered it right after the event; undefined: nothing to tell. Of messages it
   * may throw, and is asked again.
   */
  readonly renderData: (event: RecordedEvent) => Promise<object | undefined>;
  /** The event at a place, for a replay. */
  readonly eventAt: (stream: string, revision: number) => Promise<RecordedEvent | undefined>;
  /** In [0, 1): jitter of the retries; Math.random when absent. */
  readonly random?: () => number;
  /** For metrics and log. */
  readonly seen?: SeeAttempt;
}

/**
 * Deliveries in flight at once to one endpoint, and to all: one that hangs for 10 s keeps no other waiting. A tenant's
 * (the store's partner, or the store) are a group, so that all endpoints of one may hang.
 */
const LANES = 4;
const CONCURRENCY = 1000;
/** An endpoint is told of what happened from its creation on; the allowance is for clocks of several instances. */
const CLOCK_SKEW_MS = 60_000;
/** After a deletion: the longest time that an attempt can still be under way and write its log. */
const PURGE_AFTER_MS = 15_000;
const PURGE_PORTION = 500;

/** Events of one order, and of one conversation, go one after another: to one lane of the endpoint. */
const laneOf = (tenantId: string, endpointId: string, stream: string): string =>
  `${tenantId}/${endpointId}.${createHash('sha1').update(stream).digest()[0]! % LANES}`;

async function subscribed(
  commands: CommandHandler,
  owners: readonly string[],
  type: string,
  at: number,
): Promise<string[]> {
  const found: string[] = [];
  for (const owner of owners) {
    const ids = await commands.query(webhookPlaces, owner, (places) => [...places.keys()]);
    for (const id of ids) {
      const wanted = await commands.query(
        webhookEndpoint,
        id,
        (endpoint) =>
          endpoint.status === 'active' && endpoint.events.includes(type) && endpoint.createdAt <= at + CLOCK_SKEW_MS,
      );
      if (wanted) found.push(id);
    }
  }
  return found;
}

/** Removes the log of an endpoint that is gone, some at a time. */
const purge =
  (work: ReadModels, forget: (endpointId: string) => void) =>
  async ({ payload: { endpointId } }: Task<{ endpointId: string }>): Promise<Outcome> => {
    const removed = await work.removeWhere(DELIVERIES, { endpointId }, PURGE_PORTION);
    if (removed === PURGE_PORTION) return { again: { at: 0 } };
    forget(endpointId);
    return { done: true, also: { [HEALTH]: { remove: [{ id: endpointId, revision: Number.MAX_SAFE_INTEGER }] } } };
  };

type Asked<T extends WebhookEndpointEvent['type']> = RecordedEvent & {
  readonly streamId: string;
  readonly data: Extract<WebhookEndpointEvent, { type: T }>['data'];
};

/** The body of a test. A partner's has no workspace. */
const testBody = (endpointId: string, eventId: string, at: string, workspaceId: string | undefined): string =>
  JSON.stringify({ id: eventId, type: 'webhook.test', createdAt: at, workspaceId, data: { endpointId } });

/**
 * Tells endpoints what happened. Endpoints are asked from their aggregates, not from a read model, so that one created
 * before an event is always told of it.
 */
export function createWebhooksProcessor(
  parts: WebhooksProcessorParts,
): Processor<ConversationEvent | OrderEvent | WebhookEndpointEvent> {
  const { work, directory, eventAt } = parts;
  const envelope = envelopes(parts);
  const health = createHealthBook(work);
  const delivering = { ...parts, health, sweep: logSweep(work), random: parts.random ?? Math.random };

  /** Whose endpoints are told of an event in a store; the last is the tenant. */
  async function ownersOf({ meta }: Pick<RecordedEvent, 'meta'>, workspaceId: string): Promise<readonly string[]> {
    const partnerId = (await directory.workspace(workspaceId))?.partnerId ?? meta.partnerId;
    return partnerId === undefined ? [workspaceId] : [workspaceId, partnerId];
  }

  async function toldOf(event: RecordedEvent, commands: CommandHandler): Promise<NewTask[]> {
    const type = toldAs(event);
    const { workspaceId, at } = event.meta;
    if (type === undefined || workspaceId === undefined) return [];
    const owners = await ownersOf(event, workspaceId);
    const endpoints = await subscribed(commands, owners, type, Date.parse(at));
    if (endpoints.length === 0) return [];
    const { id: eventId, stream, revision } = event;
    const tenant = owners.at(-1)!;
    const telling: Telling = {
      eventId,
      eventType: type,
      trigger: 'event',
      source: { type, stream, revision },
      to: endpoints.map((endpointId) => ({
        id: derivedId('webhookDelivery', endpointId, eventId),
        lane: laneOf(tenant, endpointId, stream),
        endpointId,
      })),
    };
    if (isOfMessage(event)) return [tellLater(eventId, tenant, stream, telling)];
    const body = await envelope(event, type);
    return body === undefined ? [] : deliveries(telling, body);
  }

  const tenantOf = async ({ meta, data: { owner } }: Asked<'WebhookTestRequested' | 'WebhookReplayRequested'>) =>
    'partnerId' in owner ? owner.partnerId : (await ownersOf({ meta }, owner.workspaceId)).at(-1)!;

  async function test(asked: Asked<'WebhookTestRequested'>): Promise<NewTask[]> {
    const { streamId: endpointId, data, meta } = asked;
    const { owner, eventId } = data;
    const { at } = meta;
    const eventType = 'webhook.test';
    const body = testBody(endpointId, eventId, at, 'workspaceId' in owner ? owner.workspaceId : undefined);
    const source: Source = { type: eventType, at };
    const lane = `${await tenantOf(asked)}/${endpointId}.test`;
    const to = [{ id: derivedId('webhookTest', endpointId, eventId), lane, endpointId }];
    return deliveries({ eventId, eventType, trigger: 'test', source, to }, body);
  }

  /** Sends the event again as it was, with its id. (Specification 2, rule 2 of endpoints.) */
  async function replay(asked: Asked<'WebhookReplayRequested'>): Promise<NewTask[]> {
    const { id, streamId: endpointId, data } = asked;
    const { eventId, eventType, owner } = data;
    const source = (await work.get<Source>(SOURCES, eventId))?.body;
    if (source === undefined) return [];
    const tenant = await tenantOf(asked);
    const lane = laneOf(tenant, endpointId, 'stream' in source ? source.stream : id);
    const to = [{ id: derivedId('webhookReplay', id), lane, endpointId }];
    const telling: Telling = { eventId, eventType, trigger: 'replay', source, to };
    if ('at' in source)
      return deliveries(
        telling,
        testBody(endpointId, eventId, source.at, 'workspaceId' in owner ? owner.workspaceId : undefined),
      );
    return [tellLater(id, tenant, source.stream, telling)];
  }

  const own = (kind: string, endpointId: string, of: string, dueAt: number): NewTask[] => [
    { id: derivedId(kind, of), kind, lane: `${endpointId}.check`, dueAt, payload: { endpointId } },
  ];

  const told = Object.fromEntries(
    Object.keys(TOLD).map((type) => [
      type,
      (event: RecordedEvent, { commands }: { commands: CommandHandler }) => toldOf(event, commands),
    ]),
  );
  return defineProcessor<ConversationEvent | OrderEvent | WebhookEndpointEvent>({
    name: 'webhooks',
    categories: ['order', 'conversation', 'webhookEndpoint'],
    on: {
      ...told,
      WebhookTestRequested: test,
      WebhookReplayRequested: replay,
      WebhookEndpointEnabled: ({ streamId, id }, { clock }) => own('startAnew', streamId, id, clock.now()),
      WebhookEndpointDeleted: ({ streamId }, { clock }) =>
        own('purge', streamId, streamId, clock.now() + PURGE_AFTER_MS),
    },
    perform: {
      tell: tell({ envelope, eventAt }),
      deliver: deliver(delivering),
      checkFailing: checkFailing(delivering),
      startAnew: startAnew(delivering),
      purge: purge(work, health.forget),
    },
    concurrency: CONCURRENCY,
  });
}
