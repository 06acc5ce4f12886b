/** Recent requests of each key, live: the request, its outcome, and the events that it appended. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleRequestBody } from '../../../api/console/contract.js';
import { type Failed, readConsole } from '../api/client.js';
import { useTail } from '../api/tail.js';
import { type FilterValues, fieldOf, filtersOf, queryOf, StoreAndTime } from '../ui/filters.js';
import { clock, count, span } from '../ui/format.js';
import { Gaps, Live } from '../ui/live.js';
import { asFailed } from '../ui/load.js';
import type { PageContext } from '../ui/pageContext.js';
import { ListHead } from '../ui/paged.js';
import { Own, When } from '../ui/parts.js';
import { hrefOf, usePlace } from '../ui/router.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { Virtual } from '../ui/virtual.js';

const ROW_PX = 44;
const PAGE = 100;
/** Rows that a page keeps. */
const MOST_KEPT = 5000;
const FIELDS = ['key', 'operation', 'status', 'code', 'request', 'workspace', 'from', 'to'] as const;
const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const;

interface Found {
  readonly key: string;
  readonly requests: readonly ConsoleRequestBody[];
  readonly next?: number | undefined;
  /** Id of the process that answered. */
  readonly run?: string;
  readonly loading: boolean;
  readonly error?: Failed;
}

const runOf = (place: string): string => place.slice(0, place.lastIndexOf('.'));

function useRequests(requested: FilterValues) {
  const key = JSON.stringify(requested);
  const [found, setFound] = useState<Found>({ key, requests: [], loading: true });
  const current = useRef(key);
  current.current = key;
  const request = (before?: number): void => {
    setFound((was) => ({ ...(was.key === key ? was : { key, requests: [] }), loading: true }));
    readConsole('/requests', {}, { ...queryOf(requested), limit: PAGE, before }).then(
      ({ requests, next, since }) =>
        current.current === key &&
        setFound((was) => ({
          ...{ key, next, run: runOf(since), loading: false },
          requests: [...(before === undefined ? [] : was.requests), ...requests],
        })),
      (error: unknown) =>
        current.current === key && setFound((was) => ({ ...was, loading: false, error: asFailed(error) })),
    );
  };
  useEffect(() => request(), [key]);
  const shown: Found = found.key === key ? found : { key, requests: [], loading: true };
  return {
    ...shown,
    since: shown.run === undefined ? undefined : `${shown.run}.${shown.requests[0]?.number ?? 0}`,
    /** After a restart numbers start from 1 again, so earlier rows are dropped. */
    add: (newer: readonly ConsoleRequestBody[]) =>
      setFound((was) => {
        const known = was.requests[0]?.number ?? 0;
        const isAgain =
          newer.length > 0 && newer.every(({ number, at }) => number <= known && at > was.requests[0]!.at);
        const fresh = (isAgain ? newer : newer.filter(({ number }) => number > known)).toReversed();
        return fresh.length === 0
          ? was
          : { ...was, requests: [...fresh, ...(isAgain ? [] : was.requests)].slice(0, MOST_KEPT) };
      }),
    more: (last: number) => {
      const { loading, next, requests } = shown;
      if (!loading && next !== undefined && last >= requests.length - 10 && requests.length < MOST_KEPT) request(next);
    },
    again: () => request(),
  };
}

interface FiltersProps extends PageContext {
  readonly filters: FilterValues;
  /** Keys by their ids. */
  readonly keys: ReadonlyMap<string, string>;
  readonly zone: string | undefined;
}

