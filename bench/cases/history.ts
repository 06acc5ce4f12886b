import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openStoredRows } from '../../infrastructure/sqlite/eventStore/storedRows.js';
import { HISTORY_INDEX, historyIndexIn } from '../../infrastructure/sqlite/historyIndex.js';
import { onHistory, run, timed } from '../support/historyFolder.js';
import { load } from '../support/load.js';
import { atLeast, atMost, comparedWith, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { mustBe, product } from '../support/stage.js';
import { suuq } from '../support/writeFolder.js';

const SCOPES = ['commerce:manage', 'orders:view', 'history:view'];
const MOST_SLOWER = 0.95;
/** Targets for a history of a million events, and for longer ones. */
const OF_A_MILLION = { all: 150_000, one: 300_000, readyS: 0.7, residentMb: 200 };
const OF_MORE = { all: 100_000, one: 200_000, readyS: 1, residentMb: 300 };
const requestedOf = (events: number) => (events < 2_000_000 ? OF_A_MILLION : OF_MORE);
/** Both busy, so that a second has so much processor time. */
const CORES = 2;
const MEMBERS = 'actor=member&type=OrderStatusChanged';
const NOBODY = '+252600000000';
const actorIs = (id: string): string => `actor=${encodeURIComponent(id)}`;
/** About five minutes for ten million events. */
const INDEX_MS = 1_800_000;
const LOOK_MS = 1_000;
const LISTED = 50;
/** Events of a history that is as good as none. */
const SMALL = 20_000;
/** Orders of the store that were placed before it had a history. */
const FIRST_ORDERS = 20;

interface Row {
  readonly id: string;
  readonly workspaceId: string;
  readonly phone: string;
}

/** A client of a running service with a store's key. */
interface RequestOptions {
  readonly url: string;
  readonly auth: Readonly<Record<string, string>>;
  readonly commerce: string;
}

async function request(folder: string, url: string, workspaceId: string): Promise<RequestOptions> {
  const scopes = SCOPES.flatMap((scope) => ['--scope', scope]);
  const made = suuq(folder, 'admin', 'keys', 'create', '--workspace', workspaceId, '--mode', 'live', ...scopes);
  const { key } = JSON.parse(made) as { key: string };
  const auth = { authorization: `Bearer ${key}` };
  return { url, auth, commerce: `${url}/api/v1/workspaces/${workspaceId}` };
}

/** Median of some requests, one after another, in ms. */
async function medianOf(url: string, { auth }: RequestOptions, requests = 15): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    const began = performance.now();
    const answer = await fetch(url, { headers: auth });
    mustBe(url, answer.status === 200, await answer.text());
    times.push(performance.now() - began);
  }
  return spread(times).median;
}

const DONE_MOST = ['upsertProduct', 'getOrder', 'listOrders'] as const;
type Rates = Record<(typeof DONE_MOST)[number], number>;

/** Measures requests a second of what stores do most, each time it is called. */
async function measuringRates({ commerce, auth }: RequestOptions): Promise<() => Promise<Rates>> {
  const orders = `${commerce}/commerce/orders`;
  const page = await fetch(`${orders}?limit=${LISTED}`, { headers: auth });
  const listed = ((await page.json()) as { orders: { id: string }[] }).orders;
  // Answers of equal length everywhere: a shorter page is faster, whatever the log.
  mustBe(`a store with ${LISTED} orders`, listed.length === LISTED, listed.length);
  const bySize = listed.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  const middle = bySize[LISTED / 2]!;
  let n = 0;
  const each = () => ({
    path: `${new URL(commerce).pathname}/commerce/products/bench-${n % 100}`,
    body: JSON.stringify({ ...product(n % 100, (n++ / 100) | 0), categoryExternalId: undefined }),
  });
  const of = async (name: string, options: Parameters<typeof load>[0]): Promise<number> => {
    const done = await load({ ...options, headers: auth, seconds: 4 });
    mustBe(name, done.failures === 0, done);
    return done.perSecond;
  };
  return async () => ({
    upsertProduct: await of('upsertProduct', { url: commerce, method: 'PUT', each }),
    getOrder: await of('getOrder', { url: `${orders}/${middle.id}` }),
    listOrders: await of('listOrders', { url: `${orders}?limit=${LISTED}` }),
  });
}

const ROUNDS = 3;

/** Medians, in turns with a service whose history is as good as none, on which a store has as many orders as a page shows. */
async function concurrentSmall(of: RequestOptions): Promise<{ readonly large: Rates; readonly small: Rates }> {
  const { makeFolder } = await import('../generator/write.js');
  const folder = temporaryFolder('suuq-small-');
  try {
    const { workspaceIds } = await makeFolder(`${folder.path}/data`, { events: SMALL, seed: 'small' });
    const service = await startService(`${folder.path}/data`);
    try {
      await indexed(`${folder.path}/data`);
      const ofSmall = await measuringRates(await request(`${folder.path}/data`, service.baseUrl, workspaceIds[0]!));
      const ofLarge = await measuringRates(of);
      const rounds: { readonly large: Rates; readonly small: Rates }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push({ small: await ofSmall(), large: await ofLarge() });
      const medians = (which: 'large' | 'small') =>
        Object.fromEntries(
          DONE_MOST.map((name) => [name, spread(rounds.map((round) => round[which][name])).median]),
        ) as Rates;
      return { large: medians('large'), small: medians('small') };
    } finally {
      await service.stop();
    }
  } finally {
    folder.remove();
  }
}

