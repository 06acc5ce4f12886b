/** Deliveries on request of an owner: a test, or the replay of an event. */

import { derivedId } from '../../domain/ids.js';
import type { EndpointOwner, WebhookEndpointEvent } from '../../domain/webhooks/webhookEvents.js';
import type { Documents } from '../../engine/ports/documents.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { NewTask, ProcessorContext } from '../../engine/processors/processor.js';
import type { AccessDirectory } from '../access/principal.js';
import { deliveries, type Notification, notifyLater } from './deliveriesFor.js';
import { SOURCES, type Source } from './deliveryLog.js';
import type { Envelope, WriteEnvelope } from './envelope.js';
import { laneOf, tenantOf } from './subscribers.js';

interface RequestedParts {
  readonly work: Documents;
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  readonly write: WriteEnvelope;
}

export type RequestedEvent<T extends WebhookEndpointEvent['type']> = RecordedEvent & {
  readonly streamId: string;
  readonly data: Extract<WebhookEndpointEvent, { type: T }>['data'];
};

const TEST = 'webhook.test';

export function requestedDeliveries({ work, directory, write }: RequestedParts) {
  const testEnvelope = (
    endpointId: string,
    owner: EndpointOwner,
    of: { readonly id: string; readonly createdAt: string },
  ): Promise<Envelope> => {
    const workspaceId = 'workspaceId' in owner ? owner.workspaceId : undefined;
    return write({ ...of, type: TEST, workspaceId, data: { endpointId } });
  };

  return {
    async test(requested: RequestedEvent<'WebhookTestRequested'>, { commands }: ProcessorContext): Promise<NewTask[]> {
      const { streamId: endpointId, data, meta } = requested;
      const { owner, eventId } = data;
      const lane = `${await tenantOf({ directory, commands }, requested, owner)}/${endpointId}.test`;
      const to = [{ id: derivedId('webhookTest', endpointId, eventId), lane, endpointId }];
      const source: Source = { type: TEST, at: meta.at };
      const envelope = await testEnvelope(endpointId, owner, { id: eventId, createdAt: meta.at });
      return deliveries({ eventId, eventType: TEST, trigger: 'test', source, to }, envelope);
    },

    /** Sends the event again, unchanged and with its id. (Specification 2, rule 2 of endpoints.) */
    async replay(
      requested: RequestedEvent<'WebhookReplayRequested'>,
      { commands }: ProcessorContext,
    ): Promise<NewTask[]> {
      const { id, streamId: endpointId, data } = requested;
      const { eventId, eventType, owner } = data;
      const source = (await work.get<Source>(SOURCES, eventId))?.body;
      if (source === undefined) return [];
      const tenant = await tenantOf({ directory, commands }, requested, owner);
      const lane = laneOf(tenant, 'stream' in source ? source.stream : id)(endpointId);
      const to = [{ id: derivedId('webhookReplay', id), lane, endpointId }];
      const notification: Notification = { eventId, eventType, trigger: 'replay', source, to };
      if ('stream' in source) return [notifyLater(id, { tenant }, source.stream, notification)];
      return deliveries(notification, await testEnvelope(endpointId, owner, { id: eventId, createdAt: source.at }));
    },
  };
}
