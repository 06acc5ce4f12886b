/** The log: as it grows, and looking back; narrowed by where, what, who, why and when. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleEventBody } from '../../../api/console/contract.js';
import { type Failed, readConsole } from '../api/client.js';
import { useTail } from '../api/tail.js';
import { type FilterValues, fieldOf, filtersOf, queryOf, StoreAndTime } from '../ui/filters.js';
import { clock, day } from '../ui/format.js';
import { Gaps, Live } from '../ui/live.js';
import { useLoad } from '../ui/load.js';
import type { PageContext } from '../ui/pageContext.js';
import { When } from '../ui/parts.js';
import { hrefOf, usePlace } from '../ui/router.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { Virtual } from '../ui/virtual.js';

const ROW_PX = 44;
const PAGE = 100;
/** Rows that a page keeps: what is older is found by looking back again. */
const MOST_KEPT = 5000;
const FIELDS = ['area', 'type', 'stream', 'actor', 'correlation', 'workspace', 'from', 'to'] as const;

const ACTORS: readonly string[] = ['customer', 'member', 'api_key', 'partner_key', 'system', 'system:operator'];

interface Found {
  readonly key: string;
  readonly events: readonly ConsoleEventBody[];
  readonly next?: number | undefined;
  /** End of the log when it was read. */
  readonly head?: number | undefined;
  readonly loading: boolean;
  readonly error?: Failed;
}

/** Loads events of the log while scrolling, and puts new ones before them. */
function useEvents(requested: FilterValues) {
  const key = JSON.stringify(requested);
  const [found, setFound] = useState<Found>({ key, events: [], loading: true });
  const current = useRef(key);
  current.current = key;
  const request = (before?: number): void => {
    const mine = key;
    setFound((was) => ({ ...(was.key === mine ? was : { key: mine, events: [] }), loading: true }));
    readConsole('/events', {}, { ...queryOf(requested), limit: PAGE, before }).then(
      ({ events, next, head }) =>
        current.current === mine &&
        setFound((was) => ({
          key: mine,
          head: head ?? was.head,
          events: [...(before === undefined ? [] : was.events), ...events],
          next,
          loading: false,
        })),
      (error) => current.current === mine && setFound((was) => ({ ...was, loading: false, error })),
    );
  };
  useEffect(() => request(), [key]);
  const shown: Found = found.key === key ? found : { key, events: [], loading: true };
  return {
    ...shown,
    add: (newer: readonly ConsoleEventBody[]) =>
      setFound((was) => {
        const known = was.events[0]?.position ?? -1;
        const fresh = newer.filter(({ position }) => position > known).toReversed();
        return fresh.length === 0 ? was : { ...was, events: [...fresh, ...was.events].slice(0, MOST_KEPT) };
      }),
    more: (last: number) => {
      const { loading, next, events } = shown;
      if (!loading && next !== undefined && last >= events.length - 10 && events.length < MOST_KEPT) request(next);
    },
    again: () => request(),
  };
}

function Filters({
  filters,
  session,
  stores,
  moreStores,
  zone,
}: PageContext & { filters: FilterValues; zone: string | undefined }) {
  const areas = useLoad('areas', () => readConsole('/areas')).data?.areas ?? [];
  const area = areas.find((one) => one.area === filters.area);
  const types = (area === undefined ? areas : [area]).flatMap((one) => one.types);
  const field = (name: (typeof FIELDS)[number]) => fieldOf(filters, name, name === 'area' ? 'type' : undefined);
  return (
    <form class="filters fields" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
      <label>
        Area{' '}
        <select {...field('area')}>
          <option value="">all</option>
          {areas.map((one) => (
            <option key={one.area}>{one.area}</option>
          ))}
        </select>
      </label>
      <label>
        Type{' '}
        <select {...field('type')}>
          <option value="">all</option>
          {types.map(({ type, causedBy }) => (
            <option key={type} value={type} title={causedBy}>
              {type}
            </option>
          ))}
        </select>
      </label>
      <label>
        Stream <input {...field('stream')} placeholder="order-…" size={16} />
      </label>
      <label>
        Who{' '}
        <select {...field('actor')}>
          <option value="">anybody</option>
          {(filters.actor === undefined || ACTORS.includes(filters.actor) ? ACTORS : [...ACTORS, filters.actor]).map(
            (one) => (
              <option key={one} value={one}>
                {one.replace('_', ' ').replace('system:', '')}
              </option>
            ),
          )}
        </select>
      </label>
      <label>
        Chain <input {...field('correlation')} placeholder="correlation id" size={14} />
      </label>
      <StoreAndTime {...{ filters, session, stores, moreStores, zone }} page="/events" />
    </form>
  );
}

