import { eventTypeOf } from '../../../domain/webhooks/eventTypes.js';
import { happened } from './happened.js';
import type { Ended, Invariant } from './invariant.js';

interface Endpoint {
  readonly url: string;
  readonly events: readonly string[];
}

/** Of products several events come of one, with names of their own: what is told of them is looked at in the catalog. */
const isToldAlone = (type: string): boolean => !type.startsWith('product.');

interface Arrived {
  /** Place of the first try among all. */
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

/** Deliveries of one endpoint of a store that are missing or out of order. */
function told(ended: Ended, workspaceId: string, { url, events }: Endpoint): string[] {
  const wrong: string[] = [];
  const arrived = arrivals(ended);
  const isOrdered = !ended.hasFailed && !ended.hasClockJumped;
  const last = new Map<string, number>();
  for (const event of ended.data.log.events.filter(({ meta }) => meta.workspaceId === workspaceId)) {
    const { id, stream } = event;
    const type = eventTypeOf(event);
    if (type === undefined || !isToldAlone(type) || !events.includes(type) || ended.erased.has(id)) continue;
    const { first = Infinity, taken = false } = arrived.get(`${url} ${id}`) ?? {};
    if (!taken) wrong.push(`${type} ${id} (${stream}) was never taken by ${url}`);
    if (isOrdered && stream.startsWith('order-') && first < (last.get(stream) ?? -1))
      wrong.push(`${type} ${id} came to ${url} before what had happened to its order before`);
    last.set(stream, first);
  }
  return wrong;
}

/** An attempt is counted only where the one before it was sent: a failure of a store is not the endpoint's. */
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
 * Every endpoint has taken what it is owed; of what happened to one order the first tries came in the order in which it happened,
 * unless a failure put one off, or a clock that was set.
 */
export const webhooks: Invariant = (ended) => [
  ...counted(ended),
  ...happened<Endpoint>(ended.data, 'WebhookEndpointCreated').flatMap(({ meta, data }) =>
    told(ended, meta.workspaceId ?? '', data),
  ),
];
