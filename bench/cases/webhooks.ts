import { fetch } from 'undici';
import { appendOrders, countPending } from '../../harness/load/webhookHistory.js';
import { startService } from '../../harness/service/serviceProcess.js';
import { signedCart } from '../../harness/service/signedCart.js';
import { enough } from '../support/effort.js';
import { steadily } from '../support/load.js';
import { startServer } from '../support/process.js';
import { atLeast, atMost, type Figure, unlessLate } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe, onStage, product, type Stage, until, within } from '../support/stage.js';
import type { Counted } from '../webhookReceivers.js';
import { deliver } from './orders.js';

const ENDPOINTS = 20;
/** Carts a second, each delivered to all endpoints: 3,000 deliveries a second are offered. */
const SUSTAINED = 150;
const BESIDE_HANGING = 40;
const SECONDS = 10;
const WARM_UP_SECONDS = 4;
const OWED = 100_000;
/** Far from the numbers of orders that are placed here. */
const FIRST_OWED = 1_000_000;

class Receivers {
  readonly #base: string;
  constructor(base: string) {
    this.#base = base;
  }
  url = (index: number): string => `${this.#base}/${index}`;
  async hang(which: readonly number[] | 'all'): Promise<void> {
    const body = JSON.stringify(which === 'all' ? which : which.map((index) => `/${index}`));
    await fetch(`${this.#base}/_mode`, { method: 'PUT', body });
  }
  async counted(method: 'GET' | 'POST' = 'GET'): Promise<Counted> {
    return (await (await fetch(`${this.#base}/_count`, { method })).json()) as Counted;
  }
}

const sendCart = (stage: Stage, n: number): Promise<void> =>
  deliver(stage, signedCart(stage.demo, n, [`P${n % ENDPOINTS}`]));

async function openShop(stage: Stage, receivers: Receivers): Promise<void> {
  const products = Array.from({ length: ENDPOINTS }, (_, n) => ({
    externalId: `P${n}`,
    ...product(n),
    categoryExternalId: undefined,
  }));
  const filled = await stage.call('POST', `${stage.commerce}/products/batch`, { products });
  mustBe('upsertProducts', filled.status === 200, filled.text.slice(0, 300));
  const path = `/api/v1/workspaces/${stage.demo.store.workspaceId}/webhook-endpoints`;
  for (let i = 0; i < ENDPOINTS; i++) {
    const made = await stage.call('POST', path, { url: receivers.url(i), events: ['order.created'] });
    mustBe('createWebhookEndpoint', made.status === 201, made.text.slice(0, 300));
  }
}

let next = 0;

/** Carts at a steady rate. */
const offer = (stage: Stage, perSecond: number, seconds: number): Promise<void> =>
  steadily(perSecond, seconds, () => sendCart(stage, next++));

const metricsOf = async (baseUrl: string): Promise<string> => (await fetch(`${baseUrl}/metrics`)).text();

/** Everything that was offered so far has been answered. */
const untilIdle = ({ service }: Stage): Promise<void> =>
  until('nothing is on its way', 60, async () => {
    const metrics = await metricsOf(service.baseUrl);
    return ['lag_events', 'in_flight'].every((name) =>
      metrics.includes(`suuq_processor_${name}{processor="webhooks"} 0\n`),
    );
  });

async function offered(stage: Stage, receivers: Receivers, perSecond: number, receiving: number) {
  const seconds = enough(SECONDS);
  await receivers.counted('POST');
  await offer(stage, perSecond, seconds);
  const expected = perSecond * seconds * receiving;
  const isInTime = await within(60, async () => (await receivers.counted()).received >= expected);
  const counted = await receivers.counted();
  const { firstAt = 0, lastAt = firstAt } = counted;
  const span = Math.max(seconds * 1000, lastAt - firstAt) / 1000;
  return { perSecond: counted.received / span, waits: counted.waits, isInTime };
}

/** Orders of which nothing is delivered, a kill, and a start with receivers that answer. */
async function restart(stage: Stage, receivers: Receivers): Promise<Figure[]> {
  const { folder, demo, service } = stage;
  await service.stop();
  const workspaceOf = (): string => demo.store.workspaceId;
  await appendOrders(folder, { from: FIRST_OWED, count: OWED / ENDPOINTS, workspaceOf });
  await receivers.hang('all');
  const first = await startService(folder);
  await until('all are noted', 120, async () =>
    (await metricsOf(first.baseUrl)).includes('suuq_processor_lag_events{processor="webhooks"} 0\n'),
  );
  await first.kill();
  const pending = await countPending(folder);
  mustBe('pending deliveries after the kill', pending >= OWED, pending);
  await receivers.hang([]);
  await receivers.counted('POST');
  const started = Date.now();
  const second = await startService(folder);
  try {
    const isInTime = await within(60, async () => (await receivers.counted()).received >= OWED / 10);
    const { received, firstAt = Date.now(), lastAt = firstAt } = await receivers.counted();
    const perSecond = received / (Math.max(1, lastAt - firstAt) / 1000);
    return [
      atMost(
        `${OWED.toLocaleString('en')} pending deliveries: the first after a restart`,
        (firstAt - started) / 1000,
        's',
        2,
      ),
      unlessLate(atLeast('deliveries of the backlog', perSecond, 'deliveries/s', 1500), isInTime),
    ];
  } finally {
    await second.kill();
  }
}

/**
 * Carts become orders, and each order is delivered to 20 endpoints of the store over loopback; receivers, sender of the carts and service
 * share the machine.
 */
export async function webhooks(): Promise<Figure[]> {
  const server = await startServer('webhookReceivers');
  const receivers = new Receivers(server.baseUrl);
  try {
    return await onStage(async (stage) => {
      await openShop(stage, receivers);
      await offer(stage, BESIDE_HANGING, WARM_UP_SECONDS);
      await untilIdle(stage);
      const all = await offered(stage, receivers, SUSTAINED, ENDPOINTS);
      await untilIdle(stage);
      await receivers.hang([0]);
      const healthy = await offered(stage, receivers, BESIDE_HANGING, ENDPOINTS - 1);
      return [
        unlessLate(
          atLeast(`webhooks, ${SUSTAINED} orders/s to ${ENDPOINTS} endpoints`, all.perSecond, 'deliveries/s', 2_940),
          all.isInTime,
        ),
        unlessLate(
          atMost('event to receipt while one of 20 hangs, p99 of the healthy', spread(healthy.waits).p99, 'ms', 50),
          healthy.isInTime,
        ),
        ...(await restart(stage, receivers)),
      ];
    });
  } finally {
    await server.stop();
  }
}
