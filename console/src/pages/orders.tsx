/** A store's orders, newest first: the API's filters, and pages as one scrolls. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { type Failed, read } from '../api/client.js';
import type { Reads, Schemas } from '../api/openapi.js';
import { count, money, words } from '../ui/format.js';
import { Chip, Own, When } from '../ui/parts.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { Virtual } from '../ui/virtual.js';

type Row = Schemas['StoreOrderBody'];
type Query = Reads['/workspaces/{workspaceId}/commerce/orders']['query'];
type Status = Row['status'];

const STATUSES: readonly Status[] = [
  'new',
  'awaiting_payment',
  'paid',
  'preparing',
  'out_for_delivery',
  'delivered',
  'cancelled',
  'refunded',
];
const PAGE = 100;
const ROW_PX = 52;

/** The address says what is looked for. */
function queryOf(query: URLSearchParams): Query {
  const one = (name: string): string | undefined => query.get(name) || undefined;
  const number = Number(one('number'));
  const dayOf = (name: string): string | undefined => one(name) && `${one(name)}T00:00:00Z`;
  return {
    ...(one('status') && { status: one('status')!.split(',') as Status[] }),
    ...(one('fulfilment') && { fulfilment: one('fulfilment') as 'delivery' | 'pickup' }),
    ...(one('phone') && { phone: one('phone')! }),
    ...(Number.isSafeInteger(number) && number > 0 && { number }),
    ...(dayOf('from') && { from: dayOf('from')! }),
    ...(dayOf('to') && { to: dayOf('to')! }),
  };
}

interface Pages {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
  readonly loading: boolean;
  readonly error?: Failed;
}

/** Rows so far, and more of them when they are asked for. */
function useOrders(workspaceId: string, query: Query) {
  const key = `${workspaceId} ${JSON.stringify(query)}`;
  const [pages, setPages] = useState<Pages>({ key, rows: [], loading: true });
  const current = useRef(key);
  current.current = key;
  const ask = useCallback(
    async (before: readonly Row[], cursor: string | undefined) => {
      setPages({ key, rows: before, loading: true, next: cursor });
      try {
        const path = '/workspaces/{workspaceId}/commerce/orders';
        const page = await read(path, { workspaceId }, { ...query, limit: PAGE, ...(cursor && { cursor }) });
        if (current.current === key)
          setPages({ key, rows: [...before, ...page.orders], next: page.next, loading: false });
      } catch (error) {
        if (current.current === key)
          setPages({ key, rows: before, next: cursor, loading: false, error: error as Failed });
      }
    },
    [key],
  );
  useEffect(() => void ask([], undefined), [ask]);
  const shown = pages.key === key ? pages : { key, rows: [], loading: true, next: undefined };
  const more = useCallback(
    (last: number) => {
      if (!shown.loading && shown.next !== undefined && last >= shown.rows.length - 20)
        void ask(shown.rows, shown.next);
    },
    [shown, ask],
  );
  return { ...shown, more, again: () => void ask(shown.rows, shown.next) };
}

const HEAD = (
  <div class="head" role="rowgroup">
    <div class="cells order-cells" role="row">
      {['Order', 'Status', 'Customer', 'Placed', 'Items', 'Total'].map((name) => (
        <span role="columnheader" key={name} class={name === 'Total' || name === 'Items' ? 'num' : ''}>
          {name}
        </span>
      ))}
    </div>
  </div>
);

function OrderRow({ order, store, index }: { order: Row; store: ConsoleStoreBody; index: number }) {
  return (
    <div class="row cells order-cells" role="row" aria-rowindex={index + 1} style={{ height: `${ROW_PX}px` }}>
      <span role="cell">
        <a class="whole" href={hrefOf(`/s/${store.workspaceId}/orders/${order.id}`)}>
          #{order.number}
        </a>
      </span>
      <span role="cell">
        <Chip value={order.status} />
      </span>
      <span role="cell" class="who">
        <Own text={order.customerName ?? order.customerPhone} />
        {order.customerName !== undefined && <small class="fine">{order.customerPhone}</small>}
      </span>
      <span role="cell" class="soft">
        <When at={order.createdAt} zone={store.timezone} />
      </span>
      <span role="cell" class="num soft">
        {count(order.itemCount)}
      </span>
      <span role="cell" class="num total">
        {money(order.totalCents, order.currency)}
      </span>
    </div>
  );
}

function Filters({ query }: { query: URLSearchParams }) {
  const status = query.get('status') ?? '';
  const typed = (name: string) => ({
    name,
    value: query.get(name) ?? '',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      refine({ [name]: currentTarget.value }),
  });
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
      <div class="tabs" role="group" aria-label="Status">
        {['', ...STATUSES].map((one) => (
          <button key={one} type="button" aria-pressed={status === one} onClick={() => refine({ status: one })}>
            {one === '' ? 'All' : words(one)}
          </button>
        ))}
      </div>
      <div class="fields">
        <label>
          Number <input {...typed('number')} inputMode="numeric" placeholder="1042" size={7} />
        </label>
        <label>
          Phone <input {...typed('phone')} type="tel" placeholder="+252…" size={14} />
        </label>
        <label>
          Handed over{' '}
          <select {...typed('fulfilment')}>
            <option value="">any way</option>
            <option value="delivery">delivery</option>
            <option value="pickup">pickup</option>
          </select>
        </label>
        <label>
          From <input {...typed('from')} type="date" />
        </label>
        <label>
          Before <input {...typed('to')} type="date" />
        </label>
      </div>
    </form>
  );
}

export function Orders({ store }: { store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const wanted = queryOf(query);
  const { rows, next, loading, error, more, again } = useOrders(store.workspaceId, wanted);
  const filtered = Object.keys(wanted).length > 0;
  const isFirst = rows.length === 0;
  const row = (i: number) => <OrderRow key={rows[i]!.id} order={rows[i]!} store={store} index={i} />;
  return (
    <section class="page fill">
      <header class="title">
        <h1>Orders</h1>
        <p class="fine">
          {loading && isFirst ? 'Loading…' : `${count(rows.length)}${next === undefined ? '' : '+'} shown`} · times of{' '}
          {store.timezone}
        </p>
      </header>
      <Filters query={query} />
      {isFirst && loading && <Loading rows={10} />}
      {isFirst && error !== undefined && <Failure error={error} retry={again} />}
      {isFirst && !loading && error === undefined && (
        <Empty title={filtered ? 'No order is like this' : 'No orders yet'}>
          {filtered ? (
            <a href={hrefOf(`/s/${store.workspaceId}/orders`)}>Show all orders</a>
          ) : (
            'The first cart that a customer sends is here a moment later.'
          )}
        </Empty>
      )}
      {!isFirst && (
        <Virtual
          count={rows.length}
          height={ROW_PX}
          label="Orders, newest first"
          onReach={more}
          row={row}
          head={HEAD}
          foot={
            error !== undefined ? (
              <p class="more" role="alert">
                {error.message}{' '}
                <button type="button" class="button small" onClick={again}>
                  Try again
                </button>
              </p>
            ) : (
              next !== undefined && <p class="more fine">Loading more…</p>
            )
          }
        />
      )}
    </section>
  );
}
