/** The event explorer: looking back, one event, and what it led to. */
import { map, type Observable } from 'rxjs';
import type { CurrentMember } from '../../application/access/principal.js';
import type { Viewer } from '../../application/console/access.js';
import { actorNames } from '../../application/console/actorNames.js';
import { effectsOf } from '../../application/console/effects.js';
import type { EventQuestion } from '../../application/console/eventFilter.js';
import { searchEvents } from '../../application/console/eventSearch.js';
import type { LiveBatch, LiveEvents } from '../../application/console/liveEvents.js';
import { indexedLog } from '../../application/history/historySteps.js';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import { conversations } from '../../projections/conversations.js';
import { orders } from '../../projections/orders.js';
import type { Services } from '../contract/services.js';
import { once } from '../http/once.js';
import { seesTeam } from '../operations/inbox/visibility.js';
import { eventBody, wholeEventBody } from './bodies.js';
import type { ConsoleAreaBody, ConsoleEventBody, ConsoleLiveBody } from './contract.js';
import {
  type ConsoleOperation,
  consoleRead,
  notFound,
  onlyStoreOf,
  seesStore,
  textOf,
  timeOf,
  WHOLE_STORE,
  wholeOf,
} from './request.js';
import { batchOnce, type TailBatch } from './tail.js';

const DEFAULT_LIMIT = 50;
const MOST = 200;

/** A store's people learn that it was the operator, and not who. */
export const namesFor = (viewer: Viewer) => ({ accounts: onlyStoreOf(viewer) === undefined });

const actorOf = (requested: string | undefined, viewer: Viewer): string | undefined =>
  onlyStoreOf(viewer) !== undefined && requested?.startsWith('operator:') ? 'nobody' : requested;

/** Reads the filters of an event query. Members of a store always query their own store. */
export function questionOf(query: URLSearchParams, viewer: Viewer, areas: readonly ConsoleAreaBody[]): EventQuestion {
  const area = textOf(query, 'area');
  const types = textOf(query, 'type')?.split(',');
  return defined({
    stream: textOf(query, 'stream'),
    types,
    categories:
      area === undefined ? undefined : (areas.find((one) => one.area === area)?.categories ?? notFound('area')),
    actor: actorOf(textOf(query, 'actor'), viewer),
    correlationId: textOf(query, 'correlation'),
    from: timeOf(query, 'from'),
    to: timeOf(query, 'to'),
    workspaceId: onlyStoreOf(viewer) ?? textOf(query, 'workspace'),
  });
}

/** Categories of events that members may follow who do not see the whole store. */
const OF_TEAMS = ['conversation', 'order'];

const ofTeams = ({ categories, ...question }: EventQuestion): EventQuestion => ({
  ...question,
  categories: OF_TEAMS.filter((one) => categories?.includes(one) ?? true),
});

/** Removes events about orders and conversations of teams that the member does not see. Those not in the views yet stay. */
async function seenBy(reads: Pick<Reads, 'getMany'>, events: readonly RecordedEvent[], member: CurrentMember) {
  if (member.seesEveryTeam) return events;
  const idsOf = (category: string): string[] =>
    events.flatMap(({ stream }) => (stream.startsWith(`${category}-`) ? [stream.slice(category.length + 1)] : []));
  const [ofConversations, ofOrders] = await Promise.all([
    reads.getMany(conversations, idsOf('conversation')),
    reads.getMany(orders, idsOf('order')),
  ]);
  return events.filter(({ stream }) => {
    const id = stream.slice(stream.indexOf('-') + 1);
    return seesTeam(member, (ofConversations.get(id) ?? ofOrders.get(id))?.keys.teamId);
  });
}

/** An event that a member may know of without its content. */
const withoutContent = (event: RecordedEvent): ConsoleEventBody => ({
  ...eventBody(event, () => ''),
  actor: { type: event.meta.actor.type, name: '' },
  summary: '',
});

/** The event at a place; one that the viewer may not see is as unknown as none. */
async function eventAt({ eventStore }: Services, text: string, viewer: Viewer): Promise<RecordedEvent> {
  const position = /^\d{1,16}$/.test(text) ? Number(text) : notFound('event');
  const { events } = await eventStore.readAll(position - 1, { limit: 1 });
  const [found] = events;
  if (found === undefined || found.position !== position) return notFound('event');
  if (!seesStore(viewer, found.meta.workspaceId)) return notFound('event');
  return found;
}