function Filters({ filters, session, stores, moreStores, keys, zone }: FiltersProps) {
  const field = (name: (typeof FIELDS)[number]) => fieldOf(filters, name);
  const { status = '', key } = filters;
  const chosen = key === undefined || keys.has(key) ? [...keys] : [[key, key] as const, ...keys];
  return (
    <form class="filters fields" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
      <label>
        Key{' '}
        <select {...field('key')}>
          <option value="">all</option>
          {chosen.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Operation <input {...field('operation')} placeholder="listOrders" size={16} />
      </label>
      <label>
        Status{' '}
        <select {...field('status')}>
          <option value="">any</option>
          {(status === '' || STATUSES.includes(status as '2xx') ? STATUSES : [...STATUSES, status]).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        Code <input {...field('code')} placeholder="not_found" size={14} />
      </label>
      <label>
        Request <input {...field('request')} placeholder="X-Request-Id" size={14} />
      </label>
      <StoreAndTime {...{ filters, session, stores, moreStores, zone }} page="/requests" />
    </form>
  );
}

const HEAD = (
  <ListHead
    cells="request-cells"
    names={['When', 'Operation', 'Status', 'Code', 'Duration', 'Key', 'Events', 'Request']}
    numbers={['Duration', 'Events']}
  />
);

const toneOf = (status: number): string =>
  status >= 500 ? 'red' : status >= 400 ? 'amber' : status >= 300 ? 'blue' : 'green';

/** Link to the events of a request: their correlation id is the request's. */
const eventsOf = ({ requestId, at, ms }: ConsoleRequestBody): string =>
  hrefOf('/events', { correlation: requestId, from: new Date(Date.parse(at) - ms - 1000).toISOString() });

interface RowProps {
  readonly request: ConsoleRequestBody;
  readonly zone: string | undefined;
  readonly index: number;
}

function RequestRow({ request, zone, index }: RowProps) {
  const { at, operation, status, code, ms, key, member, events, requestId } = request;
  return (
    <div class="row cells request-cells" role="row" aria-rowindex={index + 1} style={{ height: `${ROW_PX}px` }}>
      <span role="cell" class="soft when">
        <When at={at} zone={zone} text={clock(at, zone)} />
      </span>
      <span role="cell">
        <a class="plain-link" href={hrefOf('/requests', { operation })}>
          {operation}
        </a>
      </span>
      <span role="cell">
        <span class={`chip ${toneOf(status)}`}>{status}</span>
      </span>
      <span role="cell" class="fine">
        {code}
      </span>
      <span role="cell" class="num soft">
        {ms < 100 ? `${ms.toFixed(1)} ms` : span(ms)}
      </span>
      <span role="cell">
        <a class="plain-link" href={hrefOf('/requests', { key: key.id })} title={key.id}>
          <Own text={member === undefined ? key.name : `${member} · ${key.name}`} />
        </a>
      </span>
      <span role="cell" class="num">
        {events > 0 ? <a href={eventsOf(request)}>{count(events)}</a> : <span class="fine">0</span>}
      </span>
      <span role="cell" class="fine id" title={requestId}>
        <a class="plain-link" href={hrefOf('/requests', { request: requestId })}>
          {requestId}
        </a>
      </span>
    </div>
  );
}

/** Keys of the requests seen so far, for the filter. */
function useKeys(requests: readonly ConsoleRequestBody[]): ReadonlyMap<string, string> {
  const keys = useRef(new Map<string, string>());
  for (const { key } of requests) keys.current.set(key.id, key.name);
  return keys.current;
}

export function Requests({ session, stores, moreStores }: PageContext) {
  const { query } = usePlace();
  const requested = filtersOf(FIELDS, query);
  const found = useRequests(requested);
  const { requests, loading, error, next, since, more, again } = found;
  const isPast = requested.to !== undefined;
  const [paused, setPaused] = useState(false);
  const follows = since !== undefined && !paused && !isPast;
  const tail = useTail('/requests/tail', queryOf(requested), follows, since, (message) => found.add(message.requests));
  const keys = useKeys(requests);
  const one = session.workspaceId ?? requested.workspace;
  const zone = stores.find(({ workspaceId }) => workspaceId === one)?.timezone;
  const nothing = loading ? (
    <Loading rows={12} />
  ) : error === undefined ? (
    <Empty title="No requests yet">The last 200 requests of each key since the service started.</Empty>
  ) : (
    <Failure error={error} retry={again} />
  );
  return (
    <section class="page fill">
      <header class="title">
        <h1>Requests</h1>
        <p class="fine">the last 200 of each key, since this instance started · times in {zone ?? 'UTC'}</p>
        <Live isPast={isPast} paused={paused} tail={tail} turn={() => setPaused(!paused)} />
      </header>
      <Filters filters={requested} {...{ session, stores, moreStores }} zone={zone} keys={keys} />
      <Gaps
        tail={tail}
        called={['request', 'requests']}
        zone={zone}
        hrefFor={(range) => hrefOf('/requests', { ...requested, ...range })}
      />
      {requests.length === 0 ? (
        nothing
      ) : (
        <Virtual
          count={requests.length}
          height={ROW_PX}
          label="Requests, newest first"
          onReach={more}
          head={HEAD}
          row={(i) => <RequestRow key={requests[i]!.number} request={requests[i]!} zone={zone} index={i} />}
          foot={next !== undefined && <p class="more fine">{loading ? 'Loading earlier entries…' : 'More below'}</p>}
        />
      )}
    </section>
  );
}
