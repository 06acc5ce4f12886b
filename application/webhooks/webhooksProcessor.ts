import { createHash } from 'node:crypto';
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
import { checkFailing, deliver, type OwedDelivery } from './deliver.js';
import { DELIVERIES, HEALTH, logSweep } from './deliveryLog.js';
import { createHealthBook } from './healthBook.js';

export interface WebhooksProcessorParts {
  readonly sender: WebhookSender;
  readonly secretBox: SecretBox;
  /** For the log of attempts. Its collections (`webhookCollections`) must be open. */
  readonly work: ReadModels;
  /** For the reference that a store's partner knows it by. */
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  /** The envelope's `data` as the API would have answered it right after the event; undefined: nothing to tell. */
  readonly renderData: (event: RecordedEvent) => Promise<object | undefined>;
  /** In [0, 1): jitter of the retries; Math.random when absent. */
  readonly random?: () => number;
}

/** Deliveries in flight at once to one endpoint, and to all: one that hangs for 10 s keeps no other waiting. */
const LANES = 4;
const CONCURRENCY = 1000;
/** An endpoint is told of what happened from its creation on; the allowance is for clocks of several instances. */
const CLOCK_SKEW_MS = 60_000;
/** After a deletion: the longest time that an attempt can still be under way and write its log. */
const PURGE_AFTER_MS = 15_000;
const PURGE_PORTION = 500;

/** Events of one order go one after another: to one lane of the endpoint. */
const laneOf = (endpointId: string, stream: string): string =>
  `${endpointId}.${createHash('sha1').update(stream).digest()[0]! % LANES}`;

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

/**
 * Tells endpoints what happened. Endpoints are asked from their aggregates, not from a read model, so that one created
 * before an event is always told of it.
 */
export function createWebhooksProcessor(parts: WebhooksProcessorParts): Processor<OrderEvent | WebhookEndpointEvent> {
  const { work, directory, renderData } = parts;
  const health = createHealthBook(work);
  const delivering = { ...parts, health, sweep: logSweep(work), random: parts.random ?? Math.random };

  async function tell(event: RecordedEvent, commands: CommandHandler): Promise<NewTask[]> {
    const type = toldAs(event);
    const { workspaceId, at } = event.meta;
    if (type === undefined || workspaceId === undefined) return [];
    const store = await directory.workspace(workspaceId);
    const partnerId = store?.partnerId ?? event.meta.partnerId;
    const owners = partnerId === undefined ? [workspaceId] : [workspaceId, partnerId];
    const endpoints = await subscribed(commands, owners, type, Date.parse(at));
    if (endpoints.length === 0) return [];
    const data = await renderData(event);
    if (data === undefined) return [];
    const partner = store?.externalRef === undefined ? {} : { partner: { storeExternalRef: store.externalRef } };
    const body = JSON.stringify({ id: event.id, type, createdAt: at, workspaceId, ...partner, data });
    return endpoints.map((endpointId) => ({
      id: derivedId('webhookDelivery', endpointId, event.id),
      kind: 'deliver',
      lane: laneOf(endpointId, event.stream),
      payload: { endpointId, eventId: event.id, eventType: type, trigger: 'event', body } satisfies OwedDelivery,
    }));
  }

  const told = Object.fromEntries(
    Object.keys(TOLD).map((type) => [
      type,
      (event: RecordedEvent, { commands }: { commands: CommandHandler }) => tell(event, commands),
    ]),
  );
  return defineProcessor<OrderEvent | WebhookEndpointEvent>({
    name: 'webhooks',
    categories: ['order', 'webhookEndpoint'],
    on: {
      ...told,
      WebhookEndpointDeleted: ({ streamId: endpointId }, { clock }) => [
        {
          id: derivedId('webhookPurge', endpointId),
          kind: 'purge',
          lane: `${endpointId}.check`,
          dueAt: clock.now() + PURGE_AFTER_MS,
          payload: { endpointId },
        },
      ],
    },
    perform: {
      deliver: deliver(delivering),
      checkFailing: checkFailing(delivering),
      purge: purge(work, health.forget),
    },
    concurrency: CONCURRENCY,
  });
}
