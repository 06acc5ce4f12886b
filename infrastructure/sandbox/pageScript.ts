/**
 * The script of the sandbox's page. Everything that came from outside is set as text, never as markup. What is on the
 * page stays and is only changed where it differs, so that a form that somebody is filling in keeps what was typed.
 */
import { actsScript } from './pageActsScript.js';
import { checkoutScript } from './pageCheckoutScript.js';
import { messagesScript } from './pageMessagesScript.js';

export const pageScript = `
'use strict';
const byId = (id) => document.getElementById(id);
const make = (tag, text, attributes = {}) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const call = async (path, body) => {
  const answer = await fetch(path, body === undefined ? {} : {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return answer.status === 204 ? undefined : answer.json();
};
const problem = (text) => setText(byId('problem'), text);

let numbers = [];
const number = () => numbers.find((one) => one.phoneNumberId === byId('number').value);
const chatPath = () => '/sandbox/numbers/' + encodeURIComponent(byId('number').value) +
  '/customers/' + encodeURIComponent(byId('customer').value.trim());

/** Answers whether the service took it. */
async function act(message) {
  if (number() === undefined) { problem('No store has a number yet.'); return false; }
  if (byId('customer').value.trim() === '') { problem('Say who you are: a phone or a user id.'); return false; }
  const name = byId('name').value.trim();
  const answer = await call(chatPath() + '/messages', name === '' ? message : { ...message, name });
  const status = answer.webhook && answer.webhook.status;
  problem(answer.error ?? (status === 200 ? '' : 'The service did not take it: it answered ' + (status || 'nothing') + '.'));
  await showChat();
  return status === 200;
}
${checkoutScript}
${messagesScript}
/** Brings the list's entries in line with what there is; an entry that is there already stays the same element. */
function keyed(list, wanted, keyOf, create, update) {
  const there = new Map([...list.children].map((entry) => [entry.dataset.key, entry]));
  wanted.forEach((one, index) => {
    const key = keyOf(one);
    let entry = there.get(key);
    if (entry === undefined) { entry = create(one); entry.dataset.key = key; }
    there.delete(key);
    update(entry, one);
    if (list.children[index] !== entry) list.insertBefore(entry, list.children[index] ?? null);
  });
  for (const entry of there.values()) entry.remove();
}

const titles = new Map();
let showing = '';
async function showChat() {
  if (byId('customer').value.trim() === '' || number() === undefined) return;
  const path = chatPath();
  const { messages } = await call(path + '/messages?all=1');
  if (path !== chatPath()) return;
  const list = byId('chat');
  const other = showing !== path;
  const low = other || list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  const before = list.children.length;
  showing = path;
  const answered = new Set(messages.filter((one) => one.direction === 'sent' && one.payload.interactive?.nfm_reply).map((one) => one.replyTo));
  const changes = changesOf(messages);
  const byWamid = new Map(messages.map((one) => [one.wamid, one]));
  keyed(list, messages.filter(isShown), (one) => path + one.wamid, (one) => {
    const entry = messageEntry(one, byWamid);
    if (one.flow && !answered.has(one.wamid)) entry.append(checkoutForm(one.flow));
    return entry;
  }, (entry, one) => {
    updateEntry(entry, one, changes);
    if (answered.has(one.wamid)) entry.querySelector('form')?.remove();
  });
  if (list.children.length !== before && low || other) list.scrollTop = list.scrollHeight;
}

/** The provider writes a sale's window as from/to. */
const onSale = ({ sale_price, sale_price_effective_date: window }) => {
  if (!sale_price) return false;
  const [from, to] = (window ?? '').split('/').map((time) => Date.parse(time.replace(/([+-]\\d\\d)(\\d\\d)$/, '$1:$2')));
  return !(Date.now() < from) && !(Date.now() >= to);
};
async function showItems() {
  const store = number();
  if (store === undefined) return;
  const { items, total } = await call('/sandbox/catalogs/' + encodeURIComponent(store.catalogId) + '/items');
  setText(byId('catalog-title'), 'Catalog (' + total + ')');
  byId('no-items').hidden = total > 0;
  keyed(byId('items'), items, (item) => store.catalogId + ' ' + item.retailerId, (item) => {
    const entry = make('li');
    const title = make('span', undefined, { class: 'title' });
    title.append(make('a', undefined, { target: '_blank', rel: 'noopener noreferrer' }), make('small'));
    entry.append(title, make('span', undefined, { class: 'price' }),
      make('input', undefined, { type: 'number', min: 0, max: 99, value: 0, 'data-id': item.retailerId }));
    return entry;
  }, (entry, { retailerId, data, review, reasons }) => {
    const detail = [data.size, data.color].filter(Boolean).join(', ');
    const name = data.title + (detail ? ' (' + detail + ')' : '');
    titles.set(retailerId, name);
    const out = data.availability === 'out of stock';
    entry.classList.toggle('out', out);
    const link = entry.querySelector('a');
    setText(link, name);
    if (/^https?:\\/\\//.test(data.link ?? '')) link.href = data.link;
    setText(entry.querySelector('small'), [review.toLowerCase(), ...(reasons ?? []), ...(out ? ['out of stock'] : [])].join(' · '));
    setText(entry.querySelector('.price'), onSale(data) ? data.sale_price : data.price ?? '');
    entry.querySelector('input').setAttribute('aria-label', 'Quantity of ' + name);
  });
}

async function showNumbers() {
  const found = (await call('/sandbox/numbers')).numbers;
  if (JSON.stringify(found) === JSON.stringify(numbers)) return;
  const chosen = byId('number').value;
  numbers = found;
  byId('number').replaceChildren(...numbers.map((one) =>
    make('option', (one.name ? one.name + ' · ' : '') + one.displayPhoneNumber, { value: one.phoneNumberId })));
  if (numbers.some((one) => one.phoneNumberId === chosen)) byId('number').value = chosen;
}

const failed = () => problem('The sandbox does not answer.');
const on = (id, event, run) => byId(id).addEventListener(event, (happened) => { happened.preventDefault(); run().catch(failed); });
const showAll = async () => { await showNumbers(); await showItems(); await showChat(); };
on('who', 'submit', showAll);
on('who', 'change', showAll);
on('say', 'submit', async () => { if (await act(inReply({ text: byId('text').value }))) { byId('text').value = ''; replyTo(); } });
${actsScript}
on('read', 'click', async () => { await call(chatPath() + '/read', {}); await showChat(); });
on('cart', 'submit', async () => {
  const inputs = [...byId('items').querySelectorAll('input')].filter((input) => Number(input.value) > 0);
  if (inputs.length === 0) return problem('Choose a quantity first.');
  const text = byId('cart-text').value.trim();
  const cart = { items: inputs.map((input) => ({ retailerId: input.dataset.id, quantity: Number(input.value) })), ...(text === '' ? {} : { text }) };
  if (!(await act({ cart }))) return;
  for (const input of inputs) input.value = 0;
  byId('cart-text').value = '';
});

let silent = false;
async function poll() {
  try {
    if (!document.hidden) {
      await showAll();
      if (silent) problem('');
      silent = false;
    }
  } catch { silent = true; failed(); }
  setTimeout(poll, 1500);
}
void poll();
`;
