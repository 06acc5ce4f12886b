/**
 * Sends again what an endpoint was not told since a time, most of all what came while it was disabled and stands in no log of
 * deliveries. The log of events is walked in order, a slice a performance: a crash goes on at the slice that it cut off.
 */

import { derivedId } from '../../domain/ids.js';
import { eventTypeOf, SUBSCRIBED_CATEGORIES, SUBSCRIBED_EVENTS } from '../../domain/webhooks/eventTypes.js';
import { isStanding, type StandingEndpoint, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { Documents } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import type { AccessDirectory } from '../access/principal.js';
import type { Asked } from './asked.js';
import { deliveryId, notifyId, type tasksOf } from './deliveriesFor.js';
import { DELIVERIES } from './deliveryLog.js';
import { type CreatedAt, lanesOf, ownersOf, tenantOf } from './subscribers.js';

/** Events of all stores that are looked at in one performance, and one write. */
const SLICE = 200;
/** Deliveries of the endpoint that wait at once: the walk rests while there are more, so what is owed stays bounded. */
const MOST_WAITING = 500;
const REST_MS = 5000;
/** Events outside of the range that are skipped in one performance. */
const MOST_SKIPPED = 5_000;

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
export type IsMissed = (endpointId: string, eventId: string, context: ProcessorContext) => Promise<boolean>;

export const missedIn =
  (work: Documents): IsMissed =>
  async (endpointId, eventId, { isPending, shards }) => {
    const part = shards.count === 1 ? undefined : String(shards.of(endpointId));
    // The task that renders the event leads to the delivery, which leads to the log: in this order none is overlooked.
    if (await isPending(notifyId(eventId, part))) return false;
    if (await isPending(deliveryId(endpointId, eventId))) return false;
    const where = { endpointId, eventId, status: 'succeeded' };
    return (await work.find(DELIVERIES, { where, sort: ['-attemptedAt'], limit: 1 })).length === 0;
  };

interface ReplayParts {
  readonly work: Documents;
  readonly log: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  readonly tasks: ReturnType<typeof tasksOf>;
  readonly isMissed: IsMissed;
  readonly createdAt: CreatedAt;
}

async function positionOf({ log }: Pick<ReplayParts, 'log'>, { stream, revision }: Place): Promise<Position> {
  const [event] = await log.readStream(stream, { from: revision, limit: 1 });
  return event?.position ?? BEFORE_ALL;
}

function isWithin({ meta }: RecordedEvent, { since, until }: Pick<ReplaySince, 'since' | 'until'>): boolean {
  const at = Date.parse(meta.at);
  return at >= since && at < until;
}

/** What the endpoint would have been told of it, had it been on; undefined: nothing. */
async function typeFor(
  owners: Parameters<typeof ownersOf>[0],
  range: ReplaySince,
  endpoint: StandingEndpoint,
  event: RecordedEvent,
): Promise<string | undefined> {
  const { workspaceId } = event.meta;
  const type = eventTypeOf(event);
  if (type === undefined || workspaceId === undefined || !endpoint.events.includes(type)) return undefined;
  if (!isWithin(event, range)) return undefined;
  if ('workspaceId' in endpoint.owner) return endpoint.owner.workspaceId === workspaceId ? type : undefined;
  return (await ownersOf(owners, event, workspaceId)).includes(endpoint.owner.partnerId) ? type : undefined;
}

export function replaysSince(parts: ReplayParts) {
  const { work, log, directory, tasks, isMissed, createdAt } = parts;

  async function isBusy({ tenant, endpointId }: ReplaySince): Promise<boolean> {
    const counts = lanesOf(tenant, endpointId).map((lane) =>
      work.count(tasksCollection('webhooks'), { lane }, MOST_WAITING),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) >= MOST_WAITING;
  }

  /**
   * The next page in which something happened within the range, up to a position, or one without where many were skipped; none: there
   * are no more. Events are in no order of time.
   */
  async function eventsAfter(
    after: Position,
    upTo: Position,
    range: Pick<ReplaySince, 'since' | 'until'>,
    signal: AbortSignal,
  ): Promise<readonly RecordedEvent[]> {
    const filter = { categories: SUBSCRIBED_CATEGORIES, types: Object.keys(SUBSCRIBED_EVENTS) };
    let skipped = 0;
    for (let from = after; from < upTo; ) {
      signal.throwIfAborted();
      const { events, through, end } = await log.readAll(from, { filter, limit: SLICE });
      const found = events.filter(({ position }) => position <= upTo);
      skipped += found.length;
      if (end || skipped >= MOST_SKIPPED || found.some((event) => isWithin(event, range))) return found;
      from = through;
    }
    return [];
  }

  async function missedOf(
    payload: ReplaySince,
    endpoint: StandingEndpoint,
    events: readonly RecordedEvent[],
    context: ProcessorContext,
  ) {
    const { tenant, endpointId, requestId } = payload;
    const next: NewTask[] = [];
    for (const event of events) {
      const type = await typeFor({ directory, commands: context.commands }, payload, endpoint, event);
      if (type === undefined || !(await isMissed(endpointId, event.id, context))) continue;
      next.push(...(await tasks(event, type, { tenant, endpointIds: [endpointId], requestId })));
    }
    return next;
  }

  return {
    async asked(
      asked: Asked<'WebhookReplaySinceRequested'>,
      { commands }: ProcessorContext,
    ): Promise<NewTask<ReplaySince>[]> {
      const { id, stream, revision, streamId: endpointId, data } = asked;
      const tenant = await tenantOf({ directory, commands }, asked, data.owner);
      const since = Date.parse(data.since);
      const until = data.until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(data.until);
      const request = { stream, revision };
      const payload: ReplaySince = { endpointId, requestId: id, tenant, since, until, request };
      const lane = `${tenant}/${endpointId}.replay`;
      return [{ id: derivedId('webhookReplaySince', id), kind: 'replaySince', lane, payload }];
    },

    /** One slice. Ends early for an endpoint that is not on any more: what is sent to it would be dropped. */
    async slice({ payload }: Task<ReplaySince>, context: ProcessorContext): Promise<Outcome> {
      const { commands, clock, signal } = context;
      const endpoint = await commands.query(webhookEndpoint, payload.endpointId, (state) => state);
      if (!isStanding(endpoint) || endpoint.status !== 'active') return { done: true };
      if (await isBusy(payload)) return { again: { at: clock.now() + REST_MS } };
      const { after: place } = payload;
      const through = await positionOf(parts, payload.request);
      const after = await (place === undefined ? createdAt(payload.endpointId) : positionOf(parts, place));
      const events = await eventsAfter(after, through, payload, signal);
      const next = await missedOf(payload, endpoint, events, context);
      const last = events.at(-1);
      if (last === undefined) return { done: true, next };
      const { stream, revision } = last;
      return { again: { at: clock.now(), payload: { ...payload, after: { stream, revision } } }, next };
    },
  };
}
