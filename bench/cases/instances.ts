import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '../../engine/ports/eventStore.js';
import { SHARDS } from '../../engine/shards.js';
import { startEndpoint } from '../../harness/engines/endpointProcess.js';
import { noInstances } from '../../harness/engines/instancesStage.js';
import { emulator, testDatabase } from '../../harness/engines/mongoStage.js';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEventStoreDb } from '../../service/engines/engines.js';
import type { InstanceReport } from '../shardedInstance.js';
import { atMost, type Figure } from '../support/report.js';
import { until } from '../support/stage.js';

const COUNTS = [1, 2, 4, 8];
const STORES = 200;
const EVENTS = 10_000;
const DELIVERIES = 4000;
/** Events of one append. */
const EVENTS_AT_ONCE = 50;
const DELIVERIES_AT_ONCE = 10;
/**
 * Before anything is measured: appends that lead to nothing, which each instance reads, and deliveries of each instance. Code that has run some
 * hundred times takes several times the instructions that it takes after some thousands, and a service runs for days: eight that had shared the
 * deliveries which warm up one took three times as much for each.
 */
const WARM_UP = 2000;
const WARM_UP_DELIVERIES = 3000;
/** Few at once, since what is done with a batch is done once, however large it is. */
const WARM_UP_AT_ONCE = 2;
const WARM_UP_WRITERS = 4;
/** Events of one append, and concurrent appends, such that there is always more to do. */
const HEAP_AT_ONCE = 100;
const WRITERS = 8;
/** Between two appends: what 8 instances keep up with on two cores. */
const PAUSE_MS = 50;
const IDLE_S = 5;
const PATIENCE_S = 120;
const MOST_BYTES = 1_048_576;

/** Documents of a read model that all instances rebuild at once. */
const DOCUMENTS = 20_000;
const DOCUMENTS_AT_ONCE = 200;

interface Instance {
  /** Rejects when it has ended. */
  report(): Promise<InstanceReport>;
  rebuild(): void;
  stop(): Promise<void>;
}

/** Work that the instances share. */
type Shared = 'processor' | 'readModel';

function startInstance(events: string, documents: string, name: string, shares: Shared): Instance {
  const child = spawn(
    process.execPath,
    [join(projectFolder, 'dist/bench/shardedInstance.js'), events, documents, name, shares],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`instance ${name} has ended`)));
  ended.catch(() => undefined);
  return {
    async report() {
      child.stdin.write('\n');
      const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
      return JSON.parse(line) as InstanceReport;
    },
    rebuild: () => void child.stdin.write('rebuild\n'),
    async stop() {
      child.kill('SIGTERM');
      await ended.catch(() => undefined);
    },
  };
}

/**
 * Events of one type, about as many in each store, some at a time and with a pause, as they come in: what one instance does with
 * many at once, several do with a part each, so a heap of them would show how well one instance gathers them.
 */
