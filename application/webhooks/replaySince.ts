/**
 * Sends again what an endpoint was not told since a time, most of all what came while it was disabled and stands in no log of
 * deliveries. The log of events is walked in order, a slice a performance: a crash goes on at the slice that it cut off.
 */

import { defined } from '../../domain/defined.js';
import { derivedId } from '../../domain/ids.js';
import { eventTypeOf, SUBSCRIBED_CATEGORIES, SUBSCRIBED_EVENTS } from '../../domain/webhooks/eventTypes.js';
import { isStanding, type StandingEndpoint, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { Documents } from '../../engine/ports/documents.js';
import {
  BEFORE_ALL,
  type EventStore,
  type Position,
  type RecordedEvent,
  streamName,
} from '../../engine/ports/eventStore.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import type { AccessDirectory } from '../access/principal.js';
import type { Asked } from './asked.js';
import { deliveryId, type tasksOf } from './deliveriesFor.js';
import { DELIVERIES, type DeliveryBody, EITHER, SOURCES, type Source } from './deliveryLog.js';
import { CLOCK_SKEW_MS, lanesOf, ownersOf, tenantOf } from './subscribers.js';

/** Events of all stores that are looked at in one performance, and one write. */
const SLICE = 200;
/** Deliveries of the endpoint that wait at once: the walk rests while there are more, so what is owed stays bounded. */
const MOST_WAITING = 500;
const REST_MS = 5000;
/** Latest attempts that are asked where their events stand. */
const LOOKED_AT = 10;
const PAGE = 100;

/** Where an event stands: not by its position, which is another one when the history is moved and the task with it. */
interface Place {
  readonly stream: string;
  readonly revision: number;
}

export interface ReplaySince {
  readonly endpointId: string;
  readonly requestId: string;
  readonly tenant: string;
  /** ms since 1970; `until` is not part of it. */
  readonly since: number;
  readonly until: number;
  /** The request: what came after it was told as it came. */
  readonly request: Place;
  /** The last event that was looked at; absent: the walk has not begun. */
  readonly after?: Place;
}

/** Whether an endpoint neither got an event nor has it coming. */
export type IsMissed = (endpointId: string, eventId: string) => Promise<boolean>;

export const missedIn =
  (work: Documents): IsMissed =>
  async (endpointId, eventId) => {
    if ((await work.get(tasksCollection('webhooks'), deliveryId(endpointId, eventId))) !== undefined) return false;
    const where = { endpointId, eventId, status: 'succeeded' };
    return (await work.find(DELIVERIES, { where, sort: ['-attemptedAt'], limit: 1 })).length === 0;
  };

interface ReplayParts {
  readonly work: Documents;
  readonly log: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  readonly tasks: ReturnType<typeof tasksOf>;
  readonly isMissed: IsMissed;
}

async function positionOf({ log }: Pick<ReplayParts, 'log'>, { stream, revision }: Place): Promise<Position> {
  const [event] = await log.readStream(stream, { from: revision, limit: 1 });
  return event?.position ?? BEFORE_ALL;
}

/** The position of an event of the endpoint's own stream at or before a time; of its creation, when that is later. */
async function ownPosition(log: ReplayParts['log'], endpointId: string, at: number): Promise<Position> {
  const stream = streamName(webhookEndpoint.name, endpointId);
  for (let from: number | undefined; ; ) {
    const found = await log.readStream(stream, {
      direction: 'backwards',
      limit: PAGE,
      ...defined({ from }),
    });
    const earlier = found.find(({ meta }) => Date.parse(meta.at) <= at);
    const last = found.at(-1);
    if (earlier !== undefined || last === undefined || last.revision === 0)
      return (earlier ?? last)?.position ?? BEFORE_ALL;
    from = last.revision - 1;
  }
}

/**
 * Where to begin: an event from before the time, as late as can be had without a search. The endpoint's own stream has one
 * (its disabling, most often), the log of its attempts others; an endpoint that has been quiet for long is walked from its
 * creation. Positions tell no time, and engines promise only their order.
 */
async function beginning(parts: ReplayParts, { endpointId, since }: ReplaySince): Promise<Position> {
  const { work, log } = parts;
  const at = since - CLOCK_SKEW_MS;
  const where = { endpointId, status: EITHER, attemptedAt: { lte: at } };
  const attempts = await work.find<DeliveryBody>(DELIVERIES, { where, sort: ['-attemptedAt'], limit: LOOKED_AT });
  const ids = [...new Set(attempts.map(({ body }) => body.eventId))];
  const sources = [...(await work.getMany<Source>(SOURCES, ids)).values()].map(({ body }) => body);
  const logged = await Promise.all(
    sources.map(async (source) => ('stream' in source ? positionOf(parts, source) : BEFORE_ALL)),
  );
  return Math.max(await ownPosition(log, endpointId, at), ...logged);
}

/** What the endpoint would have been told of it, had it been on; undefined: nothing. */
async function typeFor(
  { directory }: ReplayParts,
  { since, until }: ReplaySince,
  endpoint: StandingEndpoint,
  event: RecordedEvent,
): Promise<string | undefined> {
  const at = Date.parse(event.meta.at);
  const { workspaceId } = event.meta;
  const type = eventTypeOf(event);
  if (type === undefined || workspaceId === undefined || !endpoint.events.includes(type)) return undefined;
  if (at < since || at >= until || endpoint.createdAt > at + CLOCK_SKEW_MS) return undefined;
  if ('workspaceId' in endpoint.owner) return endpoint.owner.workspaceId === workspaceId ? type : undefined;
  return (await ownersOf(directory, event, workspaceId)).includes(endpoint.owner.partnerId) ? type : undefined;
}

export function replaysSince(parts: ReplayParts) {
  const { work, log, directory, tasks, isMissed } = parts;

  async function isBusy({ tenant, endpointId }: ReplaySince): Promise<boolean> {
    const counts = lanesOf(tenant, endpointId).map((lane) =>
      work.count(tasksCollection('webhooks'), { lane }, MOST_WAITING),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) >= MOST_WAITING;
  }

  /** The next that may be told, up to a position; none: there are no more. A page of the log may have none and not be the last. */
  async function eventsAfter(after: Position, upTo: Position, signal: AbortSignal): Promise<readonly RecordedEvent[]> {
    const filter = { categories: SUBSCRIBED_CATEGORIES, types: Object.keys(SUBSCRIBED_EVENTS) };
    for (let from = after; from < upTo; ) {
      signal.throwIfAborted();
      const { events, through, end } = await log.readAll(from, { filter, limit: SLICE });
      const found = events.filter(({ position }) => position <= upTo);
      if (found.length > 0 || end) return found;
      from = through;
    }
    return [];
  }

  async function missedOf(payload: ReplaySince, endpoint: StandingEndpoint, events: readonly RecordedEvent[]) {
    const { tenant, endpointId, requestId } = payload;
    const next: NewTask[] = [];
    for (const event of events) {
      const type = await typeFor(parts, payload, endpoint, event);
      if (type === undefined || !(await isMissed(endpointId, event.id))) continue;
      next.push(...(await tasks(event, type, { tenant, endpointIds: [endpointId], requestId })));
    }
    return next;
  }

  return {
    async asked(asked: Asked<'WebhookReplaySinceRequested'>): Promise<NewTask<ReplaySince>[]> {
      const { id, stream, revision, streamId: endpointId, data, meta } = asked;
      const tenant = await tenantOf(directory, asked, data.owner);
      const since = Date.parse(data.since);
      const until = Date.parse(data.until ?? meta.at);
      const request = { stream, revision };
      const payload: ReplaySince = { endpointId, requestId: id, tenant, since, until, request };
      const lane = `${tenant}/${endpointId}.replay`;
      return [{ id: derivedId('webhookReplaySince', id), kind: 'replaySince', lane, payload }];
    },

    /** One slice. Ends early for an endpoint that is not on any more: what is sent to it would be dropped. */
    async slice({ payload }: Task<ReplaySince>, { commands, clock, signal }: ProcessorContext): Promise<Outcome> {
      const endpoint = await commands.query(webhookEndpoint, payload.endpointId, (state) => state);
      if (!isStanding(endpoint) || endpoint.status !== 'active') return { done: true };
      if (await isBusy(payload)) return { again: { at: clock.now() + REST_MS } };
      const { after: place } = payload;
      const through = await positionOf(parts, payload.request);
      const after = place === undefined ? await beginning(parts, payload) : await positionOf(parts, place);
      const events = await eventsAfter(after, through, signal);
      const next = await missedOf(payload, endpoint, events);
      const last = events.at(-1);
      if (last === undefined) return { done: true, next };
      const { stream, revision } = last;
      return { again: { at: clock.now(), payload: { ...payload, after: { stream, revision } } }, next };
    },
  };
}
