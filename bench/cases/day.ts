/**
 * A steady mixed day: reads, writes, carts, messages and webhooks at 60 % of the mixture's maximum rate, for `SUUQ_BENCH_MINUTES` (default
 * 2; 30 for a reliable figure).
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { signedCart } from '../../harness/service/signedCart.js';
import { steadily } from '../support/load.js';
import { type BareServer, startServer } from '../support/process.js';
import { atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe, onStage, product, type Stage } from '../support/stage.js';
import { messagesFrom } from './inbound.js';
import { cartOf, deliver, openShop } from './orders.js';

const MINUTES = Number(process.env.SUUQ_BENCH_MINUTES ?? 2);
const SHARE = 0.6;
const PROBE_SECONDS = 6;
const PROBE_AT_ONCE = 24;
/** Until buffers, caches and compiled code have the size that they keep. */
const WARM_UP_SECONDS = 30;
const LOOK_MS = 5_000;
/** Maximum number of stored samples of one kind; of more, every n-th. */
const MOST_WAITS = 100_000;
const MOST_P99_MS = 50;
const ENDPOINTS = 5;
const PRODUCTS = 200;

const callers = new Agent({ connections: 128 });

const KINDS = ['getOrder', 'listOrders', 'listProducts', 'upsertProduct', 'cart', 'message'] as const;
type Kind = (typeof KINDS)[number];

/** Kinds in a hundred: 70 reads, 20 changes of products, 5 carts, 5 messages; each cart causes messages and webhooks of its own. */
function kindOf(n: number): Kind {
  // 37 and 100 have no common divisor: every hundred in a row has each kind as often as it should.
  const place = (n * 37) % 100;
  if (place < 40) return 'getOrder';
  if (place < 55) return 'listOrders';
  if (place < 70) return 'listProducts';
  if (place < 90) return 'upsertProduct';
  return place < 95 ? 'cart' : 'message';
}

interface Shop {
  readonly stage: Stage;
  readonly order: string;
}

async function request({ stage, order }: Shop, n: number): Promise<void> {
  const kind = kindOf(n);
  if (kind === 'cart') return deliver(stage, signedCart(stage.demo, n, cartOf(n)));
  if (kind === 'message') return deliver(stage, messagesFrom(stage, n, 1));
  const { commerce, service, auth } = stage;
  const path = {
    getOrder: order,
    listOrders: `${commerce}/orders?limit=20`,
    listProducts: `${commerce}/products?limit=20&categoryExternalId=C${n % 10}`,
    upsertProduct: `${commerce}/products/P${n % PRODUCTS}`,
  }[kind];
  const answer = await fetch(`${service.baseUrl}${path}`, {
    dispatcher: callers,
    headers: { ...auth, 'content-type': 'application/json' },
    ...(kind === 'upsertProduct' && {
      method: 'PUT',
      body: JSON.stringify(product(n % PRODUCTS, Math.floor(n / 100) % 50)),
    }),
  });
  const text = await answer.text();
  mustBe(kind, answer.status === 200, text.slice(0, 300));
}

/** Rate of the mixture in a closed loop, requests a second. */
async function capacityOf(shop: Shop, from: number): Promise<number> {
  const end = performance.now() + PROBE_SECONDS * 1000;
  let n = from;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) await request(shop, n++);
  };
  await Promise.all(Array.from({ length: PROBE_AT_ONCE }, worker));
  return (n - from) / PROBE_SECONDS;
}

/** How long the requests of each kind waited, in ms. */
class Waits {
  readonly #waited = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));

  note(kind: Kind, ms: number): void {
    const retained = this.#waited.get(kind)!;
    if (retained.length < MOST_WAITS) retained.push(ms);
    else retained[Math.floor(Math.random() * MOST_WAITS)] = ms;
  }

  figures(name: string): Figure[] {
    return KINDS.map((kind) => atMost(`${name}: ${kind}, p99`, spread(this.#waited.get(kind)!).p99, 'ms', MOST_P99_MS));
  }
}

interface Sample {
  readonly resident: number;
  /** Bytes other than the engines' files, whose size is the data's. */
  readonly during: number;
}

/** Files that are not data must not grow: write-ahead logs, snapshots, notes of the service. */
const isData = (name: string): boolean => name.endsWith('.db') || name === 'sandbox.jsonl';

function read({ service, folder }: Stage): Sample {
  const names = readdirSync(folder).filter((name) => !isData(name));
  const during = names.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return { resident: service.resident(), during };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** The last third of the time against the third before it, in percent. */
function growth(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  const before = mean(values.slice(third, 2 * third));
  return (mean(values.slice(2 * third)) / before - 1) * 100;
}

async function openEndpoints(stage: Stage, receivers: BareServer): Promise<void> {
  for (let i = 0; i < ENDPOINTS; i += 1) {
    const body = { url: `${receivers.baseUrl}/${i}`, events: ['order.created', 'order.status_changed'] };
    const made = await stage.call('POST', `/api/v1/workspaces/${stage.demo.store.workspaceId}/webhook-endpoints`, body);
    mustBe('createWebhookEndpoint', made.status === 201, made.text.slice(0, 300));
  }
}

async function aDay(stage: Stage, receivers: BareServer): Promise<Figure[]> {
  await openShop(stage);
  await openEndpoints(stage, receivers);
  await deliver(stage, signedCart(stage.demo, 1, cartOf(1)));
  await pause(1000);
  const { orders } = JSON.parse((await stage.call('GET', `${stage.commerce}/orders?limit=1`)).text) as {
    orders: { id: string }[];
  };
  const shop: Shop = { stage, order: `${stage.commerce}/orders/${orders[0]?.id}` };
  const capacity = await capacityOf(shop, 1_000);
  const rate = Math.floor(capacity * SHARE);
  let n = 1_000_000;
  await steadily(rate, WARM_UP_SECONDS, () => request(shop, n++));
  const waits = new Waits();
  const polls: Sample[] = [];
  const timer = setInterval(() => polls.push(read(stage)), LOOK_MS);
  try {
    await steadily(rate, MINUTES * 60, async () => {
      const [kind, started] = [kindOf(n), performance.now()];
      await request(shop, n++);
      waits.note(kind, performance.now() - started);
    });
  } finally {
    clearInterval(timer);
  }
  const name = `mixed day, ${rate.toLocaleString('en')} requests/s (60 %) for ${MINUTES} min`;
  return [
    { name: 'mixed day, unlimited', figure: capacity, unit: 'requests/s', target: '', reached: true },
    ...waits.figures(name),
    atMost(`${name}: memory, last third against the one before`, growth(polls.map(({ resident }) => resident)), '%', 5),
    atMost(`${name}: files beside the data, the same`, growth(polls.map(({ during }) => during)), '%', 5),
  ];
}

export async function day(): Promise<Figure[]> {
  mustBe(
    'SUUQ_BENCH_MINUTES',
    Number.isFinite(MINUTES) && MINUTES > 0 && MINUTES <= 120,
    process.env.SUUQ_BENCH_MINUTES,
  );
  const receivers = await startServer('webhookReceivers');
  try {
    return await onStage((stage) => aDay(stage, receivers));
  } finally {
    await receivers.stop();
  }
}
