/** A cart put together, and how its price comes about: by the pricing that orders go through, without an order. */
import type { ConsoleQuoteBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { read, readConsole } from '../api/client.js';
import { asTime, fieldTime, fieldValue, money } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Own } from '../ui/parts.js';
import { PriceSteps } from '../ui/priceSteps.js';
import { refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';

interface Line {
  readonly id: string;
  readonly quantity: number;
}

const MOST = 99;
const PRODUCTS = '/workspaces/{workspaceId}/commerce/products';
const DELIVERY = '/workspaces/{workspaceId}/commerce/delivery';

/** `sku:2,other:1`, as the address has it. */
const linesOf = (query: URLSearchParams): readonly Line[] =>
  (query.get('lines') ?? '').split(',').flatMap((one) => {
    const [, id, quantity] = /^(.+):(\d{1,2})$/.exec(one) ?? [];
    return id === undefined ? [] : [{ id, quantity: Number(quantity) }];
  });

function saveLines(lines: readonly Line[]): void {
  const retained = lines.filter(({ quantity }) => quantity > 0);
  refine({ lines: retained.map(({ id, quantity }) => `${id}:${Math.min(MOST, quantity)}`).join(',') });
}

/** Items that can be bought: of a product with variants, these. */
function useItems(workspaceId: string) {
  return useLoad(`items ${workspaceId}`, async () => {
    const { products } = await read(PRODUCTS, { workspaceId }, { limit: 200 });
    return products.flatMap(({ externalId, name, variants }) =>
      variants.length === 0
        ? [{ id: externalId, name }]
        : variants.map((one) => ({
            id: one.externalId,
            name: [name, one.size, one.color].filter(Boolean).join(' · '),
          })),
    );
  });
}

function Cart({ store, lines }: { store: ConsoleStoreBody; lines: readonly Line[] }) {
  const items = useItems(store.workspaceId).data ?? [];
  const nameOf = (id: string): string => items.find((one) => one.id === id)?.name ?? id;
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const id = String(new FormData(form).get('item') ?? '').trim();
    if (id === '' || id.includes(',')) return;
    const known = lines.find((line) => line.id === id);
    saveLines([...lines.filter((line) => line !== known), { id, quantity: (known?.quantity ?? 0) + 1 }]);
    form.reset();
  };
  return (
    <section class="card">
      <h2>Cart</h2>
      <form class="fields" onSubmit={add}>
        <label class="grow">
          Item <input name="item" list="items" required maxLength={200} autoComplete="off" />
        </label>
        <datalist id="items">
          {items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </datalist>
        <button type="submit" class="button">
          Add
        </button>
      </form>
      <ul class="cart">
        {lines.map(({ id, quantity }) => (
          <li key={id}>
            <span>
              <Own text={nameOf(id)} /> <small class="fine">{id}</small>
            </span>
            <input
              type="number"
              aria-label={`Quantity of ${nameOf(id)}`}
              min={0}
              max={MOST}
              value={quantity}
              onChange={({ currentTarget }) =>
                saveLines(lines.map((one) => (one.id === id ? { id, quantity: Number(currentTarget.value) } : one)))
              }
            />
            <button
              type="button"
              class="button small"
              aria-label={`Remove ${nameOf(id)}`}
              onClick={() => saveLines(lines.filter((one) => one.id !== id))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Customer, time and lines of the quote. */
function Terms({ store, query }: { store: ConsoleStoreBody; query: URLSearchParams }) {
  const { workspaceId, timezone } = store;
  const areas = useLoad(`delivery ${workspaceId}`, () => read(DELIVERY, { workspaceId })).data?.areas ?? [];
  const field = (name: string) => ({
    name,
    value: query.get(name) ?? '',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      refine({ [name]: currentTarget.value.trim() }),
  });
  return (
    <section class="card">
      <h2>Customer, time and delivery</h2>
      <form class="fields stacked" onSubmit={(event) => event.preventDefault()}>
        <label>
          Phone <input {...field('phone')} type="tel" placeholder="+252…" maxLength={20} />
        </label>
        <label>
          Coupon <input {...field('coupon')} maxLength={60} />
        </label>
        <label>
          Fulfilment{' '}
          <select {...field('area')}>
            <option value="">not chosen yet</option>
            <option value="pickup">pickup</option>
            {areas.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          At{' '}
          <input
            name="at"
            type="datetime-local"
            value={fieldValue(query.get('at') ?? '', timezone).slice(0, 16)}
            onChange={({ currentTarget }) => refine({ at: fieldTime(currentTarget.value, timezone) })}
          />
        </label>
      </form>
      <p class="fine">
        Sales and promotions apply as of this time, in the time zone {timezone}. The catalog and the terms are the
        current ones.
      </p>
    </section>
  );
}

const COLUMNS: readonly Column[] = [
  { name: 'Item' },
  { name: 'Unit price', num: true },
  { name: 'Quantity', num: true },
  { name: 'Total', num: true },
];

function Quote({ of }: { of: ConsoleQuoteBody }) {
  return (
    <>
      <section class="card">
        <h2>Price calculation</h2>
        <PriceSteps steps={[{ event: { data: of } }]} currency="USD" />
        {of.discountReason !== undefined && (
          <p class="fine">
            <Own text={of.discountReason} />
          </p>
        )}
      </section>
      <section class="card">
        <h2>Lines</h2>
        <Table label="Lines" columns={COLUMNS}>
          {of.lines.map(({ retailerId, name, quantity, unitPriceCents }) => (
            <tr key={retailerId}>
              <th scope="row">
                <Own text={name} /> <small class="fine">{retailerId}</small>
              </th>
              <td class="num">{money(unitPriceCents)}</td>
              <td class="num">{quantity}</td>
              <td class="num">{money(unitPriceCents * quantity)}</td>
            </tr>
          ))}
        </Table>
        {of.leftOut.map(({ retailerId, reason }) => (
          <p class="note" key={retailerId}>
            <Own text={reason} />
          </p>
        ))}
      </section>
    </>
  );
}

function Priced({ store, query }: { store: ConsoleStoreBody; query: URLSearchParams }) {
  const one = (name: string): string | undefined => query.get(name) ?? undefined;
  const requested = {
    workspace: store.workspaceId,
    ...{ lines: one('lines'), phone: one('phone'), coupon: one('coupon'), area: one('area') },
    at: asTime(query.get('at') ?? '', store.timezone),
  };
  const load = useLoad(`quote ${JSON.stringify(requested)}`, () => readConsole('/quote', {}, requested));
  return (
    <Shown load={load} rows={5}>
      {(of) => <Quote of={of} />}
    </Shown>
  );
}

export function Quoting({ store }: { store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const lines = linesOf(query);
  return (
    <section class="page">
      <header class="title">
        <h1>Try a cart</h1>
        <p class="fine">Priced like a customer’s cart. Nothing is stored.</p>
      </header>
      <div class="columns asking">
        <div class="side-column">
          <Cart store={store} lines={lines} />
          <Terms store={store} query={query} />
        </div>
        <div class="main-column">
          {lines.length === 0 ? (
            <Empty title="The cart is empty">Add an item to see its price calculation.</Empty>
          ) : (
            <Priced store={store} query={query} />
          )}
        </div>
      </div>
    </section>
  );
}
