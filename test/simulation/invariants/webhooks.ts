import { eventTypeOf } from '../../../domain/webhooks/eventTypes.js';
import { eventsOfType } from './eventsOfType.js';
import type { Ended, Invariant } from './invariant.js';

interface Endpoint {
  readonly url: string;
  readonly events: readonly string[];
}

/** Excludes product events: several come from one event, under their own names. `catalogsShown` checks their effect. */
const isReportedAlone = (type: string): boolean => !type.startsWith('product.');

interface Arrived {
  /** Index of the first attempt among all attempts. */
  readonly first: number;
  readonly taken: boolean;
}

function arrivals({ people }: Ended): ReadonlyMap<string, Arrived> {
  const found = new Map<string, Arrived>();
  for (const [i, { url, eventId, taken }] of people.sender.tried.entries()) {
    const before = found.get(`${url} ${eventId}`) ?? { first: i, taken: false };
    found.set(`${url} ${eventId}`, { ...before, taken: before.taken || taken });
  }
  return found;
}

/** Lists deliveries of one endpoint that are missing or out of order. */
function notify(ended: Ended, workspaceId: string, { url, events }: Endpoint): string[] {
  const wrong: string[] = [];
  const arrived = arrivals(ended);
  const isOrdered = !ended.hasFailed && !ended.hasClockJumped;
  const last = new Map<string, number>();
  for (const event of ended.data.log.events.filter(({ meta }) => meta.workspaceId === workspaceId)) {
    const { id, stream } = event;
    const type = eventTypeOf(event);
    if (type === undefined || !isReportedAlone(type) || !events.includes(type) || ended.erased.has(id)) continue;
    const { first = Infinity, taken = false } = arrived.get(`${url} ${id}`) ?? {};
    if (!taken) wrong.push(`${type} ${id} (${stream}) was never taken by ${url}`);
    if (isOrdered && stream.startsWith('order-') && first < (last.get(stream) ?? -1))
      wrong.push(`${type} ${id} came to ${url} before what had happened to its order before`);
    last.set(stream, first);
  }
  return wrong;
}

/** The attempt number counts only attempts that were sent. Store failures do not count against the endpoint. */
function counted({ people }: Ended): string[] {
  const wrong: string[] = [];
  const sent = new Map<string, number>();
  for (const { url, eventId, attempt } of people.sender.tried) {
    const key = `${eventId} to ${url}`;
    const times = (sent.get(key) ?? 0) + 1;
    sent.set(key, times);
    if (attempt > times) wrong.push(`${key} was sent ${times} times, and the last says attempt ${attempt}`);
  }
  return wrong;
}

/**
 * Every endpoint accepted all its events. First attempts of one order's events are in order, unless a failure or a
 * changed clock postponed one.
 */
export const webhooks: Invariant = (ended) => [
  ...counted(ended),
  ...eventsOfType<Endpoint>(ended.data, 'WebhookEndpointCreated').flatMap(({ meta, data }) =>
    notify(ended, meta.workspaceId ?? '', data),
  ),
];
