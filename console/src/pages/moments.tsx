/** Two moments of a store, an order or a product side by side, with what differs marked. */
import type { ConsoleMomentsBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { readConsole } from '../api/client.js';
import { Changes, Difference } from '../ui/difference.js';
import { fieldTime, fieldValue, second } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';

const KINDS = ['store', 'order', 'product'] as const;
const DAY_MS = 86_400_000;

interface MomentsQuery {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Reads the comparison from the address; the last day of the store by default. */
function readQuery(query: URLSearchParams, now: number): MomentsQuery {
  const kind = KINDS.find((one) => one === query.get('kind')) ?? 'store';
  const time = (name: string, otherwise: number): string => query.get(name) ?? new Date(otherwise).toISOString();
  return { kind, id: query.get('id') ?? '', from: time('from', now - DAY_MS), to: time('to', now) };
}

function QueryForm({ query: { kind, id, from, to }, zone }: { query: MomentsQuery; zone: string }) {
  const request = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    // What was not touched stays to the millisecond.
    const time = (name: string, before: string) =>
      text(name) === fieldValue(before, zone) ? before : fieldTime(text(name), zone);
    refine({ id: text('id'), from: time('from', from), to: time('to', to) }, { replace: false });
  };
  return (
    <form class="fields card" onSubmit={request} key={`${kind} ${id} ${from} ${to}`} aria-label="Comparison">
      <label>
        Compare{' '}
        <select
          name="kind"
          value={kind}
          onChange={({ currentTarget }) => refine({ kind: currentTarget.value, id: '' })}
        >
          <option value="store">the store</option>
          <option value="order">an order</option>
          <option value="product">a product</option>
        </select>
      </label>
      {kind !== 'store' && (
        <label class="grow">
          {kind === 'order' ? 'Id of the order' : 'External id of the product'}{' '}
          <input name="id" required defaultValue={id} maxLength={300} />
        </label>
      )}
      <label>
        Earlier time <input name="from" type="datetime-local" step={1} required defaultValue={fieldValue(from, zone)} />
      </label>
      <label>
        Later time <input name="to" type="datetime-local" step={1} required defaultValue={fieldValue(to, zone)} />
      </label>
      <button type="submit" class="button">
        Compare
      </button>
    </form>
  );
}

/** In the log, what happened between the two. */
function between({ kind, id, workspaceId }: ConsoleMomentsBody, { from, to }: MomentsQuery): string {
  const of = kind === 'order' ? { stream: `order-${id}` } : { workspace: workspaceId };
  return hrefOf('/events', { ...of, from, to });
}

const titleOf = (at: string, zone: string): string => `${second(at, zone)} · ${at}`;

function Compared({ of, query, zone }: { of: ConsoleMomentsBody; query: MomentsQuery; zone: string }) {
  const [first, later] = of.moments;
  const [before, after] = [first!, later!].map(({ documents }) =>
    Object.keys(documents).length === 0 ? undefined : documents,
  );
  if (before === undefined && after === undefined)
    return <Empty title={`The ${of.kind} did not exist at either time`}>Choose later times, or check the id.</Empty>;
  return (
    <>
      {of.moments.some(({ bounded }) => bounded) && (
        <p class="note">The history is longer than one request reads. The version shown may be older.</p>
      )}
      <div class="columns">
        <section class="card main-column">
          <h2>Side by side</h2>
          <Difference before={before} after={after} titles={[titleOf(first!.at, zone), titleOf(later!.at, zone)]} />
        </section>
        <aside class="card side-column" aria-label="Differences">
          <h2>Differences</h2>
          <p class="fine">
            between {second(first!.at, zone)} and {second(later!.at, zone)}
          </p>
          <Changes before={before} after={after} />
          <a class="button small" href={between(of, query)}>
            Events in between
          </a>
        </aside>
      </div>
    </>
  );
}

function Comparing({ store, query }: { store: ConsoleStoreBody; query: MomentsQuery }) {
  const { workspaceId: workspace } = store;
  const load = useLoad(`moments ${workspace} ${JSON.stringify(query)}`, () =>
    readConsole('/moments', {}, { ...query, workspace }),
  );
  return (
    <Shown load={load} rows={8}>
      {(of) => <Compared of={of} query={query} zone={store.timezone} />}
    </Shown>
  );
}

/** Time of all requests while the page is open. */
const opened = Date.now();

export function Moments({ store }: { store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const compared = readQuery(query, opened);
  return (
    <section class="page order-page">
      <header class="title">
        <h1>Compare versions</h1>
        <p class="fine">Rebuilt from the log for each time. Times in {store.timezone}.</p>
      </header>
      <QueryForm query={compared} zone={store.timezone} />
      {compared.kind !== 'store' && compared.id === '' ? (
        <Empty title={`Which ${compared.kind}?`}>Enter the id. It is on the page of the order or product.</Empty>
      ) : (
        <Comparing store={store} query={compared} />
      )}
    </section>
  );
}
