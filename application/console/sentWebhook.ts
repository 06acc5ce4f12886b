/** Webhook of an event as sent to an endpoint, rendered again by the same code. */
import type { Documents } from '../../engine/ports/documents.js';
import type { EventStore } from '../../engine/ports/eventStore.js';
import type { AccessDirectory } from '../access/principal.js';
import { DELIVERIES, type DeliveryBody, EITHER, SOURCES, type Source } from '../webhooks/deliveryLog.js';
import { envelopes, eventEnvelopes, type RenderData } from '../webhooks/envelope.js';

/** Maximum attempts that are shown per event. */
const MOST_ATTEMPTS = 100;

export interface SentWebhookParts {
  readonly work: Documents;
  readonly log: Pick<EventStore, 'readStream'>;
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  readonly renderData: RenderData;
}

export interface SentWebhook {
  /** The newest first. */
  readonly attempts: readonly DeliveryBody[];
  /** Body of the POST request. Absent if the event is not published any more. */
  readonly body?: string;
}

/** Undefined: the event is not in the endpoint's log. `workspaceId`: store of the endpoint. */
export async function sentWebhook(
  { work, log, directory, renderData }: SentWebhookParts,
  of: { readonly endpointId: string; readonly eventId: string; readonly workspaceId: string | undefined },
): Promise<SentWebhook | undefined> {
  const { endpointId, eventId, workspaceId } = of;
  const where = { endpointId, eventId, status: EITHER };
  const rows = await work.find<DeliveryBody>(DELIVERIES, { where, sort: ['-attemptedAt'], limit: MOST_ATTEMPTS });
  const attempts = rows.map(({ body }) => body);
  const [newest] = attempts;
  if (newest === undefined) return undefined;
  const source = (await work.get<Source>(SOURCES, eventId))?.body;
  if (source === undefined) return { attempts };
  const write = envelopes(directory);
  if ('at' in source) {
    const test = { id: eventId, type: newest.eventType, createdAt: source.at, workspaceId, data: { endpointId } };
    return { attempts, body: (await write(test)).body };
  }
  const [event] = await log.readStream(source.stream, { from: source.revision, limit: 1 });
  const product =
    'product' in source && source.product !== undefined ? { eventId, product: source.product } : undefined;
  const rendered = event && (await eventEnvelopes(write, renderData)(event, newest.eventType, product));
  return rendered === undefined ? { attempts } : { attempts, body: rendered.body };
}
