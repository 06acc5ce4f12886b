/** Invariants that hold at whatever moment a process is killed. Each function returns a sentence per violation. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { suuqCommand } from '../../harness/service/serviceProcess.js';
import { customerOf } from '../../harness/service/signedCart.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import type { Ledger } from './ledger.js';
import { COUPON, COUPON_USES, PRODUCTS } from './load.js';
import type { Body, Shop } from './shop.js';

const many = (found: readonly string[]): string => `${found.slice(0, 5).join(', ')}${found.length > 5 ? ' …' : ''}`;
const wrong = (what: string, found: readonly string[]): string[] =>
  found.length === 0 ? [] : [`${found.length} ${what}: ${many(found)}`];

/** Repeats `read` until it finds no violation or the time is over, because work may still be pending. */
async function inTime(read: () => Promise<string[]>, limitMs: number): Promise<string[]> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await read();
    if (found.length === 0 || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Each product has its last acknowledged price or a later one that was sent. A slightly lower price is accepted too,
 * because three writers overlap.
 */
export async function productsAreStored(shop: Shop, { acknowledged, sent }: Ledger): Promise<string[]> {
  const { body } = await shop.call('GET', '/commerce/products?limit=200');
  const prices = new Map(body.products.map((one: Body) => [one.externalId, one.priceCents]));
  const lost = [...acknowledged].filter(([id, price]) => {
    const stored = Number(prices.get(id) ?? 0);
    return stored < price - 3 * PRODUCTS || stored > (sent.get(id) ?? price);
  });
  return wrong(
    'products with another price than was acknowledged',
    lost.map(([id]) => id),
  );
}

export function cartsAreOrders(shop: Shop, { carts }: Ledger): Promise<string[]> {
  return inTime(async () => {
    const phones = new Set((await shop.orders()).map((order) => order.customerPhone));
    return wrong(
      'acknowledged carts without an order',
      [...carts].map((n) => `+${customerOf(n)}`).filter((phone) => !phones.has(phone)),
    );
  }, 60_000);
}

export async function numbersAreExact(shop: Shop): Promise<string[]> {
  const numbers = (await shop.orders()).map((order) => order.number).sort((a, b) => a - b);
  return wrong(
    'order numbers with a gap or a double',
    numbers.flatMap((number, at) => (number === at + 1 ? [] : [String(number)])),
  );
}

export async function oneOrderACart(shop: Shop): Promise<string[]> {
  const seen = new Set<string>();
  const twice = (await shop.orders()).filter(({ customerPhone }) => seen.size === seen.add(customerPhone).size);
  return wrong(
    'carts with two orders',
    twice.map(({ customerPhone }) => customerPhone),
  );
}

export async function moneyAddsUp(shop: Shop): Promise<string[]> {
  const wrongly = (await shop.orders()).filter(
    (one) => one.totalCents !== one.subtotalCents - one.discountCents + one.deliveryFeeCents || one.totalCents < 0,
  );
  return wrong(
    'orders whose money does not add up',
    wrongly.map(({ id }) => id),
  );
}

export async function limitsHold(shop: Shop): Promise<string[]> {
  const using = (await shop.orders()).filter(
    ({ couponCode, status }) => couponCode === COUPON && status !== 'cancelled',
  );
  return using.length <= COUPON_USES ? [] : [`${using.length} orders used a coupon for ${COUPON_USES}`];
}

/** Each order has its last acknowledged status, unless it was cancelled. */
export async function movesAreStored(shop: Shop, { moved }: Ledger): Promise<string[]> {
  const status = new Map((await shop.orders()).map((order) => [order.id, order.status]));
  const lost = [...moved].filter(([id, to]) => status.get(id) !== to && status.get(id) !== 'cancelled');
  return wrong(
    'acknowledged moves that are gone',
    lost.map(([id]) => id),
  );
}

/** Every order and every move of it was delivered, and the first event of each order is `order.created`. */
export function webhooksCame(shop: Shop, { arrived, delivered, moved }: Ledger): Promise<string[]> {
  return inTime(async () => {
    const orders = await shop.orders();
    const untold = orders.filter(({ id }) => !delivered.get(id)?.includes('order.created'));
    const unmoved = [...moved.keys()].filter((id) => !delivered.get(id)?.includes('order.status_changed'));
    const early = [...arrived].filter(([, types]) => types[0] !== 'order.created');
    return [
      ...wrong(
        'orders that the endpoint was not told of',
        untold.map(({ id }) => id),
      ),
      ...wrong('moves that the endpoint was not told of', unmoved),
      ...wrong(
        'orders of which something else came first',
        early.map(([id]) => id),
      ),
    ];
  }, 90_000);
}

/** No delivery failed because of a fault of the service itself. */
export async function callsGoOut(shop: Shop): Promise<string[]> {
  const { body } = await shop.call('GET', '/webhook-endpoints');
  const [{ id }] = body.endpoints;
  const errors = new Set<string>();
  for (let cursor = ''; ; ) {
    const page = (await shop.call('GET', `/webhook-endpoints/${id}/deliveries?limit=200${cursor}`)).body;
    for (const { error = '' } of page.deliveries)
      if (/is not a (?:function|constructor)/.test(error)) errors.add(error);
    if (page.next === undefined) break;
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
  return wrong('deliveries that never went out', [...errors]);
}

export function productsArePushed(shop: Shop): Promise<string[]> {
  return inTime(async () => {
    const { body } = await shop.call('GET', '/commerce/products?limit=200&status=approved');
    return body.products.length === PRODUCTS ? [] : [`${body.products.length} of ${PRODUCTS} products are approved`];
  }, 60_000);
}

export async function filesAreStored(shop: Shop, { files }: Ledger): Promise<string[]> {
  const lost: string[] = [];
  for (const [id, seed] of files) if (!(await shop.file(id))?.toString().endsWith(seed)) lost.push(id);
  return wrong('acknowledged files that are gone or others', lost);
}

/** A user token opens exactly one session, even if the process is killed in between. */
export async function tokensAreUsed(shop: Shop, { usedTokens }: Ledger): Promise<string[]> {
  const again: string[] = [];
  for (const token of [...usedTokens].slice(-50)) {
    const { status, body } = await shop.signIn(token);
    // A token that has expired meanwhile is refused as expired.
    if (status < 400) again.push(body.code ?? String(status));
  }
  return wrong('user tokens that opened a second session', again);
}

/** Every document of every current read model, in a form that can be compared. */
function documents(folder: string): string[] {
  const db = openDatabase(join(folder, 'views.db'), { readonly: true });
  try {
    const aliases = db.prepare<[string]>('SELECT name FROM aliases ORDER BY name').all();
    return aliases.flatMap(([name]) =>
      db
        .prepare<[string, string]>(`SELECT id, body FROM "c_${name}" ORDER BY id`)
        .all()
        .map(([id, body]) => `${name} ${id} ${body}`),
    );
  } finally {
    db.close();
  }
}

/** The read models of a stopped service equal a rebuild from the whole log. */
export function viewsEqualAFold(folder: string): string[] {
  const before = documents(folder);
  const ran = spawnSync(process.execPath, [suuqCommand, 'projections', 'rebuild', '--json'], {
    env: { ...process.env, SUUQ_DATA: folder },
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (ran.status !== 0) return [`the rebuild ended with ${ran.status}: ${ran.stderr}`];
  const folded = new Set(documents(folder));
  return wrong(
    'documents that a fold makes otherwise',
    before.filter((one) => !folded.delete(one)).concat([...folded]),
  );
}