/** An early order of the store that has most. */
function middleOrder(folder: string): Row {
  const sql = `select stream_id as id, workspace_id as workspaceId, customerPhone as phone from events_order_placed where workspace_id = (
    select workspace_id from events_order_placed group by all order by count(*) desc limit 1) order by position limit 1 offset ${FIRST_ORDERS}`;
  const { rows } = run(folder, sql).answer as { rows: Row[] };
  mustBe('an order', rows[0] !== undefined, rows);
  return rows[0]!;
}

/** Waits until the service has built the history index, so that no background work disturbs the measurement. */
async function indexed(folder: string): Promise<void> {
  const index = historyIndexIn(join(folder, HISTORY_INDEX));
  const log = openStoredRows(folder);
  const end = performance.now() + INDEX_MS;
  try {
    while ((index.made()?.through ?? -1) < (await log.head())) {
      mustBe('an index of the history', performance.now() < end, index.made());
      await pause(LOOK_MS);
    }
  } finally {
    index.close();
    await log.close();
  }
}

async function served(folder: string, { events, many }: Awaited<ReturnType<typeof manyIn>>): Promise<Figure[]> {
  const requests = requestedOf(events);
  const { id, workspaceId, phone } = middleOrder(folder);
  const service = await startService(folder);
  try {
    const resident = service.resident() / 2 ** 20;
    const of = await request(folder, service.baseUrl, workspaceId);
    const history = `${of.commerce}/history`;
    const changes = `${history}/orders/${id}/changes?to=2026-01-01T00:00:00Z`;
    const week = 'type=OrderPlaced&from=2025-06-01T00:00:00Z&to=2025-06-08T00:00:00Z';
    await indexed(folder);
    const figures = [
      atMost(`${many}: start to ready`, service.readyMs / 1000, 's', requests.readyS),
      atMost(`${many}: resident memory`, resident, 'MB', requests.residentMb),
      atMost(`${many}: an order as of a moment`, await medianOf(changes, of), 'ms', 20),
      atMost(`${many}: a store's timeline, first page`, await medianOf(history, of), 'ms', 100),
      atMost(`${many}: the same, a type and a week`, await medianOf(`${history}?${week}`, of), 'ms', 100),
      atMost(`${many}: the same, a rare type`, await medianOf(`${history}?type=OrderRefunded`, of), 'ms', 100),
      atMost(`${many}: the same, a type by members`, await medianOf(`${history}?${MEMBERS}`, of), 'ms', 100),
      atMost(`${many}: the same, one customer`, await medianOf(`${history}?${actorIs(phone)}`, of), 'ms', 100),
      atMost(`${many}: the same, nobody`, await medianOf(`${history}?${actorIs(NOBODY)}`, of), 'ms', 100),
      atMost(`${many}: the same, what never was`, await medianOf(`${history}?type=StoreClosed`, of), 'ms', 100),
    ];
    const { large, small } = await concurrentSmall(of);
    for (const name of DONE_MOST)
      figures.push(
        comparedWith(`${many}: ${name}`, large[name], 'requests/s', {
          of: 'an empty log',
          figure: small[name],
          factor: MOST_SLOWER,
        }),
      );
    return figures;
  } finally {
    await service.stop();
  }
}

/** Uses the log's head: it has no gaps, and counting in SQL would read all of it. */
async function manyIn(folder: string): Promise<{ readonly events: number; readonly many: string }> {
  const log = openStoredRows(folder);
  const events = (await log.head()) + 1;
  await log.close();
  return { events, many: `${events.toLocaleString('en')} events` };
}

/** Rebuild of the read models of a long history. SUUQ_BENCH_HISTORY names a folder that `npm run history` has created. */
export const rebuild = (): Promise<Figure[]> =>
  onHistory(async (folder) => {
    timed(folder, 'projections', 'rebuild');
    const all = timed(folder, 'projections', 'rebuild');
    const one = timed(folder, 'projections', 'rebuild', 'orders');
    const { events, many } = await manyIn(folder);
    const requested = requestedOf(events);
    return [
      atLeast(`${many}: rebuild of all projections`, events / all.seconds, 'events/s', requested.all),
      atLeast(
        `${many}: the same, a second of processor time`,
        events / all.cpuSeconds,
        'events/s',
        requested.all / CORES,
      ),
      atLeast(`${many}: rebuild of orders`, events / one.seconds, 'events/s', requested.one),
      atLeast(
        `${many}: the same, a second of processor time`,
        events / one.cpuSeconds,
        'events/s',
        requested.one / CORES,
      ),
    ];
  });

/** Start of the service on a long history, with reads of its orders and timelines. SUUQ_BENCH_HISTORY as for `rebuild`. */
export const history = (): Promise<Figure[]> =>
  onHistory(async (folder) => {
    timed(folder, 'projections', 'rebuild');
    return served(folder, await manyIn(folder));
  });
