/**
 * A rebuild of all projections over EventStoreDB, and of one, compared with reading the same events without handling them: through the
 * adapter, and by the bare client. Each figure includes the CPU time of this process, which other work on the machine affects less than the
 * clock.
 */
import { join } from 'node:path';
import { EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import { defined } from '../../domain/defined.js';
import { BEFORE_ALL, type EventFilter, type EventStore, type Position } from '../../engine/ports/eventStore.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { projections } from '../../projections/index.js';
import { orders } from '../../projections/orders.js';
import { startProjectionsThread } from '../../service/composition/threads/projectionsHost.js';
import { writeHistory } from '../support/history.js';
import { comparedWith, type Figure } from '../support/report.js';
import { spread } from '../support/spread.js';
import { inTurns, undisturbed } from '../support/turns.js';

const EVENTS = 100_000;
const ROUNDS = 5;
const TIMEOUT_MS = 300_000;
/** Required share of reading alone. */
const REACH = 0.8;
const BARE_REACH = 0.9;

const categories = [...new Set(projections.flatMap((projection) => projection.categories))];
const ONE = new URL('../support/ordersProjection.js', import.meta.url).href;

/** Page after page, as a rebuild reads; answers how many events came. */
async function readAll(store: EventStore, filter: EventFilter = { categories }): Promise<number> {
  let events = 0;
  for (let after: Position = BEFORE_ALL; ; ) {
    const page = await store.readAll(after, { filter, limit: 1_000 });
    events += page.events.length;
    if (page.end) return events;
    after = page.through;
  }
}

/** The same events by the client's own subscription and its own filter. */
async function readBare(client: EventStoreDBClient, events: number): Promise<void> {
  const filter = streamNameFilter({ regex: `^(?:${categories.join('|')})-` });
  const subscription = client.subscribeToAll({ filter });
  let count = 0;
  for await (const { event } of subscription) {
    if (event !== undefined) count += 1;
    if (count === events) break;
  }
}

/**
 * Into views of their own, from nothing to the last index and alias, with all threads that fill read models. `names`: those of the module
 * `list`; all, and the service's own, when absent.
 */
async function rebuild(
  url: string,
  head: Position,
  names = projections.map(({ name }) => name),
  list?: string,
): Promise<void> {
  const folder = temporaryFolder();
  const views = { file: join(folder.path, 'views.db') };
  const host = await startProjectionsThread({
    events: () => ({ url }),
    views,
    unattended: true,
    ...defined({ projections: list }),
  });
  try {
    if (!(await host.waitFor(names, head, TIMEOUT_MS))) throw new Error('the projections did not come to the end');
  } finally {
    await host.stop();
    folder.remove();
  }
}

/** Its speed in events/s; each run adds its CPU time, in µs an event, to `cpu`. */
const timed = (events: number, cpu: number[], work: () => Promise<unknown>) => async (): Promise<number> => {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  cpu.push((user + system) / events);
  return events / seconds;
};

function print(name: string, rates: readonly number[], cpu: readonly number[]): void {
  const speed = spread(rates);
  const own = spread(cpu.slice(1));
  const text = (figure: number) => Math.round(figure).toLocaleString('en');
  process.stderr.write(
    `  ${name}: ${text(speed.least)} / ${text(speed.median)} / ${text(speed.most)} events/s (least, median, most), ` +
      `${own.least.toFixed(1)} / ${own.median.toFixed(1)} / ${own.most.toFixed(1)} µs of CPU an event in this process\n`,
  );
}

function reportRatio(name: string, ours: readonly number[], theirs: readonly number[]): void {
  const { least, median, most } = spread(ours.map((one, round) => one / theirs[round]!));
  process.stderr.write(`  ${name}, round by round: ${least.toFixed(2)} / ${median.toFixed(2)} / ${most.toFixed(2)}\n`);
}

export async function rebuilding(url: string): Promise<Figure[]> {
  const client = EventStoreDBClient.connectionString(url);
  const store = await openEventStoreDb(url);
  try {
    await writeHistory(store, EVENTS);
    const head = await store.head();
    const events = await readAll(store);
    const ofOrders = { categories: orders.categories, types: Object.keys(orders.on) };
    const few = await readAll(store, ofOrders);
    const cpu: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
    const [read, bare, built, readFew, builtOne] = (await inTurns(ROUNDS, [
      timed(events, cpu[0], () => readAll(store)),
      timed(events, cpu[1], () => readBare(client, events)),
      timed(events, cpu[2], () => rebuild(url, head)),
      timed(few, cpu[3], () => readAll(store, ofOrders)),
      timed(few, cpu[4], () => rebuild(url, head, [orders.name], ONE)),
    ])) as [number[], number[], number[], number[], number[]];
    print('reading through the adapter', read, cpu[0]);
    print('reading by the bare client', bare, cpu[1]);
    print('a rebuild of all projections', built, cpu[2]);
    print(`reading the ${few.toLocaleString('en')} that orders are made of`, readFew, cpu[3]);
    print('a rebuild of orders', builtOne, cpu[4]);
    reportRatio('a rebuild of all to reading', built, read);
    reportRatio('a rebuild of orders to reading', builtOne, readFew);
    const count = events.toLocaleString('en');
    const ours = undisturbed(read);
    const theirs = { of: 'bare client', figure: undisturbed(bare) };
    return [
      comparedWith(`EventStoreDB adapter: reading ${count} events`, ours, 'events/s', {
        ...theirs,
        factor: BARE_REACH,
      }),
      comparedWith(`rebuild of all projections over EventStoreDB, ${count} events`, undisturbed(built), 'events/s', {
        of: 'reading them',
        figure: ours,
        factor: REACH,
      }),
      comparedWith(
        `rebuild of orders over EventStoreDB, ${few.toLocaleString('en')} events`,
        undisturbed(builtOne),
        'events/s',
        {
          of: 'reading them',
          figure: undisturbed(readFew),
          factor: REACH,
        },
      ),
    ];
  } finally {
    await client.dispose();
    await store.close();
  }
}