const HEAD = (
  <div class="head" role="rowgroup">
    <div class="cells event-cells" role="row">
      {['When', 'What', 'Who', 'Stream', 'Data'].map((name) => (
        <span role="columnheader" key={name}>
          {name}
        </span>
      ))}
    </div>
  </div>
);

const HUES: Readonly<Record<string, number>> = {
  order: 160,
  conversation: 210,
  catalog: 35,
  payments: 290,
  webhookEndpoint: 330,
};
function hueOf(stream: string): number {
  const category = stream.split('-', 1)[0]!;
  return HUES[category] ?? [...category].reduce((sum, letter) => sum + letter.charCodeAt(0) * 7, 0) % 360;
}

function EventRow({ event, zone, index }: { event: ConsoleEventBody; zone: string | undefined; index: number }) {
  return (
    <div class="row cells event-cells" role="row" aria-rowindex={index + 1} style={{ height: `${ROW_PX}px` }}>
      <span role="cell" class="soft when">
        <When at={event.at} zone={zone} text={`${day(event.at, zone).split(',')[0]}, ${clock(event.at, zone)}`} />
      </span>
      <span role="cell" class="type">
        <i class="dot" style={{ '--hue': String(hueOf(event.stream)) }} aria-hidden="true" />
        <a class="whole" href={hrefOf(`/events/${event.position}`)}>
          {event.type}
        </a>
      </span>
      <span role="cell">
        <bdi>{event.actor.name}</bdi>
      </span>
      <span role="cell" class="soft stream">
        {event.stream}
      </span>
      <span role="cell" class="fine data">
        <bdi>{event.summary}</bdi>
      </span>
    </div>
  );
}

/** Why there is no row, and how to come to one. */
function NoRows({ found }: { found: ReturnType<typeof useEvents> }) {
  const { loading, error, next, again, more } = found;
  if (loading) return <Loading rows={12} />;
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (next === undefined) return <Empty title="Nothing yet">No matching events. New events appear here.</Empty>;
  return (
    <Empty title="No recent events">
      <button type="button" class="button" onClick={() => more(0)}>
        Load earlier events
      </button>
    </Empty>
  );
}

export function Events({ session, stores, moreStores }: PageContext) {
  const { query } = usePlace();
  const requested = filtersOf(FIELDS, query);
  const found = useEvents(requested);
  const { events, loading, next, head } = found;
  const isPast = requested.to !== undefined;
  const [paused, setPaused] = useState(false);
  const isReady = !loading || events.length > 0;
  const follows = isReady && !paused && !isPast;
  const tail = useTail('/tail', queryOf(requested), follows, head, (message) => found.add(message.events));
  // One zone for all rows: a store's where one is looked at.
  const one = session.workspaceId ?? requested.workspace;
  const zone = stores.find(({ workspaceId }) => workspaceId === one)?.timezone;
  return (
    <section class="page fill">
      <header class="title">
        <h1>Event log</h1>
        <p class="fine">times in {zone ?? 'UTC'}</p>
        <Live isPast={isPast} paused={paused} tail={tail} turn={() => setPaused(!paused)} />
      </header>
      <Filters filters={requested} {...{ session, stores, moreStores }} zone={zone} />
      <Gaps
        tail={tail}
        called={['event', 'events']}
        zone={zone}
        hrefFor={(range) => hrefOf('/events', { ...requested, ...range })}
      />
      {events.length === 0 ? (
        <NoRows found={found} />
      ) : (
        <Virtual
          count={events.length}
          height={ROW_PX}
          label="Events, newest first"
          onReach={found.more}
          head={HEAD}
          row={(i) => <EventRow key={events[i]!.id} event={events[i]!} zone={zone} index={i} />}
          foot={next !== undefined && <p class="more fine">{loading ? 'Loading earlier entries…' : 'More below'}</p>}
        />
      )}
    </section>
  );
}
