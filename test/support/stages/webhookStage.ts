/** Webhooks from the domain event to a receiver over real HTTP, on the embedded engines and a clock that tests move. */

import type { WorkspaceAccess } from '../../../application/access/principal.js';
import type { SeeAttempt } from '../../../application/webhooks/attemptReports.js';
import {
  DELIVERIES,
  type DeliveryBody,
  EITHER,
  type HealthBody,
  storedHealth,
  webhookCollections,
} from '../../../application/webhooks/deliveryLog.js';
import { createEndpoint, deleteEndpoint } from '../../../application/webhooks/endpoints.js';
import {
  createWebhooksProcessor,
  type WebhooksProcessorParts,
} from '../../../application/webhooks/webhooksProcessor.js';
import { derivedId } from '../../../domain/ids.js';
import { updateWebhookEndpoint } from '../../../domain/webhooks/endpointChanges.js';
import { webhookEndpoint } from '../../../domain/webhooks/webhookEndpoint.js';
import type { EndpointOwner } from '../../../domain/webhooks/webhookEvents.js';
import { type BoundCommands, bindCommands } from '../../../engine/commandHandler/boundCommands.js';
import type { StoredDocument } from '../../../engine/ports/documents.js';
import type { Endpoint } from '../../../harness/load/webhookHistory.js';
import { createSecretBox } from '../../../infrastructure/secrets/secretBox.js';
import { createGuardedSender, type GuardedSenderOptions } from '../../../infrastructure/webhooks/guardedSender.js';
import { until } from '../doubles/fakeClock.js';
import { type ProcessorStage, processorStage, type Running } from './processorStage.js';

export const STORE = '00000000-0000-4000-8000-0000000000a1';
export const OTHER_STORE = '00000000-0000-4000-8000-0000000000a2';
export const PARTNER = '00000000-0000-4000-8000-0000000000b1';

export type { Endpoint };

export interface WebhookStage {
  readonly processors: ProcessorStage;
  readonly commands: BoundCommands;
  start(): Promise<Running>;
  endpoint(url: string, events: readonly string[], owner?: EndpointOwner): Promise<Endpoint>;
  /** Moves the endpoint to another URL. */
  moved(endpointId: string, url: string): Promise<void>;
  remove(endpointId: string): Promise<void>;
  /** Appends an event of an order of a store and returns the event's id. */
  happens(type: string, data?: object, workspaceId?: string, order?: string): Promise<string>;
  /** Returns the attempts at an endpoint, oldest first. */
  log(endpointId: string): Promise<DeliveryBody[]>;
  health(endpointId: string): Promise<HealthBody>;
  statusOf(endpointId: string): Promise<string>;
  /** Waits until nothing is in flight and every outcome is written. */
  quiet(running: Running): Promise<void>;
  /** Moves the clock to the next timer and waits for its effects; false: there is none. */
  nextTimer(running: Running): Promise<boolean>;
  close(): Promise<void>;
}

export const webhookStore = (workspaceId: string): WorkspaceAccess => ({
  workspaceId,
  name: 'Store',
  status: 'active',
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'en',
  partnerId: PARTNER,
  externalRef: `ref-${workspaceId.slice(-2)}`,
  features: { has: () => true, limit: () => undefined },
});

export interface WebhookStageOptions extends GuardedSenderOptions {
  readonly seen?: SeeAttempt;
  /** `data` of an event. Default: an order with the event's data. */
  readonly renderData?: WebhooksProcessorParts['renderData'];
  /** Products of events. Default: none. */
  readonly products?: WebhooksProcessorParts['products'];
}

/** `deadlineMs`: how long a receiver may hang, in real time. */
export async function webhookStage({
  seen,
  renderData,
  products,
  ...guard
}: WebhookStageOptions = {}): Promise<WebhookStage> {
  const processors = await processorStage({ withCommands: true });
  for (const definition of webhookCollections) await processors.work.open(definition);
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const newSender = () => createGuardedSender({ allowLoopback: true, deadlineMs: 5000, ...guard });
  const sender = newSender();
  const senders = [sender];
  let count = 0;
  const commands: BoundCommands = {
    decide: (aggregate, id, decision) =>
      bindCommands(processors.commands, {
        commandId: derivedId('command', count++),
        actor: { type: 'api_key' },
        correlationId: 'test',
      }).decide(aggregate, id, decision),
    query: (aggregate, id, read) => processors.commands.query(aggregate, id, read),
  };
  const idle = ({ runtime }: Running): boolean => runtime.status().every((one) => one.inFlight + one.inMemory === 0);
  const quiet = (running: Running): Promise<void> => until('nothing is in flight', () => idle(running));
  return {
    processors,
    commands,
    async start() {
      const own = newSender();
      senders.push(own);
      const processor = createWebhooksProcessor({
        sender: own,
        secretBox,
        work: processors.work,
        directory: { workspace: async (id) => webhookStore(id) },
        log: processors.eventStore,
        renderData:
          renderData ?? (async ({ stream, revision, data }) => ({ order: { id: stream.slice(6), revision, ...data } })),
        products: products ?? { changed: async () => new Map() },
        random: () => 0.5,
        ...(seen && { seen }),
      });
      const { runtime, crash } = await processors.start(processor);
      const end = (): void => {
        crash();
        // Connections end with the process.
        own.close().catch(() => undefined);
      };
      return { runtime, crash: end };
    },
    async endpoint(url, events, owner = { workspaceId: STORE }) {
      const id = derivedId('endpoint', count++);
      const secret = await createEndpoint(
        { commands, secretBox, urls: sender },
        { endpointId: id, owner, url, description: '', events, createdBy: 'key', now: processors.clock.now() },
      );
      return { id, secret };
    },
    async moved(id, url) {
      await commands.decide(webhookEndpoint, id, updateWebhookEndpoint({ workspaceId: STORE }, { url }));
    },
    remove: (id) => deleteEndpoint(commands, { workspaceId: STORE }, id),
    async happens(type, data = {}, workspaceId = STORE, order = String(count++)) {
      const [id] = await processors.append(`order-${derivedId(order)}`, [{ type, data }], { workspaceId });
      return id!;
    },
    async log(endpointId) {
      const sort = ['-attemptedAt'];
      const rows = await processors.work.find<DeliveryBody>(DELIVERIES, {
        where: { endpointId, status: EITHER },
        sort,
        limit: 200,
      });
      return rows.map(({ body }: StoredDocument<DeliveryBody>) => body).reverse();
    },
    health: async (id) => (await storedHealth(processors.work, [id])).get(id)?.body ?? {},
    statusOf: (id) => processors.commands.query(webhookEndpoint, id, ({ status }) => status),
    quiet,
    async nextTimer(running) {
      await quiet(running);
      const [status] = running.runtime.status();
      if (status?.nextDueAt === undefined) return false;
      await processors.clock.advance(status.nextDueAt - processors.clock.now());
      await quiet(running);
      return true;
    },
    async close() {
      await processors.close();
      for (const each of senders) await each.close();
    },
  };
}
