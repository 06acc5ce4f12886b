import { customerOf, signedCart } from '../../test/support/signedCart.js';
import { load } from '../support/load.js';
import { atLeast, atMost, besideBare, type Figure } from '../support/report.js';
import { categories, mustBe, onStage, product, type Stage, teach } from '../support/stage.js';

const PRODUCTS = 200;
const cartOf = (n: number): string[] => [0, 1, 2].map((i) => `P${(n * 3 + i) % PRODUCTS}`);

async function openShop(stage: Stage): Promise<void> {
  await stage.call('PUT', `${stage.commerce}/categories`, categories);
  const products = Array.from({ length: PRODUCTS }, (_, n) => ({ externalId: `P${n}`, ...product(n) }));
  const answer = await stage.call('POST', `${stage.commerce}/products/batch`, { products });
  mustBe('upsertProducts', answer.status === 200, answer.text.slice(0, 300));
}

async function send(stage: Stage, n: number): Promise<void> {
  const cart = signedCart(stage.demo, n, cartOf(n));
  const answer = await fetch(stage.demo.channel.webhookUrl, { method: 'POST', headers: cart.headers, body: cart.body });
  mustBe('channel webhook', answer.status === 200, answer.status);
  await answer.arrayBuffer();
}

async function orderOf(stage: Stage, n: number): Promise<string | undefined> {
  const answer = await stage.call('GET', `${stage.commerce}/orders?limit=1&phone=%2B${customerOf(n)}`);
  mustBe('listOrders', answer.status === 200, answer.text.slice(0, 300));
  return (JSON.parse(answer.text) as { orders: { id: string }[] }).orders[0]?.id;
}

/** ms from the webhook's send until the order can be read. */
async function untilReadable(stage: Stage, n: number, limitMs: number): Promise<{ id: string; ms: number }> {
  const started = performance.now();
  await send(stage, n);
  for (;;) {
    const id = await orderOf(stage, n);
    const ms = performance.now() - started;
    if (id !== undefined) return { id, ms };
    mustBe(`order ${n} readable in ${limitMs} ms`, ms < limitMs, ms);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** getOrder beside a bare answer of the same bytes. */
export const getOrder = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    await openShop(stage);
    const { id } = await untilReadable(stage, 1, 10_000);
    const path = `${stage.commerce}/orders/${id}`;
    const sample = await stage.call('GET', path);
    mustBe('getOrder', sample.status === 200, sample.text.slice(0, 300));
    await teach(stage.bare, sample.text);
    const ours = await load({ url: `${stage.service.baseUrl}${path}`, headers: stage.auth });
    mustBe('getOrder', ours.failures === 0, ours);
    const theirs = await load({ url: stage.bare.baseUrl });
    return [besideBare('getOrder', ours.perSecond, 'requests/s', theirs.perSecond, 0.7)];
  });

const OFFERED = 550;
const SECONDS = 20;

/**
 * Carts come in at a steady 550 a second for 20 s, one a request, each from another customer. The figure is orders
 * over the time until the last of them can be read; every twentieth cart is watched from its sending to the read.
 */
export const cartToOrder = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    await openShop(stage);
    const waits: number[] = [];
    const watched: Promise<void>[] = [];
    const pending = new Set<Promise<void>>();
    const started = performance.now();
    const total = OFFERED * SECONDS;
    for (let n = 0; n < total; ) {
      const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * OFFERED) + 1);
      for (; n < due; n += 1) {
        if (n % 20 === 0) {
          watched.push(untilReadable(stage, n, 30_000).then(({ ms }) => void waits.push(ms)));
        } else {
          const sent: Promise<void> = send(stage, n).finally(() => pending.delete(sent));
          pending.add(sent);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await Promise.all([...pending, ...watched]);
    while ((await count(stage)) < total) {
      mustBe('all orders placed', performance.now() - started < 120_000, await count(stage));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const perSecond = total / ((performance.now() - started) / 1000);
    waits.sort((a, b) => a - b);
    return [
      atLeast('cart to priced order, offered 550/s for 20 s', perSecond, 'orders/s', 500),
      atMost('order readable after its cart, p99', waits[Math.floor(waits.length * 0.99)] ?? 0, 'ms', 100),
    ];
  });

/** Orders of the store so far: numbers are without gaps, so the newest one tells. */
async function count(stage: Stage): Promise<number> {
  const answer = await stage.call('GET', `${stage.commerce}/orders?limit=5`);
  const { orders } = JSON.parse(answer.text) as { orders: { number: number }[] };
  return orders.reduce((most, order) => Math.max(most, order.number), 0);
}
