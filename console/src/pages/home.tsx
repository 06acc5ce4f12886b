/** Home of a store: sales of today and of the last days, and what needs attention. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { Chart } from '../ui/chart.js';
import { csvUrl } from '../ui/csv.js';
import { count, date, dayBegins, money } from '../ui/format.js';
import { useEvery, useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Shown } from '../ui/states.js';
import { Table } from '../ui/table.js';

type Report = Schemas['StoreReportBody'];
type Day = Report['days'][number];

const RANGES = [7, 28, 90] as const;
const REFRESH_MS = 30_000;

const netCents = ({ revenueCents, returnedCents }: Day): number => revenueCents - returnedCents;

interface FigureProps {
  readonly name: string;
  readonly value: string;
  /** The same day last week; undefined where the range does not reach it. */
  readonly before: string | undefined;
}

const Figure = ({ name, value, before }: FigureProps) => (
  <div class="figure">
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong>
      {before !== undefined && <span class="fine">{before} a week ago</span>}
    </dd>
  </div>
);

function Today({ days }: { days: readonly Day[] }) {
  const today = days.at(-1)!;
  const before = days.at(-8);
  const figure = (name: string, of: (day: Day) => string) => (
    <Figure name={name} value={of(today)} before={before && of(before)} />
  );
  return (
    <section class="card" aria-label="Today">
      <h2>Today</h2>
      <dl class="figures">
        {figure('Revenue', (day) => money(netCents(day)))}
        {figure('Orders sold', ({ sold }) => count(sold))}
        {figure('Carts', ({ placed }) => count(placed))}
        {figure('Failed payments', ({ paymentFailures }) => count(paymentFailures))}
      </dl>
    </section>
  );
}

function Attention({ attention, store }: { attention: Report['attention']; store: ConsoleStoreBody }) {
  const { waitingChats, waitingSince, rejectedItems, failingEndpoints } = attention;
  const page = (name: string, query = {}): string => hrefOf(`/s/${store.workspaceId}/${name}`, query);
  return (
    <section class="card" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul class="attention">
        {waitingChats > 0 && (
          <li>
            <a href={page('inbox')}>Unread chats: {count(waitingChats)}</a>
            {waitingSince !== undefined && (
              <span class="fine">
                {' '}
                since <When at={waitingSince} zone={store.timezone} />
              </span>
            )}
          </li>
        )}
        {rejectedItems > 0 && (
          <li>
            <a href={page('catalog', { status: 'rejected' })}>Rejected catalog items: {count(rejectedItems)}</a>
          </li>
        )}
        {failingEndpoints > 0 && (
          <li>
            <a href={page('webhooks')}>Failing webhook endpoints: {count(failingEndpoints)}</a>
          </li>
        )}
        {waitingChats + rejectedItems + failingEndpoints === 0 && <li class="soft">Nothing needs attention.</li>}
      </ul>
    </section>
  );
}

const States = ({ states, store }: { states: Report['ordersByStatus']; store: ConsoleStoreBody }) => (
  <section class="card" aria-label="Orders by status">
    <h2>Orders by status</h2>
    <ul class="states">
      {states.map(({ status, orders }) => (
        <li key={status}>
          <a href={hrefOf(`/s/${store.workspaceId}/orders`, { status })}>
            <Chip value={status} /> {count(orders)}
          </a>
        </li>
      ))}
    </ul>
  </section>
);

const HEAD = ['Day', 'Carts', 'Checked out', 'Sold', 'Revenue', 'Delivery', 'Discounts', 'Returned'] as const;

const cellsOf = (day: Day): readonly (string | number)[] => [
  ...[day.date, day.placed, day.checkedOut, day.sold, day.revenueCents / 100],
  ...[day.deliveryFeeCents / 100, day.discountCents / 100, day.returnedCents / 100],
];

