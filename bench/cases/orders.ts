import { Agent, fetch } from 'undici';
import { defined } from '../../domain/defined.js';
import { profileFromNow } from '../../harness/service/serviceProcess.js';
import { customerOf, signedCart } from '../../harness/service/signedCart.js';
import { loadBare, loadOurs } from '../support/bareLoads.js';
import { enough, enoughOf } from '../support/effort.js';
import { steadily } from '../support/load.js';
import { loadUnchanged } from '../support/pageReads.js';
import { untilShown } from '../support/polling.js';
import { atLeast, comparedWithBare, type Figure, p99Within, unlessLate } from '../support/report.js';
import { categories, mustBe, onStage, product, type Stage, teach, within } from '../support/stage.js';

const PRODUCTS = 200;
/** Products in customer `n`'s cart. */
export const cartOf = (n: number): string[] => [0, 1, 2].map((i) => `P${(n * 3 + i) % PRODUCTS}`);

export async function openShop(stage: Stage): Promise<void> {
  await stage.call('PUT', `${stage.commerce}/categories`, categories);
  const products = Array.from({ length: PRODUCTS }, (_, n) => ({ externalId: `P${n}`, ...product(n) }));
  const answer = await stage.call('POST', `${stage.commerce}/products/batch`, { products });
  mustBe('upsertProducts', answer.status === 200, answer.text.slice(0, 300));
}

/** The channel calls over a bounded number of connections, as any client does that expects to be answered. */
const channel = new Agent({ connections: 64 });

/** One message through the channel's webhook. */
export async function deliver(stage: Stage, { headers, body }: ReturnType<typeof signedCart>): Promise<void> {
  const answer = await fetch(stage.demo.channel.webhookUrl, { method: 'POST', headers, body, dispatcher: channel });
  mustBe('channel webhook', answer.status === 200, answer.status);
  await answer.arrayBuffer();
}

const send = (stage: Stage, n: number): Promise<void> => deliver(stage, signedCart(stage.demo, n, cartOf(n)));

async function orderOf(stage: Stage, n: number): Promise<string | undefined> {
  const answer = await stage.call('GET', `${stage.commerce}/orders?limit=1&phone=%2B${customerOf(n)}`);
  mustBe('listOrders', answer.status === 200, answer.text.slice(0, 300));
  return (JSON.parse(answer.text) as { orders: { id: string }[] }).orders[0]?.id;
}

/** ms from the webhook's send until the order can be read; without an id it could not be after `limitMs`. */
async function untilReadable(stage: Stage, n: number, limitMs: number): Promise<{ id?: string; ms: number }> {
  const started = performance.now();
  await send(stage, n);
  let id: string | undefined;
  const ms = await untilShown({ started, everyMs: 10, limitMs }, async () => {
    id = await orderOf(stage, n);
    return id !== undefined;
  });
  return { ...defined({ id }), ms };
}

/** Places an order; answers its path. */
export async function placeOne(stage: Stage): Promise<string> {
  await openShop(stage);
  const { id, ms } = await untilReadable(stage, 1, 10_000);
  mustBe('an order readable in 10 s', id !== undefined, ms);
  return `${stage.commerce}/orders/${id}`;
}

/** getOrder compared with a bare answer of the same bytes. */
export const getOrder = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const path = await placeOne(stage);
    const sample = await stage.call('GET', path);
    mustBe('getOrder', sample.status === 200, sample.text.slice(0, 300));
    await teach(stage, sample.text);
    const ours = await loadOurs(stage, path);
    const unchanged = await loadUnchanged(stage, path);
    const bare = await loadBare(stage);
    return [
      comparedWithBare('getOrder', ours, bare, 2.5),
      comparedWithBare('getOrder, unchanged, with If-None-Match', unchanged, bare, 3),
    ];
  });

/** Target rates of two cores. */
const OFFERS: readonly { readonly perSecond: number; readonly seconds: number }[] = [
  { perSecond: 550, seconds: 20 },
  { perSecond: 800, seconds: 60 },
];
/** Share of the offered load: the last carts arrive as the time ends. */
const MOST_OF = 0.98;
const WARM_UP = { perSecond: 200, seconds: 4 };
/** Nobody waits longer for one order, nor for the last of an offer. */
const ORDER_MS = 30_000;
const ALL_S = 300;

/** Sends carts at a steady rate; every fortieth is watched from its sending until the order can be read. */
async function offer(stage: Stage, from: number, perSecond: number, seconds: number): Promise<number[]> {
  const waits: number[] = [];
  await steadily(perSecond, seconds, (i) => {
    const n = from + i;
    return n % 40 === 0 ? untilReadable(stage, n, ORDER_MS).then(({ ms }) => void waits.push(ms)) : send(stage, n);
  });
  return waits;
}

/**
 * Carts come in at a steady rate, one a request, each from another customer: 550 a second for 20 s, then 800 for 60 s. The
 * figure is orders over the time until the last of them can be read. What is not readable in its time counts as that long; an offer
 * of which orders are left then is the last.
 */
export const cartToOrder = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    await openShop(stage);
    await offer(stage, 0, WARM_UP.perSecond, WARM_UP.seconds);
    profileFromNow(stage.service.pid);
    const figures: Figure[] = [];
    let before = WARM_UP.perSecond * WARM_UP.seconds;
    for (const { perSecond, seconds: whole } of enoughOf(OFFERS)) {
      const seconds = enough(whole);
      const total = perSecond * seconds;
      const started = performance.now();
      const waits = await offer(stage, before, perSecond, seconds);
      before += total;
      const isPlaced = async (): Promise<boolean> => (await newestNumber(stage)) >= before;
      const isInTime = await within(ALL_S, isPlaced);
      const missing = isInTime ? 0 : before - (await newestNumber(stage));
      const reached = (total - missing) / ((performance.now() - started) / 1000);
      const offered = `offered ${perSecond}/s for ${seconds} s`;
      figures.push(
        unlessLate(atLeast(`cart to priced order, ${offered}`, reached, 'orders/s', perSecond * MOST_OF), isInTime),
        p99Within(`order readable after its cart, ${offered}, p99`, waits, ORDER_MS, 100),
      );
      if (!isInTime) break;
    }
    return figures;
  });

/** Number of the store's orders: numbers have no gaps, so it is the newest one's. */
export async function newestNumber(stage: Stage): Promise<number> {
  const answer = await stage.call('GET', `${stage.commerce}/orders?limit=5`);
  const { orders } = JSON.parse(answer.text) as { orders: { number: number }[] };
  return orders.reduce((most, order) => Math.max(most, order.number), 0);
}