async function append(
  eventStore: EventStore,
  type: string,
  count: number,
  { pauseMs = PAUSE_MS, each = type === 'Passed' ? EVENTS_AT_ONCE : DELIVERIES_AT_ONCE, writers = 1 } = {},
): Promise<void> {
  const meta = { at: new Date().toISOString(), actor: { type: 'system' as const }, correlationId: 'bench' };
  const write = async (writer: number): Promise<void> => {
    for (let i = writer; i < count / each; i += writers) {
      const events = Array.from({ length: each }, (_, at) => ({ id: randomUUID(), type, data: { at }, meta }));
      await eventStore.append(`bench-store${i % STORES}`, 'any', events);
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

class Fleet {
  readonly #instances: readonly Instance[];
  constructor(instances: readonly Instance[]) {
    this.#instances = instances;
  }
  reports = (): Promise<InstanceReport[]> => Promise.all(this.#instances.map((one) => one.report()));
  async total(of: 'cpuMs' | 'performed'): Promise<number> {
    return sum((await this.reports()).map((one) => one[of]));
  }
  /** CPU time of all instances from here to its end, in ms. */
  async cost(work: () => Promise<void>): Promise<number> {
    const before = await this.total('cpuMs');
    await work();
    return (await this.total('cpuMs')) - before;
  }
  /** CPU time of each so far, in ms. */
  each = async (): Promise<number[]> => (await this.reports()).map((one) => one.cpuMs);
  /** Sent to all: the one that owns the builds starts one. */
  rebuild(): void {
    for (const one of this.#instances) one.rebuild();
  }
  evenly = async (): Promise<boolean> =>
    (await this.reports()).every(({ shards }) => shards === SHARDS / this.#instances.length);
  hasPerformed = async (count: number): Promise<boolean> => (await this.total('performed')) >= count;
  hasPassed = async (position: number): Promise<boolean> =>
    (await this.reports()).every((one) => one.position >= position);
}

interface Cost {
  /** CPU time of one idle instance, in ms each second. */
  readonly idle: number;
  /** Cost of all instances for one event without effect, and for one delivery, in µs; without their idle cost. */
  readonly event: number;
  readonly delivery: number;
  /** Cost of all for one delivery, in µs, with a permanent backlog: events that arrive during a call join the next one. */
  readonly full: number;
}

async function measured(fleet: Fleet, eventStore: EventStore, count: number): Promise<Cost> {
  await until('shards are shared evenly', PATIENCE_S, fleet.evenly, 200);
  const warmUp = { pauseMs: 0, each: WARM_UP_AT_ONCE, writers: WARM_UP_WRITERS };
  await append(eventStore, 'Delivered', WARM_UP_DELIVERIES * count, warmUp);
  await append(eventStore, 'Passed', WARM_UP * WARM_UP_AT_ONCE, warmUp);
  const warm = await eventStore.head();
  await until('they are warm', PATIENCE_S, () => fleet.hasPerformed(WARM_UP_DELIVERIES * count), 200);
  await until('they have read it all', PATIENCE_S, () => fleet.hasPassed(warm), 200);
  const idleMs = await fleet.cost(() => new Promise((resolve) => setTimeout(resolve, IDLE_S * 1000)));
  const perMs = idleMs / (IDLE_S * 1000);
  const costOf = async (work: () => Promise<void>, units: number): Promise<number> => {
    const startedAt = performance.now();
    const all = await fleet.cost(work);
    return Math.max(0, ((all - perMs * (performance.now() - startedAt)) * 1000) / units);
  };
  const event = await costOf(async () => {
    await append(eventStore, 'Passed', EVENTS);
    const head = await eventStore.head();
    await until('all have passed', PATIENCE_S, () => fleet.hasPassed(head), 200);
  }, EVENTS);
  const goal = (await fleet.total('performed')) + DELIVERIES;
  const delivery = await costOf(async () => {
    await append(eventStore, 'Delivered', DELIVERIES);
    await until('all are delivered', PATIENCE_S, () => fleet.hasPerformed(goal), 200);
  }, DELIVERIES);
  const heap = (await fleet.total('performed')) + DELIVERIES;
  const full = await costOf(async () => {
    await append(eventStore, 'Delivered', DELIVERIES, { pauseMs: 0, each: HEAP_AT_ONCE, writers: WRITERS });
    await until('all are delivered', PATIENCE_S, () => fleet.hasPerformed(heap), 200);
  }, DELIVERIES);
  return { idle: idleMs / IDLE_S / count, event, delivery, full };
}

/** Runs `work` with so many instances, on engines of their own. */
async function withFleet<R>(
  count: number,
  shares: Shared,
  work: (fleet: Fleet, eventStore: EventStore) => Promise<R>,
): Promise<R> {
  const folder = temporaryFolder('suuq-bench-');
  const database = await testDatabase(emulator);
  const endpoint = await startEndpoint(folder.path);
  const events = endpoint.url;
  const eventStore = await openEventStoreDb(events, MOST_BYTES);
  const instances: Instance[] = [];
  try {
    for (let i = 0; i < count; i += 1) {
      instances.push(startInstance(events, database.url, `i${i}`, shares));
      await instances[i]!.report();
    }
    return await work(new Fleet(instances), eventStore);
  } finally {
    await Promise.all(instances.map((one) => one.stop()));
    await eventStore.close();
    await endpoint.stop();
    await database.close();
    folder.remove();
  }
}

interface RebuildCost {
  /** CPU time for a document, in µs: of all instances, and of the one that had most. */
  readonly all: number;
  readonly busiest: number;
}

/** All instances rebuild a read model at once, each its shards. */
const rebuildBy = (count: number): Promise<RebuildCost> =>
  withFleet(count, 'readModel', async (fleet, eventStore) => {
    await until('shards are shared evenly', PATIENCE_S, fleet.evenly, 200);
    await append(eventStore, 'Delivered', DOCUMENTS, { pauseMs: 0, each: DOCUMENTS_AT_ONCE });
    await until('they are warm', PATIENCE_S, () => fleet.hasPerformed(DOCUMENTS), 200);
    const before = await fleet.each();
    fleet.rebuild();
    await until('it is built', PATIENCE_S, () => fleet.hasPerformed(2 * DOCUMENTS), 50);
    const spent = (await fleet.each()).map((cpuMs, i) => ((cpuMs - before[i]!) * 1000) / DOCUMENTS);
    return { all: sum(spent), busiest: Math.max(...spent) };
  });

/**
 * CPU time of 1, 2, 4 and 8 instances that share one processor, and then one read model, by shards, over the protocol endpoint and the emulator of MongoDB,
 * whose own time is not counted. Each reads the whole log once; a delivery is done by one of them.
 */
export async function instances(): Promise<Figure[]> {
  if (noInstances !== undefined) {
    process.stderr.write(`instances: not measured, ${noInstances}\n`);
    return [];
  }
  return [
    ...(await figuresOf('processor', 'a delivery')),
    ...(await figuresOf('readModel', 'a document')),
    ...(await rebuilds()),
  ];
}

async function rebuilds(): Promise<Figure[]> {
  const figures: Figure[] = [];
  let alone: RebuildCost | undefined;
  for (const count of COUNTS) {
    const cost = await rebuildBy(count);
    alone ??= cost;
    const of = `rebuild by ${count === 1 ? '1 instance' : `${count} instances`}`;
    figures.push(
      atMost(`${of}: CPU of all, a document`, cost.all, 'µs', 1.5 * alone.all),
      atMost(`${of}: CPU of the busiest, a document`, cost.busiest, 'µs', (1.5 * alone.all) / Math.sqrt(count)),
    );
  }
  return figures;
}

async function figuresOf(shares: Shared, unit: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  let alone: Cost | undefined;
  for (const count of COUNTS) {
    const cost = await withFleet(count, shares, (fleet, eventStore) => measured(fleet, eventStore, count));
    alone ??= cost;
    const of = `${shares === 'processor' ? '' : 'read model, '}${count === 1 ? '1 instance' : `${count} instances`}`;
    figures.push(
      atMost(`${of}: CPU of one that idles`, cost.idle, 'ms/s', 50),
      // What each has to read grows with their number, and nothing else.
      atMost(`${of}: CPU of all, an event that leads to nothing`, cost.event, 'µs', 1.5 * count * alone.event),
      atMost(`${of}: CPU of all, ${unit}`, cost.delivery, 'µs', 1.5 * (alone.delivery + (count - 1) * alone.event)),
      atMost(`${of}: CPU of all, ${unit} where there is always more`, cost.full, 'µs', 1.5 * alone.full),
    );
  }
  return figures;
}
