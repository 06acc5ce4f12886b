/**
 * Cost of each operation of a shop on this machine: CPU time of the service, bytes of log and of read models.
 * docs/operating/performance.md.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signedCart } from '../../harness/service/signedCart.js';
import { startServer } from '../support/process.js';
import { processorMs } from '../support/processorTime.js';
import type { Figure } from '../support/report.js';
import { mustBe, onStage, product, type Stage, until } from '../support/stage.js';
import { messagesFrom } from './inbound.js';
import { deliver as deliverCart, openShop } from './orders.js';

/** At once on their way, so that work is gathered as it is in a busy hour. */
const AT_ONCE = 32;
const SETTLED_MS = 3_000;
const ENDPOINTS = 10;

interface Spent {
  /** ms, of all threads of the service. */
  readonly cpu: number;
  /** Bytes of events.db, and of views.db. */
  readonly log: number;
  readonly views: number;
}

const sizeOf = (folder: string, name: string): number => statSync(join(folder, name)).size;

/** Waits until effects are done and commits are in the files. */
async function settled(stage: Stage): Promise<void> {
  await until('nothing is on its way', 60, async () => {
    const metrics = await (await fetch(`${stage.service.baseUrl}/metrics`)).text();
    return !/suuq_(?:processor_lag_events|processor_in_flight|projection_lag_events)\{[^}]*\} [1-9]/.test(metrics);
  });
  await pause(SETTLED_MS);
}

async function spent(stage: Stage): Promise<Spent> {
  const { service, folder } = stage;
  return { cpu: processorMs(service.pid), log: sizeOf(folder, 'events.db'), views: sizeOf(folder, 'views.db') };
}

async function eachOf(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const figure = (name: string, value: number, unit: string): Figure => ({
  name,
  figure: value,
  unit,
  target: '',
  reached: true,
});

/** `count` times `work`, after a tenth of it to warm up; what the service idles in that time is taken off. */
async function costOf(
  stage: Stage,
  name: string,
  count: number,
  work: (n: number) => Promise<void>,
  { each = 1, idle = 0 } = {},
): Promise<Figure[]> {
  const warm = Math.ceil(count / 10);
  await eachOf(warm, work);
  await settled(stage);
  const before = await spent(stage);
  const started = performance.now();
  await eachOf(count, (n) => work(warm + n));
  await settled(stage);
  const after = await spent(stage);
  const things = count * each;
  const idled = (idle * (performance.now() - started)) / 1000;
  return [
    figure(`${name}: CPU`, ((after.cpu - before.cpu - idled) * 1000) / things, 'µs'),
    figure(`${name}: log`, (after.log - before.log) / things, 'bytes'),
    figure(`${name}: read models`, (after.views - before.views) / things, 'bytes'),
  ];
}

/** ms of CPU a second while idle. */
async function idleCost(stage: Stage): Promise<number> {
  await settled(stage);
  const before = processorMs(stage.service.pid);
  await pause(5_000);
  return (processorMs(stage.service.pid) - before) / 5;
}

async function requested(stage: Stage, method: string, path: string, body?: object): Promise<string> {
  const answer = await stage.call(method, path, body);
  mustBe(`${method} ${path}`, answer.status < 300, answer.text.slice(0, 300));
  return answer.text;
}

const STORE = { country: 'SO', timezone: 'Africa/Mogadishu', locale: 'en' } as const;

async function createStore({ service, demo }: Stage, n: number): Promise<void> {
  const answer = await fetch(`${service.baseUrl}/api/v1/partner/stores`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.partner.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...STORE,
      externalRef: `shop-${n}`,
      name: `Shop ${n}`,
      owner: { email: `owner${n}@example.com`, name: 'Hodan Ali' },
    }),
  });
  mustBe('createPartnerStore', answer.status === 201, await answer.text());
}

export const costs = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    const { commerce } = stage;
    await openShop(stage);
    const idle = await idleCost(stage);
    let cart = 0;
    const buy = (): Promise<void> =>
      deliverCart(
        stage,
        signedCart(
          stage.demo,
          cart,
          [0, 1, 2].map((i) => `P${(cart++ + i) % 200}`),
        ),
      );
    const figures = [
      figure('a service that idles: CPU', idle, 'ms/s'),
      ...(await costOf(stage, 'a store', 300, (n) => createStore(stage, n), { idle })),
      ...(await costOf(
        stage,
        'a product, new',
        5_000,
        async (n) => void (await requested(stage, 'PUT', `${commerce}/products/N${n}`, product(n))),
        { idle },
      )),
      ...(await costOf(
        stage,
        'a product, changed',
        5_000,
        async (n) => void (await requested(stage, 'PUT', `${commerce}/products/N${n % 5_000}`, product(n, 7))),
        { idle },
      )),
      ...(await costOf(
        stage,
        'a product, in a batch of 500',
        20,
        async (n) => {
          const products = Array.from({ length: 500 }, (_, i) => ({ externalId: `B${n}-${i}`, ...product(i) }));
          await requested(stage, 'POST', `${commerce}/products/batch`, { products });
        },
        { each: 500, idle },
      )),
      ...(await costOf(stage, 'a cart that becomes an order', 5_000, buy, { idle })),
      ...(await costOf(stage, 'a message of a customer', 500, (n) => deliverCart(stage, messagesFrom(stage, n * 20)), {
        each: 20,
        idle,
      })),
    ];
    const { orders } = JSON.parse(await requested(stage, 'GET', `${commerce}/orders?limit=1`)) as {
      orders: { id: string }[];
    };
    const read = (path: string) => async (): Promise<void> => void (await requested(stage, 'GET', path));
    figures.push(
      ...(await costOf(stage, 'getOrder', 20_000, read(`${commerce}/orders/${orders[0]!.id}`), { idle })).slice(0, 1),
    );
    figures.push(
      ...(await costOf(stage, 'listOrders, 50, unchanged', 5_000, read(`${commerce}/orders?limit=50`), { idle })).slice(
        0,
        1,
      ),
    );
    return [...figures, ...(await webhookCost(stage, buy, idle))];
  });

/** Added cost of ten endpoints for a cart that becomes an order, per endpoint. */
async function webhookCost(stage: Stage, buy: () => Promise<void>, idle: number): Promise<Figure[]> {
  const [bare] = await costOf(stage, '', 2_000, buy, { idle });
  const receivers = await startServer('webhookReceivers');
  try {
    const path = `/api/v1/workspaces/${stage.demo.store.workspaceId}/webhook-endpoints`;
    for (let i = 0; i < ENDPOINTS; i++)
      await requested(stage, 'POST', path, { url: `${receivers.baseUrl}/${i}`, events: ['order.created'] });
    const [reported] = await costOf(stage, '', 2_000, buy, { idle });
    return [figure('a webhook delivery: CPU', (reported!.figure - bare!.figure) / ENDPOINTS, 'µs')];
  } finally {
    await receivers.stop();
  }
}