/** Returns the owners whose endpoints the viewer may see for an event. Members of a store see the store's own. */
async function ownersOf({ directory }: Services, { meta }: RecordedEvent, viewer: Viewer): Promise<readonly string[]> {
  if (meta.workspaceId === undefined) return [];
  if (onlyStoreOf(viewer) !== undefined) return [meta.workspaceId];
  const partnerId = (await directory.workspace(meta.workspaceId))?.partnerId;
  return partnerId === undefined ? [meta.workspaceId] : [meta.workspaceId, partnerId];
}

/** Streams new events, from now on or from the browser's last position. */
export const eventTail = (
  { reads }: Pick<Services, 'reads'>,
  live: Pick<LiveEvents, 'watch'>,
  areas: readonly ConsoleAreaBody[],
): ((query: URLSearchParams, viewer: Viewer, since: string) => Observable<TailBatch>) => {
  const batchOf = batchOnce(({ events, left, through, missed }: LiveBatch) => {
    const reported = once(async () => {
      const nameOf = await actorNames(reads, events);
      return events.map((event) => eventBody(event, nameOf));
    });
    return {
      ...{ id: through, count: events.length, left },
      body: async (all: number): Promise<ConsoleLiveBody> => ({
        ...{ events: await reported(), left: all },
        ...defined({ missed }),
      }),
    };
  });
  const partOf =
    (member: CurrentMember) =>
    ({ events, left, through, missed }: LiveBatch): TailBatch => ({
      ...{ id: through, count: events.length, left },
      body: async (all: number): Promise<ConsoleLiveBody> => ({
        ...{ events: (await seenBy(reads, events, member)).map(withoutContent), left: all },
        ...defined({ missed }),
      }),
    });
  return (query, viewer, since) => {
    const question = questionOf(query, viewer, areas);
    const place = /^\d{1,16}$/.test(since) ? Number(since) : undefined;
    const { member } = viewer;
    if (member === undefined || member.scopes.has(WHOLE_STORE)) return live.watch(question, place).pipe(map(batchOf));
    return live.watch(ofTeams(question), place).pipe(map(partOf(member)));
  };
};

export const eventOperations = (services: Services, areas: readonly ConsoleAreaBody[]): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.areas',
    path: '/areas',
    members: 'every member',
    silent: true,
    answer: async () => ({ areas }),
  }),
  consoleRead({
    id: 'console.searchEvents',
    path: '/events',
    async answer({ query, viewer }) {
      const before = wholeOf(query, 'before');
      // Before the looking: what is appended meanwhile is the tail's.
      const head = before === undefined ? await services.eventStore.head() : undefined;
      const { events, next, seen } = await searchEvents(
        indexedLog(services.eventStore, services.historyIndex),
        questionOf(query, viewer, areas),
        {
          limit: wholeOf(query, 'limit', MOST) || DEFAULT_LIMIT,
          before: before ?? head! + 1,
        },
      );
      const nameOf = await actorNames(services.reads, events, namesFor(viewer));
      return { events: events.map((event) => eventBody(event, nameOf)), seen, ...defined({ next, head }) };
    },
  }),
  consoleRead({
    id: 'console.getEvent',
    path: '/events/{position}',
    async answer({ params, viewer }) {
      const event = await eventAt(services, params.position!, viewer);
      return wholeEventBody(event, await actorNames(services.reads, [event], namesFor(viewer)));
    },
  }),
  consoleRead({
    id: 'console.getEffects',
    path: '/events/{position}/effects',
    async answer({ params, viewer }) {
      const event = await eventAt(services, params.position!, viewer);
      const { eventStore: log, work, reads } = services;
      const owners = await ownersOf(services, event, viewer);
      const { events, webhooks, bounded, causes } = await effectsOf({ log, work, reads }, event, owners);
      const nameOf = await actorNames(reads, [...causes, ...events], namesFor(viewer));
      const bodies = (all: typeof events) => all.map((one) => eventBody(one, nameOf));
      return { causes: bodies(causes), events: bodies(events), webhooks, bounded };
    },
  }),
];
