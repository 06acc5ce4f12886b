/**
 * The console over a million events: its first view and an order of 500 events in Chromium (left out where there is none), a
 * search through the whole log, and what 50 tabs cost the service while 1,000 events happen a second.
 */
import { derivedId } from '../../domain/ids.js';
import { chromiumPath, openBrowser } from '../../harness/service/browser.js';
import { signInBy } from '../../harness/service/consoleLink.js';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { load, steadily } from '../support/load.js';
import { atMost, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe, product, until } from '../support/stage.js';
import { openTabs } from '../support/tabs.js';
import { suuq, writeFolder } from '../support/writeFolder.js';

const ORDER_EVENTS = 500;
const ORDER = derivedId('bench order', 0);
const FEATURES = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'];

interface Console {
  readonly service: ServiceProcess;
  readonly folder: string;
  readonly workspaceId: string;
  /** Headers with the store's key. */
  readonly auth: Record<string, string>;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Changes one order until its stream has 500 events. */
async function lengthen(folder: string): Promise<void> {
  const store = await openEmbeddedEventStore(folder);
  const stream = `order-${ORDER}`;
  const there = await store.readStream(stream);
  const { meta } = there.at(-1)!;
  const more = Array.from({ length: ORDER_EVENTS - there.length }, (_, i) => ({
    id: derivedId('bench told', i),
    type: 'CustomerNotified',
    data: { status: 'delivered', messageId: derivedId('bench told', i) },
    meta,
  }));
  await store.append(stream, there.length - 1, more);
  await store.close();
}

const newLink = (folder: string): string => (JSON.parse(suuq(folder, 'console')) as { url: string }).url;

async function signIn(folder: string): Promise<Record<string, string>> {
  const { cookie } = await signInBy(newLink(folder));
  return { cookie };
}

/** From the address to the last of what it shows first, each time by somebody who has nothing of the console yet. */
async function inBrowser({ service, folder, workspaceId }: Console): Promise<Figure[]> {
  const path = chromiumPath();
  if (path === undefined) {
    process.stderr.write(
      'left out: the console in a browser, since there is no Chromium (apt-get install chromium-headless-shell)\n',
    );
    return [];
  }
  const { browser, close } = await openBrowser(path);
  const times = { orders: [] as number[], order: [] as number[] };
  try {
    for (let run = 0; run < 5; run++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(newLink(folder));
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      const state = await context.storageState();
      await context.close();
      const fresh = await browser.newContext({ storageState: state });
      const first = await fresh.newPage();
      const at = `${service.baseUrl}/console/s/${workspaceId}/orders`;
      times.orders.push(
        await timed(async () => {
          await first.goto(at);
          await first.locator('.virtual .row').nth(5).waitFor();
        }),
      );
      times.order.push(
        await timed(async () => {
          await first.goto(`${at}/${ORDER}`);
          await first
            .locator('.story li')
            .nth(ORDER_EVENTS - 1)
            .waitFor();
        }),
      );
      await fresh.close();
    }
  } finally {
    await close();
  }
  return [
    atMost('console: first view of a store’s orders, nothing cached', spread(times.orders).median, 'ms', 1000),
    atMost(`console: the page of an order with ${ORDER_EVENTS} events`, spread(times.order).median, 'ms', 1000),
  ];
}

/** Searches from the end of the log for an event at its very beginning, request after request as the page does. */
async function searched({ service }: Console, cookie: Record<string, string>): Promise<Figure[]> {
  const longest: number[] = [];
  let all = 0;
  let seen = 0;
  for (let before: number | undefined; ; ) {
    const query = `type=StoreCreated${before === undefined ? '' : `&before=${before}`}`;
    const started = performance.now();
    const answer = await fetch(`${service.baseUrl}/console/api/events?${query}`, { headers: cookie });
    const body = (await answer.json()) as { seen: number; next?: number };
    mustBe('search', answer.status === 200, body);
    longest.push(performance.now() - started);
    all += performance.now() - started;
    seen += body.seen;
    before = body.next;
    if (before === undefined) break;
  }
  mustBe('search', seen > 0, seen);
  return [
    atMost('console: search through 1,000,000 events for what is at their beginning', all / 1000, 's', 30),
    atMost('console: the longest request of it', Math.max(...longest), 'ms', 1000),
  ];
}

const TABS = 50;
/** Limit of the tabs' cost. */
const MOST_SLOWER = 1.1;
const SECONDS = 8;
const BATCH = 100;
const BATCHES = 10;
const PROBES = 100;

/** 1,000 changes of products a second during 100 reads of an order a second: the p99 of the reads, in ms. */
async function underEvents({ service, workspaceId, auth }: Console, turn: number): Promise<number> {
  const commerce = `${service.baseUrl}/api/v1/workspaces/${workspaceId}/commerce`;
  const headers = { ...auth, 'content-type': 'application/json' };
  const batch = async (i: number): Promise<void> => {
    const revision = 1 + turn * SECONDS * BATCHES + i;
    const products = Array.from({ length: BATCH }, (_, n) => ({
      externalId: `P${n}`,
      ...product(n, revision),
      categoryExternalId: undefined,
    }));
    const body = JSON.stringify({ products });
    const answer = await fetch(`${commerce}/products/batch`, { method: 'POST', headers, body });
    mustBe('upsertProducts', answer.status === 200, await answer.text());
  };
  const waits: number[] = [];
  const probe = async (): Promise<void> => {
    waits.push(
      await timed(async () => {
        const answer = await fetch(`${commerce}/orders/${ORDER}`, { headers: auth });
        await answer.arrayBuffer();
        mustBe('getOrder', answer.status === 200, answer.status);
      }),
    );
  };
  await Promise.all([steadily(BATCHES, SECONDS, batch), steadily(PROBES, SECONDS, probe)]);
  return spread(waits).p99;
}

/** With tabs and without, by turns; the best of each. */
async function withTabs(of: Console, cookie: Record<string, string>): Promise<Figure[]> {
  await underEvents(of, 0);
  const alone: number[] = [];
  const watched: number[] = [];
  for (let turn = 1; turn < 7; turn++) {
    if (turn % 2 === 1) {
      alone.push(await underEvents(of, turn));
      continue;
    }
    const close = await openTabs({ url: of.service.baseUrl, headers: cookie, count: TABS });
    watched.push(await underEvents(of, turn));
    await close();
  }
  const [without, concurrent] = [Math.min(...alone), Math.min(...watched)];
  return [
    {
      name: `console: p99 of getOrder at 1,000 events/s, ${TABS} tabs live`,
      ...{ figure: concurrent, unit: 'ms', reference: without, beside: 'without tabs', ratio: concurrent / without },
      target: `≤ ${MOST_SLOWER} × without tabs`,
      reached: concurrent <= MOST_SLOWER * without,
    },
  ];
}

export async function consolePages(): Promise<Figure[]> {
  const folder = temporaryFolder();
  try {
    const { workspaceId } = await writeFolder(folder.path);
    await lengthen(folder.path);
    suuq(folder.path, 'projections', 'rebuild');
    const service = await startService(folder.path);
    try {
      const admin = (...words: string[]): { key?: string } => JSON.parse(suuq(folder.path, 'admin', ...words));
      admin('plans', 'put', '--key', 'bench', '--name', 'Bench', ...FEATURES.flatMap((one) => ['--feature', one]));
      const scopes = ['commerce:manage', 'orders:view'].flatMap((one) => ['--scope', one]);
      const { key } = admin('keys', 'create', '--workspace', workspaceId, '--mode', 'live', ...scopes);
      const of = { service, folder: folder.path, workspaceId, auth: { authorization: `Bearer ${key}` } };
      const orderUrl = `${service.baseUrl}/api/v1/workspaces/${workspaceId}/commerce/orders/${ORDER}`;
      await until('the order', 60, async () => (await fetch(orderUrl, { headers: of.auth })).status === 200, 200);
      const cookie = await signIn(folder.path);
      const pages = await inBrowser(of);
      const timeline = await load({
        url: `${service.baseUrl}/console/api/orders/${ORDER}/timeline`,
        headers: cookie,
        connections: 4,
        seconds: 4,
      });
      mustBe('the timeline', timeline.failures === 0, timeline);
      return [
        ...pages,
        atMost(
          `console: the timeline of an order with ${ORDER_EVENTS} events, 4 connections, p99`,
          timeline.p99Ms,
          'ms',
          500,
        ),
        ...(await searched(of, cookie)),
        ...(await withTabs(of, cookie)),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    folder.remove();
  }
}