function Revenue({ days, store }: { days: readonly Day[]; store: ConsoleStoreBody }) {
  const sum = days.reduce((cents, day) => cents + netCents(day), 0);
  const seconds = days.map((day) => Date.parse(dayBegins(day.date, store.timezone)!) / 1000);
  return (
    <section class="card" aria-label="Revenue by day">
      <h2>Revenue by day</h2>
      <Chart
        options={{
          ...{ zone: store.timezone, across: `days, ${store.timezone}`, up: 'US dollars', height: 220, least: 10 },
          series: [{ name: 'revenue less returns', colour: '--accent', drawn: 'line' }],
        }}
        data={{ at: seconds, values: [days.map((day) => netCents(day) / 100)] }}
        words={`Revenue of ${days.length} days: ${money(sum)} in all, ${money(netCents(days.at(-1)!))} today.`}
        labelOf={(at) => `${date(days[at]!.date)}: ${money(netCents(days[at]!))}`}
      />
      <details>
        <summary>Show as a table</summary>
        <Table label="Sales by day" columns={HEAD.map((name, at) => ({ name, ...(at > 0 && { num: true as const }) }))}>
          {days.toReversed().map((day) => (
            <tr key={day.date}>
              <th scope="row">{date(day.date)}</th>
              <td class="num">{count(day.placed)}</td>
              <td class="num">{count(day.checkedOut)}</td>
              <td class="num">{count(day.sold)}</td>
              <td class="num">{money(day.revenueCents)}</td>
              <td class="num">{money(day.deliveryFeeCents)}</td>
              <td class="num">{money(day.discountCents)}</td>
              <td class="num">{money(day.returnedCents)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}

const Products = ({ products, store }: { products: Report['topProducts']; store: ConsoleStoreBody }) => (
  <section class="card" aria-label="Top products">
    <h2>Top products</h2>
    {products.length === 0 ? (
      <p class="soft">No sales in these days.</p>
    ) : (
      <Table
        label="Products by revenue"
        columns={[{ name: 'Product' }, { name: 'Sold', num: true }, { name: 'Revenue', num: true }]}
      >
        {products.map(({ productExternalId, name, quantity, revenueCents }) => (
          <tr key={productExternalId}>
            <td>
              <a href={hrefOf(`/s/${store.workspaceId}/catalog/${encodeURIComponent(productExternalId)}`)}>
                <Own text={name} />
              </a>
            </td>
            <td class="num">{count(quantity)}</td>
            <td class="num">{money(revenueCents)}</td>
          </tr>
        ))}
      </Table>
    )}
  </section>
);

const Promotions = ({ promotions }: { promotions: Report['promotions'] }) => (
  <section class="card" aria-label="Promotions">
    <h2>Promotions</h2>
    {promotions.length === 0 ? (
      <p class="soft">No promotion was used in these days.</p>
    ) : (
      <Table
        label="Promotions by cost"
        columns={[{ name: 'Promotion' }, { name: 'Uses', num: true }, { name: 'Cost', num: true }]}
      >
        {promotions.map(({ promotionId, name, uses, discountCents }) => (
          <tr key={promotionId}>
            <td>
              <Own text={name} />
            </td>
            <td class="num">{count(uses)}</td>
            <td class="num">{money(discountCents)}</td>
          </tr>
        ))}
      </Table>
    )}
  </section>
);

function Whole({ report, store }: { report: Report; store: ConsoleStoreBody }) {
  const { days, from, to } = report;
  return (
    <>
      <div class="home-columns">
        <Today days={days} />
        <Attention attention={report.attention} store={store} />
        <States states={report.ordersByStatus} store={store} />
      </div>
      <Revenue days={days} store={store} />
      <div class="home-columns">
        <Products products={report.topProducts} store={store} />
        <Promotions promotions={report.promotions} />
      </div>
      <p class="actions no-print">
        <a class="button small" download={`sales-${from}-${to}.csv`} href={csvUrl(HEAD, days.map(cellsOf))}>
          Download CSV
        </a>
        <button type="button" class="button small" onClick={() => window.print()}>
          Print
        </button>
      </p>
    </>
  );
}

export function Home({ store }: { store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const { workspaceId, timezone } = store;
  const days = RANGES.find((range) => String(range) === query.get('days')) ?? 28;
  const report = useLoad(`report ${workspaceId} ${days}`, () =>
    read('/workspaces/{workspaceId}/commerce/report', { workspaceId }, { days }),
  );
  useEvery(REFRESH_MS, report.reload);
  return (
    <section class="page">
      <header class="title">
        <h1>Home</h1>
        <p class="fine">Days of {timezone}, in US dollars</p>
        <div class="fields no-print">
          <label>
            Days{' '}
            <select value={days} onChange={({ currentTarget }) => refine({ days: currentTarget.value })}>
              {RANGES.map((range) => (
                <option key={range} value={range}>
                  Last {range} days
                </option>
              ))}
            </select>
          </label>
        </div>
      </header>
      <Shown load={report} rows={8}>
        {(data) => <Whole report={data} store={store} />}
      </Shown>
    </section>
  );
}
