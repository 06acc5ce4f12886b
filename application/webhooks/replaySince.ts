/**
 * Sends again what an endpoint was not told since a time, most of all what came while it was disabled and stands in no log of
 * deliveries. The log of events is walked in order, a slice a performance: a crash goes on at the slice that it cut off.
 */
import { TOLD, TOLD_CATEGORIES, toldAs } from '../../domain/webhooks/eventTypes.js';
import { isStanding, type StandingEndpoint, webhookEndpoint } from '../../domain/webhooks/webhookEndpoint.js';
import type { AccessDirectory } from '../access/principal.js';
import { derivedId } from '../ids.js';
import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent, streamName } from '../ports/eventStore.js';
import type { ReadModels } from '../ports/readModels.js';
import type { NewTask, Outcome, ProcessorContext, Task } from '../processors/processor.js';
import { tasksCollection } from '../processors/taskDocuments.js';
import type { Asked } from './asked.js';
import { DELIVERIES, type DeliveryBody, SOURCES, type Source } from './deliveryLog.js';
import { CLOCK_SKEW_MS, lanesOf, ownersOf, tenantOf } from './subscribers.js';
import { deliveryId, type tasksOf } from './telling.js';

/** Events of all stores that are looked at in one performance, and one write. */
const SLICE = 200;
/** Deliveries of the endpoint that wait at once: the walk rests while there are more, so what is owed stays bounded. */
const MOST_WAITING = 500;
const REST_MS = 5000;
/** Latest attempts that are asked where their events stand. */
const LOOKED_AT = 10;
const PAGE = 100;

export interface ReplaySince {
  readonly endpointId: string;
  readonly requestId: string;
  readonly tenant: string;
  /** ms since 1970; `until` is not part of it. */
  readonly since: number;
  readonly until: number;
  /** Where the request stands: what came after it was told as it came. */
  readonly through: Position;
  /** How far the walk has come; absent: it has not begun. */
  readonly after?: Position;
}

/** Whether an endpoint neither got an event nor has it coming. */
export type IsMissed = (endpointId: string, eventId: string) => Promise<boolean>;

export const missedIn =
  (work: ReadModels): IsMissed =>
  async (endpointId, eventId) => {
    if ((await work.get(tasksCollection('webhooks'), deliveryId(endpointId, eventId))) !== undefined) return false;
    const where = { endpointId, eventId, status: 'succeeded' };
    return (await work.find(DELIVERIES, { where, sort: ['-attemptedAt'], limit: 1 })).length === 0;
  };

interface ReplayParts {
  readonly work: ReadModels;
  readonly log: Pick<EventStore, 'readStream' | 'readAll'>;
  readonly directory: Pick<AccessDirectory, 'workspace'>;
  readonly tasks: ReturnType<typeof tasksOf>;
  readonly isMissed: IsMissed;
}

/** The position of an event of the endpoint's own stream at or before a time; of its creation, when that is later. */
async function ownPosition(log: ReplayParts['log'], endpointId: string, at: number): Promise<Position> {
  const stream = streamName(webhookEndpoint.name, endpointId);
  for (let from: number | undefined; ; ) {
    const found = await log.readStream(stream, {
      direction: 'backwards',
      limit: PAGE,
      ...(from !== undefined && { from }),
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
async function beginning({ work, log }: ReplayParts, { endpointId, since }: ReplaySince): Promise<Position> {
  const at = since - CLOCK_SKEW_MS;
  const where = { endpointId, attemptedAt: { lte: at } };
  const attempts = await work.find<DeliveryBody>(DELIVERIES, { where, sort: ['-attemptedAt'], limit: LOOKED_AT });
  const ids = [...new Set(attempts.map(({ body }) => body.eventId))];
  const sources = [...(await work.getMany<Source>(SOURCES, ids)).values()].map(({ body }) => body);
  const logged = await Promise.all(
    sources.map(async (source) => {
      if (!('stream' in source)) return BEFORE_ALL;
      const [event] = await log.readStream(source.stream, { from: source.revision, limit: 1 });
      return event?.position ?? BEFORE_ALL;
    }),
  );
  return Math.max(await ownPosition(log, endpointId, at), ...logged);
}

/** What the endpoint would have been told of it, had it been on; undefined: nothing. */
async function typeFor(
  { directory }: ReplayParts,
  { since, until, through }: ReplaySince,
  endpoint: StandingEndpoint,
  event: RecordedEvent,
): Promise<string | undefined> {
  const at = Date.parse(event.meta.at);
  const { workspaceId } = event.meta;
  const type = toldAs(event);
  if (type === undefined || workspaceId === undefined || !endpoint.events.includes(type)) return undefined;
  if (at < since || at >= until || event.position > through || endpoint.createdAt > at + CLOCK_SKEW_MS)
    return undefined;
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
      const { id, streamId: endpointId, data, meta, position } = asked;
      const tenant = await tenantOf(directory, asked, data.owner);
      const since = Date.parse(data.since);
      const until = Date.parse(data.until ?? meta.at);
      const payload: ReplaySince = { endpointId, requestId: id, tenant, since, until, through: position };
      const lane = `${tenant}/${endpointId}.replay`;
      return [{ id: derivedId('webhookReplaySince', id), kind: 'replaySince', lane, payload }];
    },

    /** One slice. Ends early for an endpoint that is not on any more: what is sent to it would be dropped. */
    async slice({ payload }: Task<ReplaySince>, { commands, clock }: ProcessorContext): Promise<Outcome> {
      const endpoint = await commands.query(webhookEndpoint, payload.endpointId, (state) => state);
      if (!isStanding(endpoint) || endpoint.status !== 'active') return { done: true };
      if (await isBusy(payload)) return { again: { at: clock.now() + REST_MS } };
      const after = payload.after ?? (await beginning(parts, payload));
      const filter = { categories: TOLD_CATEGORIES, types: Object.keys(TOLD) };
      const { events, through, end } = await log.readAll(after, { filter, limit: SLICE });
      const next = await missedOf(payload, endpoint, events);
      if (end || through >= payload.through) return { done: true, next };
      return { again: { at: clock.now(), payload: { ...payload, after: through } }, next };
    },
  };
}
