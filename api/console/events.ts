/** The event explorer: looking back, one event, and what it led to. */
import { map, type Observable } from 'rxjs';
import type { Viewer } from '../../application/console/access.js';
import { actorNames } from '../../application/console/actorNames.js';
import { effectsOf } from '../../application/console/effects.js';
import type { EventQuestion } from '../../application/console/eventFilter.js';
import { searchEvents } from '../../application/console/eventSearch.js';
import { type LiveBatch, liveEvents } from '../../application/console/liveEvents.js';
import { indexedLog } from '../../application/history/historySteps.js';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Services } from '../contract/services.js';
import { once } from '../http/once.js';
import { eventBody, wholeEventBody } from './bodies.js';
import type { ConsoleAreaBody, ConsoleLiveBody } from './contract.js';
import { type ConsoleOperation, consoleRead, notFound, textOf, timeOf, wholeOf } from './request.js';
import { batchOnce, type TailBatch } from './tail.js';

const DEFAULT_LIMIT = 50;
const MOST = 200;

/** A store's people learn that it was the operator, and not who. */
export const namesFor = ({ role }: Viewer) => ({ accounts: role !== 'store' });

const actorOf = (requested: string | undefined, { role }: Viewer): string | undefined =>
  role === 'store' && requested?.startsWith('operator:') ? 'nobody' : requested;

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
    workspaceId: viewer.role === 'store' ? (viewer.workspaceId ?? '') : textOf(query, 'workspace'),
  });
}

/** The event at a place; one that the viewer may not see is as unknown as none. */
async function eventAt({ eventStore }: Services, text: string, viewer: Viewer): Promise<RecordedEvent> {
  const position = /^\d{1,16}$/.test(text) ? Number(text) : notFound('event');
  const { events } = await eventStore.readAll(position - 1, { limit: 1 });
  const [found] = events;
  if (found === undefined || found.position !== position) return notFound('event');
  if (viewer.role === 'store' && found.meta.workspaceId !== viewer.workspaceId) return notFound('event');
  return found;
}

/** Returns the owners whose endpoints the viewer may see for an event. Members of a store see the store's own. */
async function ownersOf({ directory }: Services, { meta }: RecordedEvent, viewer: Viewer): Promise<readonly string[]> {
  if (meta.workspaceId === undefined) return [];
  if (viewer.role === 'store') return [meta.workspaceId];
  const partnerId = (await directory.workspace(meta.workspaceId))?.partnerId;
  return partnerId === undefined ? [meta.workspaceId] : [meta.workspaceId, partnerId];
}

/** Streams new events, from now on or from the browser's last position. */
export const eventTail = (
  { eventStore, reads }: Services,
  areas: readonly ConsoleAreaBody[],
): ((query: URLSearchParams, viewer: Viewer, since: string) => Observable<TailBatch>) => {
  const live = liveEvents(eventStore);
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
  return (query, viewer, since) =>
    live
      .watch(questionOf(query, viewer, areas), /^\d{1,16}$/.test(since) ? Number(since) : undefined)
      .pipe(map(batchOf));
};

export const eventOperations = (services: Services, areas: readonly ConsoleAreaBody[]): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.areas',
    path: '/areas',
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
