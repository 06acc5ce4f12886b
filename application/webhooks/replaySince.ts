/**
 * Sends events again that an endpoint did not get since a time, mainly those from a time when it was disabled, which are in no log of
 * deliveries. The log of events is scanned in order, one slice per performance, so that a crash repeats only one slice.
 */

import { derivedId } from '../../domain/ids.js';
import { eventTypeOf, SUBSCRIBED_CATEGORIES, SUBSCRIBED_EVENTS } from '../../domain/webhooks/eventTypes.js';
import { type ExistingEndpoint, isOpen, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { Documents } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../../engine/processors/processor.js';
import { tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import type { AccessDirectory } from '../access/principal.js';
import { deliveryId, notifyId, type tasksOf } from './deliveriesFor.js';
import { DELIVERIES } from './deliveryLog.js';
import type { RequestedEvent } from './requestedDeliveries.js';
import { type CreatedAt, lanesOf, ownersOf, tenantOf } from './subscribers.js';

/** Events of all stores that are scanned per performance and write. */
const SLICE = 200;
/** Maximum pending deliveries of the endpoint. The scan pauses while there are more, so that the backlog is bounded. */
const MOST_WAITING = 500;
const REST_MS = 5000;
/** Maximum events outside of the range that are skipped per performance. */
const MOST_SKIPPED = 5_000;

/** Place of an event: not its position, which changes if the history, and the task with it, is moved. */
interface Place {
  readonly stream: string;
  readonly revision: number;
}

export interface ReplaySince {
  readonly endpointId: string;
  readonly requestId: string;
  readonly tenant: string;
  /** ms since 1970. `until` is exclusive. */
  readonly since: number;
  readonly until: number;
  /** The request. Later events were published as they happened. */
  readonly request: Place;
  /** Last scanned event. Absent: the scan has not started. */
  readonly after?: Place;
}

/** Returns true if an endpoint neither got an event nor has it pending. */
export type IsMissed = (endpointId: string, eventId: string, context: ProcessorContext) => Promise<boolean>;

export const missedIn =
  (work: Documents): IsMissed =>
  async (endpointId, eventId, { isPending, shards }) => {
    const part = shards.count === 1 ? undefined : String(shards.of(endpointId));
    // The rendering task leads to the delivery, which leads to the log, so this order misses none.
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

/** Returns the webhook event type that the endpoint would have got. Undefined: none. */
async function typeFor(
  owners: Parameters<typeof ownersOf>[0],
  range: ReplaySince,
  endpoint: ExistingEndpoint,
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
   * Returns the next page with an event in the range, up to a position, or a page without one after skipping many. An empty page: there are
   * no more. Events are not ordered by time.
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
    endpoint: ExistingEndpoint,
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
    async requested(
      requested: RequestedEvent<'WebhookReplaySinceRequested'>,
      { commands }: ProcessorContext,
    ): Promise<NewTask<ReplaySince>[]> {
      const { id, stream, revision, streamId: endpointId, data } = requested;
      const tenant = await tenantOf({ directory, commands }, requested, data.owner);
      const since = Date.parse(data.since);
      const until = data.until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(data.until);
      const request = { stream, revision };
      const payload: ReplaySince = { endpointId, requestId: id, tenant, since, until, request };
      const lane = `${tenant}/${endpointId}.replay`;
      return [{ id: derivedId('webhookReplaySince', id), kind: 'replaySince', lane, payload }];
    },

    /** Processes one slice. Ends early if the endpoint is disabled, since deliveries to it would be dropped. */
    async slice({ payload }: Task<ReplaySince>, context: ProcessorContext): Promise<Outcome> {
      const { commands, clock, signal } = context;
      const endpoint = await commands.query(webhookEndpoint, payload.endpointId, (state) => state);
      if (!isOpen(endpoint) || endpoint.status !== 'active') return { done: true };
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
