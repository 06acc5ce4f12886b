/** The script of the sandbox's page. Everything that came from outside is set as text, never as markup. */
export const pageScript = `
'use strict';
const byId = (id) => document.getElementById(id);
const make = (tag, text, attributes = {}) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const call = async (path, body) => {
  const answer = await fetch(path, body === undefined ? {} : {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return answer.status === 204 ? undefined : answer.json();
};
let numbers = [];
const number = () => numbers.find((one) => one.phoneNumberId === byId('number').value);
const chatPath = () => '/sandbox/numbers/' + encodeURIComponent(byId('number').value) +
  '/customers/' + encodeURIComponent(byId('customer').value.trim());

async function act(message) {
  const name = byId('name').value.trim();
  const answer = await call(chatPath() + '/messages', name === '' ? message : { ...message, name });
  const status = answer.webhook && answer.webhook.status;
  byId('note').textContent = answer.error ?? (status === 200 ? '' : 'The service answered ' + status + '.');
  await showChat();
}

function field(label, input) {
  const wrapper = make('label', label);
  wrapper.append(input);
  return wrapper;
}
function choices(options) {
  const select = make('select');
  for (const [value, text] of options) select.append(make('option', text, { value }));
  return select;
}
function checkoutForm(flow) {
  const data = flow.data ?? {};
  const form = make('form');
  const ways = [['delivery', 'Delivery'], ['pickup', 'Pickup']].filter(([way]) => data[way] !== false);
  const fulfilment = choices(ways);
  const area = choices((data.areas ?? []).map((one) => [one.id, one.title]));
  const name = make('input', undefined, { value: byId('name').value, maxlength: 80 });
  const phone = make('input', undefined, { value: byId('customer').value, maxlength: 20 });
  const address = make('input', undefined, { maxlength: 300 });
  form.append(make('strong', 'Order ' + (data.orderNumber ?? '') + ' · ' + (data.totalText ?? '')),
    field('How', fulfilment), field('Area', area), field('Name', name), field('Phone', phone),
    field('Address', address), make('button', flow.cta));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const delivery = fulfilment.value === 'delivery';
    void act({ checkout: { flowToken: flow.token, fulfilment: fulfilment.value, name: name.value, phone: phone.value,
      ...(delivery ? { area: area.value, address: address.value } : {}) } });
  });
  return form;
}

const sentText = (payload) => {
  if (payload.text) return payload.text.body;
  if (payload.order) return 'Cart: ' + payload.order.product_items.map((one) => one.quantity + ' × ' + one.product_retailer_id).join(', ');
  if (payload.location) return 'Location ' + payload.location.latitude + ', ' + payload.location.longitude;
  return 'Answer to a form';
};
let shown = '';
async function showChat() {
  if (byId('customer').value.trim() === '' || numbers.length === 0) return;
  const path = chatPath();
  const { messages } = await call(path + '/messages?all=1');
  const now = path + JSON.stringify(messages.map((one) => [one.wamid, one.statuses]));
  if (now === shown) return;
  shown = now;
  const answered = new Set(messages.filter((one) => one.direction === 'sent' && one.payload.context).map((one) => one.payload.context.id));
  byId('chat').replaceChildren(...messages.map((one) => {
    const entry = make('li', one.direction === 'sent' ? sentText(one.payload) : one.text ?? one.type, { class: one.direction });
    entry.append(make('small', [new Date(one.at).toLocaleTimeString(), ...one.statuses].join(' · ')));
    if (one.flow && !answered.has(one.wamid)) entry.append(checkoutForm(one.flow));
    return entry;
  }));
  byId('chat').scrollTop = byId('chat').scrollHeight;
}

let listed = '';
async function showItems() {
  const store = number();
  if (store === undefined) return;
  const { items, total } = await call('/sandbox/catalogs/' + encodeURIComponent(store.catalogId) + '/items');
  const now = JSON.stringify(items);
  if (now === listed) return;
  listed = now;
  byId('catalog-title').textContent = 'Catalog (' + total + ')';
  byId('items').replaceChildren(...items.map((item) => {
    const entry = make('li');
    const detail = [item.data.size, item.data.color].filter(Boolean).join(', ');
    entry.append(make('span', item.data.title + (detail ? ' (' + detail + ')' : ''), { class: 'title' }),
      make('span', item.data.sale_price ?? item.data.price), make('span', item.review, { class: 'review' }),
      make('input', undefined, { type: 'number', min: 0, max: 99, value: 0, 'data-id': item.retailerId, 'aria-label': 'Quantity' }));
    return entry;
  }));
}

async function showNumbers() {
  const found = (await call('/sandbox/numbers')).numbers;
  if (JSON.stringify(found) === JSON.stringify(numbers)) return;
  const chosen = byId('number').value;
  numbers = found;
  byId('number').replaceChildren(...numbers.map((one) =>
    make('option', (one.name ? one.name + ' ' : '') + one.displayPhoneNumber, { value: one.phoneNumberId })));
  if (numbers.some((one) => one.phoneNumberId === chosen)) byId('number').value = chosen;
}

const on = (id, run) => byId(id).addEventListener('submit', (event) => { event.preventDefault(); void run(); });
on('who', showChat);
on('say', async () => { await act({ text: byId('text').value }); byId('text').value = ''; });
on('pin', () => act({ location: { latitude: 2.0469, longitude: 45.3182, name: 'Mogadishu' } }));
on('cart', async () => {
  const inputs = [...byId('items').querySelectorAll('input')].filter((input) => Number(input.value) > 0);
  if (inputs.length === 0) { byId('note').textContent = 'Choose a quantity first.'; return; }
  const text = byId('cart-text').value.trim();
  await act({ cart: { items: inputs.map((input) => ({ retailerId: input.dataset.id, quantity: Number(input.value) })),
    ...(text === '' ? {} : { text }) } });
  for (const input of inputs) input.value = 0;
});

async function poll() {
  try {
    if (!document.hidden) { await showNumbers(); await showItems(); await showChat(); }
  } catch { byId('note').textContent = 'The sandbox does not answer.'; }
  setTimeout(poll, 2000);
}
void poll();
`;
