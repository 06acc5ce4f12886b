/** The store's catalog, and carts from it. */
import { act, chosenStore } from './acting.js';
import { byId, inputOf, keyed, make, problem, setText } from './dom.js';
import { call, type Item } from './wire.js';

const titles = new Map<string, string>();

/** As the catalog names an item; its id where it does not. */
export const titleOf = (retailerId: string): string => titles.get(retailerId) ?? retailerId;

/** The provider writes a sale's window as from/to, in zones without a colon. */
function isOnSale({ sale_price, sale_price_effective_date: window = '' }: Item['data']): boolean {
  if (!sale_price) return false;
  const [from = Number.NaN, to = Number.NaN] = window
    .split('/')
    .map((time) => Date.parse(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')));
  return !(Date.now() < from) && !(Date.now() >= to);
}

function newEntry({ retailerId }: Item): HTMLElement {
  const entry = make('li');
  const title = make('span', undefined, { class: 'title' });
  title.append(make('a', undefined, { target: '_blank', rel: 'noopener noreferrer' }), make('small'));
  const quantity = make('input', undefined, { type: 'number', min: 0, max: 99, value: 0, 'data-id': retailerId });
  entry.append(title, make('span', undefined, { class: 'price' }), quantity);
  return entry;
}

function updateEntry(entry: HTMLElement, { retailerId, data, review, reasons = [] }: Item): void {
  const detail = [data.size, data.color].filter(Boolean).join(', ');
  const name = detail === '' ? (data.title ?? '') : `${data.title} (${detail})`;
  titles.set(retailerId, name);
  const isOut = data.availability === 'out of stock';
  entry.classList.toggle('out', isOut);
  const link = entry.querySelector('a')!;
  setText(link, name);
  if (/^https?:\/\//.test(data.link ?? '')) link.href = data.link!;
  const state = [review.toLowerCase(), ...reasons, ...(isOut ? ['out of stock'] : [])].join(' · ');
  setText(entry.querySelector('small')!, state);
  setText(entry.querySelector('.price')!, (isOnSale(data) ? data.sale_price : data.price) ?? '');
  entry.querySelector('input')!.setAttribute('aria-label', `Quantity of ${name}`);
}

export async function showItems(): Promise<void> {
  const store = chosenStore();
  if (store === undefined) return;
  const { items, total } = await call<{ items: readonly Item[]; total: number }>(
    `/sandbox/catalogs/${encodeURIComponent(store.catalogId)}/items`,
  );
  setText(byId('catalog-title'), `Catalog (${total})`);
  byId('no-items').hidden = total > 0;
  keyed(byId('items'), items, {
    key: ({ retailerId }) => `${store.catalogId} ${retailerId}`,
    create: newEntry,
    update: updateEntry,
  });
}

export async function sendCart(): Promise<void> {
  const inputs = [...byId('items').querySelectorAll('input')].filter(({ value }) => Number(value) > 0);
  if (inputs.length === 0) {
    problem('Choose a quantity first.');
    return;
  }
  const text = inputOf('cart-text').value.trim();
  const items = inputs.map(({ dataset, value }) => ({ retailerId: dataset.id, quantity: Number(value) }));
  if (!(await act({ cart: { items, ...(text === '' ? {} : { text }) } }))) return;
  for (const input of inputs) input.value = '0';
  inputOf('cart-text').value = '';
}
