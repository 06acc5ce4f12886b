/** A store's orders, newest first: the API's filters, and pages as one scrolls. */
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Reads, Schemas } from '../api/openapi.js';
import { Outcome, useActing } from '../ui/actions.js';
import { useChanges } from '../ui/changes.js';
import { csvOf } from '../ui/csv.js';
import { count, dayBegins, money, words } from '../ui/format.js';
import { ListHead, PagedList, Tabs, usePaged } from '../ui/paged.js';
import { Chip, Own, When } from '../ui/parts.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty } from '../ui/states.js';

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
const TABS = [['', 'All'], ...STATUSES.map((one) => [one, words(one)] as const)] as const;
const PAGE = 100;
const ROW_PX = 52;

/** Reads the filters from the address. */
function queryOf(query: URLSearchParams, zone: string): Query {
  const one = (name: string): string | undefined => query.get(name) || undefined;
  const number = Number(one('number'));
  const dayOf = (name: string): string | undefined => one(name) && dayBegins(one(name)!, zone);
  const checkedOut = one('checkedOut');
  return {
    ...(one('status') && { status: one('status')!.split(',') as Status[] }),
    ...(one('fulfilment') && { fulfilment: one('fulfilment') as 'delivery' | 'pickup' }),
    ...((checkedOut === 'true' || checkedOut === 'false') && { checkedOut: checkedOut === 'true' }),
    ...(one('phone') && { phone: one('phone')! }),
    ...(Number.isSafeInteger(number) && number > 0 && { number }),
    ...(dayOf('from') && { from: dayOf('from')! }),
    ...(dayOf('to') && { to: dayOf('to')! }),
  };
}

const HEAD = (
  <ListHead
    cells="order-cells"
    names={['Order', 'Status', 'Customer', 'Placed', 'Items', 'Total']}
    numbers={['Items', 'Total']}
  />
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
      <Tabs label="Status" chosen={status} tabs={TABS} choose={(one) => refine({ status: one })} />
      <div class="fields">
        <label>
          Number <input {...typed('number')} inputMode="numeric" placeholder="1042" size={5} />
        </label>
        <label>
          Phone <input {...typed('phone')} type="tel" placeholder="+252…" size={11} />
        </label>
        <label>
          Fulfilment{' '}
          <select {...typed('fulfilment')}>
            <option value="">any</option>
            <option value="delivery">delivery</option>
            <option value="pickup">pickup</option>
          </select>
        </label>
        <label>
          Checked out{' '}
          <select {...typed('checkedOut')}>
            <option value="">any</option>
            <option value="true">yes</option>
            <option value="false">no</option>
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

/** Rows of a download, at most. */
const MOST_ROWS = 20_000;
const API_PAGE = 200;
const COLUMNS = ['number', 'status', 'placed', 'customer', 'phone', 'fulfilment', 'area', 'items', 'currency', 'total'];

const cellsOf = (order: Row): (string | number)[] => [
  order.number,
  order.status,
  order.createdAt,
  order.customerName ?? '',
  order.customerPhone,
  order.fulfilment ?? '',
  order.deliveryArea ?? '',
  order.itemCount,
  order.currency,
  (order.totalCents / 100).toFixed(2),
];

/** Loads all orders of the filters, and saves them as a file. */
function Download({ workspaceId, requested }: { workspaceId: string; requested: Query }) {
  const acting = useActing(() => undefined);
  const download = async (): Promise<void> => {
    const all: Row[] = [];
    for (let cursor: string | undefined; all.length < MOST_ROWS; ) {
      const query = { ...requested, limit: API_PAGE, ...(cursor && { cursor }) };
      const page = await read('/workspaces/{workspaceId}/commerce/orders', { workspaceId }, query);
      all.push(...page.orders);
      cursor = page.next;
      if (cursor === undefined) break;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`\uFEFF${csvOf(COLUMNS, all.map(cellsOf))}`], { type: 'text/csv' }));
    link.download = 'orders.csv';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
  };
  return (
    <p class="actions">
      <button
        type="button"
        class="button small"
        disabled={acting.busy}
        onClick={() => acting.run(download, `Downloaded, at most ${count(MOST_ROWS)} orders.`)}
      >
        {acting.busy ? 'Loading…' : 'Download CSV'}
      </button>
      <Outcome acting={acting} />
    </p>
  );
}

export function Orders({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const { workspaceId, timezone } = store;
  const requested = queryOf(query, timezone);
  const orders = usePaged<Row>(`${workspaceId} ${JSON.stringify(requested)}`, async (cursor) => {
    const path = '/workspaces/{workspaceId}/commerce/orders';
    const page = await read(path, { workspaceId }, { ...requested, limit: PAGE, ...(cursor && { cursor }) });
    return { rows: page.orders, next: page.next };
  });
  const { rows, next, loading, fresh } = orders;
  useChanges(session, store, { area: 'orders' }, () => fresh(({ id }) => id));
  const filtered = Object.keys(requested).length > 0;
  return (
    <section class="page fill">
      <header class="title">
        <h1>Orders</h1>
        <p class="fine">
          {loading && rows.length === 0 ? 'Loading…' : `${count(rows.length)}${next === undefined ? '' : '+'} shown`} ·
          times in {timezone}
        </p>
        <Download workspaceId={workspaceId} requested={requested} />
      </header>
      <Filters query={query} />
      <PagedList
        of={orders}
        label="Orders, newest first"
        height={ROW_PX}
        head={HEAD}
        row={(order, i) => <OrderRow key={order.id} order={order} store={store} index={i} />}
        empty={
          <Empty title={filtered ? 'No matching orders' : 'No orders yet'}>
            {filtered ? (
              <a href={hrefOf(`/s/${workspaceId}/orders`)}>Show all orders</a>
            ) : (
              'The first cart of a customer appears here.'
            )}
          </Empty>
        }
      />
    </section>
  );
}
