/** Causes and effects of an event: events of the same chain of causes, and webhooks that reported it. */

import type { Documents } from '../../engine/ports/documents.js';
import { categoryOf, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import { webhookEndpoints } from '../../projections/webhookEndpoints.js';
import { DELIVERIES, type DeliveryBody, EITHER } from '../webhooks/deliveryLog.js';
import type { Log } from './eventFilter.js';
import { searchEvents } from './eventSearch.js';

/** Maximum later events that are scanned for effects. */
const MOST_SEEN = 5000;
const PAGE = 500;
const MOST_FOUND = 100;
const MOST_ENDPOINTS = 50;

export interface DeliveredWebhook extends DeliveryBody {
  readonly endpointId: string;
  readonly url: string;
}

export interface Effects {
  /** Causes of the event, the first one first. Each was caused by the one before. */
  readonly causes: readonly RecordedEvent[];
  /** Effects, in order. */
  readonly events: readonly RecordedEvent[];
  /** Webhook attempts, the newest first. */
  readonly webhooks: readonly DeliveredWebhook[];
  /** True if the scan of later events reached its limit. */
  readonly bounded: boolean;
}

/** Returns later events with the same correlation id. */
async function followers(log: Log, cause: RecordedEvent): Promise<Pick<Effects, 'events' | 'bounded'>> {
  const events: RecordedEvent[] = [];
  let after = cause.position;
  for (let seen = 0; seen < MOST_SEEN && events.length < MOST_FOUND; ) {
    const page = await log.readAll(after, { limit: PAGE });
    seen += page.events.length;
    events.push(
      ...page.events.filter(
        ({ meta, stream }) =>
          meta.correlationId === cause.meta.correlationId &&
          meta.workspaceId === cause.meta.workspaceId &&
          categoryOf(stream) !== 'consoleReads',
      ),
    );
    after = page.through;
    if (page.end) return { events: events.slice(0, MOST_FOUND), bounded: false };
  }
  return { events: events.slice(0, MOST_FOUND), bounded: true };
}

/** Returns the event id in a causation id. For a task, it is the id of its event, after the prefix that orders tasks. */
const causeIdOf = (causationId: string | undefined): string | undefined =>
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(causationId ?? '')?.[0];

/** Returns the earlier events of the chain, each caused by the one before, within the limits of a request. */
async function causesOf(log: Log, { meta, position }: RecordedEvent): Promise<readonly RecordedEvent[]> {
  if (meta.causationId === undefined) return [];
  const { correlationId, workspaceId } = meta;
  const { events } = await searchEvents(log, { correlationId }, { limit: MOST_FOUND, before: position });
  const known = new Map(events.filter((one) => one.meta.workspaceId === workspaceId).map((one) => [one.id, one]));
  const causes: RecordedEvent[] = [];
  for (let id = causeIdOf(meta.causationId); id !== undefined; ) {
    const cause = known.get(id);
    if (cause === undefined) break;
    // An event is later than its cause. Deleting visited events prevents a loop in any case.
    known.delete(id);
    causes.unshift(cause);
    id = causeIdOf(cause.meta.causationId);
  }
  return causes;
}

/** Returns attempts for endpoints of these owners: the store and, if permitted, its partner. */
async function webhooksOf(
  work: Documents,
  reads: Reads,
  owners: readonly string[],
  eventId: string,
): Promise<DeliveredWebhook[]> {
  const endpoints = (
    await Promise.all(
      owners.map((ownerId) =>
        reads.find(webhookEndpoints, { where: { ownerId }, sort: ['-createdAt'], limit: MOST_ENDPOINTS }),
      ),
    )
  ).flat();
  const reported = await Promise.all(
    endpoints.map(async ({ id: endpointId, body }) => {
      const rows = await work.find<DeliveryBody>(DELIVERIES, {
        where: { endpointId, eventId, status: EITHER },
        sort: ['-attemptedAt'],
        limit: 10,
      });
      return rows.map((row): DeliveredWebhook => ({ ...row.body, endpointId, url: body.url }));
    }),
  );
  return reported.flat();
}

/** Returns the known causes and effects of an event. */
export async function effectsOf(
  { log, work, reads }: { readonly log: Log; readonly work: Documents; readonly reads: Reads },
  cause: RecordedEvent,
  owners: readonly string[],
): Promise<Effects> {
  const [found, webhooks, causes] = await Promise.all([
    followers(log, cause),
    webhooksOf(work, reads, owners, cause.id),
    causesOf(log, cause),
  ]);
  return { ...found, webhooks, causes };
}
