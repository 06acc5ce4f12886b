/**
 * The service as a process on either pair of engines. Its log can be replaced by an older copy and its work can be
 * lost, as a restore may do. A webhook receiver records the events it gets.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { derivedId } from '../../../domain/ids.js';
import { BEFORE_ALL } from '../../../engine/ports/eventStore.js';
import { type EndpointProcess, startEndpoint } from '../../../harness/engines/endpointProcess.js';
import { emulator, type TestDatabase, testDatabase } from '../../../harness/engines/mongoStage.js';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../../harness/service/serviceProcess.js';
import { signedCart } from '../../../harness/service/signedCart.js';
import { openEmbeddedEventStore } from '../../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { eventOf, receiver } from '../doubles/receiver.js';
import { until } from '../tools/until.js';
import { type Ran, suuqConcurrently } from './commandLine.js';
import { type Answer, callStore } from './demoStore.js';

export interface RestoreStage {
  readonly data: string;
  /** Ids of the received webhook events, in order. */
  readonly notified: readonly string[];
  readonly service: ServiceProcess;
  /** Starts the service, which must become ready. */
  start(): Promise<void>;
  /** Starts the service and returns its output when it exits by itself. Kills it if it becomes ready. */
  refused(): Promise<string>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  suuq(...words: string[]): Promise<Ran>;
  /** Copies the current log. The service must be stopped. */
  saveLog(): Promise<void>;
  /** Replaces the log by the copy. The service must be stopped. */
  putBackLog(): Promise<void>;
  /** Deletes tasks, checkpoints and everything else that is not a read model. The service must be stopped. */
  loseWork(): Promise<void>;
  /** Deletes the read models of the embedded engines. The service must be stopped. */
  loseViews(): Promise<void>;
  /** Calls the API of the demo store. */
  call(method: string, path: string, body?: object): Promise<Answer>;
  /** Makes the log so long that building its views takes a while. The service must be stopped. */
  grow(): Promise<void>;
  /** Starts the service. Returns the responses of `/readyz` and of a list until it was ready. */
  startWatched(): Promise<{ readonly ready: readonly Answer[]; readonly listed: readonly Answer[] }>;
  /** Creates a product, and a webhook endpoint for orders. */
  prepare(): Promise<void>;
  /** Sends a cart from customer `n`. Resolves when its order has reached the webhook and is listed. */
  buy(n: number): Promise<void>;
  /** Returns the numbers of the listed orders. */
  orders(): Promise<number[]>;
  close(): Promise<void>;
}

export interface RestorePair {
  readonly name: string;
  /** If true, tests build views on this pair. On servers `engine/olderLog` tests that, in a third of the time. */
  readonly buildsViews: boolean;
  readonly missing: string | undefined;
  start(): Promise<RestoreStage>;
}

/** Longest wait until the service is ready, in ms. The emulator of MongoDB takes a while to build all read models. */
const READY_MS = 150_000;

/** Number of events that take a second or two to build views from. */
const MANY = 40_000;

interface Engines {
  /** Prepares what the service needs, before it starts. Returns its environment. */
  begin(): Promise<Readonly<Record<string, string>>>;
  /** Cleans up after the service has ended. */
  end(): Promise<void>;
  readonly logFolder: string;
  loseWork(): Promise<void>;
  close(): Promise<void>;
}

const removeAll = (folder: string, begins: string): void => {
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name.startsWith(begins)) rmSync(join(folder, name));
};

const embeddedEngines = (data: string): Engines => ({
  begin: async () => ({}),
  end: async () => undefined,
  logFolder: data,
  loseWork: async () => removeAll(data, 'work.db'),
  close: async () => undefined,
});

async function serverEngines(data: string): Promise<Engines> {
  const database: TestDatabase = await testDatabase(emulator);
  const logFolder = join(data, 'log');
  let endpoint: EndpointProcess | undefined;
  const end = async (): Promise<void> => {
    await endpoint?.stop();
    endpoint = undefined;
  };
  /** Empties the collections with this prefix, so that the adapter finds nothing in them. */
  const empty = async (begins: string): Promise<void> => {
    for (const { collectionName } of await database.db.collections())
      if (collectionName.startsWith(begins)) await database.db.collection(collectionName).deleteMany({});
  };
  return {
    async begin() {
      endpoint ??= await startEndpoint(logFolder);
      return {
        EVENTSTORE_URL: endpoint.url,
        MONGODB_URL: database.url,
        SUUQ_MASTER_KEY: '5c'.repeat(32),
      };
    },
    end,
    logFolder,
    loseWork: () => empty('work'),
    async close() {
      await end();
      await database.close();
    },
  };
}

async function stageOn(enginesOf: (data: string) => Engines | Promise<Engines>): Promise<RestoreStage> {
  const folder = temporaryFolder('suuq-restore-');
  const data = join(folder.path, 'data');
  const retained = join(folder.path, 'kept');
  const engines = await enginesOf(data);
  const hook = await receiver();
  let service: ServiceProcess | undefined;
  const running = (): ServiceProcess => {
    if (service === undefined) throw new Error('the service does not run');
    return service;
  };
  const logFiles = (from: string): string[] => readdirSync(from).filter((name) => name.startsWith('events.db'));
  const orders = async (): Promise<number[]> => {
    const { body } = await call('GET', '/commerce/orders');
    return (body.orders as { number: number }[]).map(({ number }) => number).sort((a, b) => a - b);
  };
  const call: RestoreStage['call'] = (method, path, body) =>
    callStore(running().baseUrl, readDemo(data), method, path, body);
  return {
    data,
    get notified() {
      return hook.received.map((one) => eventOf(one).id);
    },
    get service() {
      return running();
    },
    async start() {
      service = await startService(data, await engines.begin(), READY_MS);
    },
    async refused() {
      const env = await engines.begin();
      const started = await startService(data, env, READY_MS).catch((error: Error) => error.message);
      if (typeof started === 'string') return started;
      await started.kill();
      return 'it started';
    },
    async stop() {
      await running().stop();
      service = undefined;
      await engines.end();
    },
    async kill() {
      await running().kill();
      service = undefined;
      await engines.end();
    },
    suuq: async (...words) => suuqConcurrently(data, words, await engines.begin()),
    async saveLog() {
      for (const name of logFiles(engines.logFolder)) cpSync(join(engines.logFolder, name), join(retained, name));
    },
    async putBackLog() {
      await engines.end();
      removeAll(engines.logFolder, 'events.db');
      for (const name of logFiles(retained)) cpSync(join(retained, name), join(engines.logFolder, name));
    },
    loseWork: () => engines.loseWork(),
    loseViews: async () => removeAll(data, 'views.db'),
    async grow() {
      await engines.end();
      const log = await openEmbeddedEventStore(engines.logFolder);
      const { events } = await log.readAll(BEFORE_ALL, { filter: { types: ['ProductAdded'] }, limit: 1000 });
      const { type, data, meta } = events[0]!;
      for (let i = 0; i < MANY; i += 500) {
        const part = Array.from({ length: 500 }, (_, j) => derivedId('grown', i + j));
        const added = part.map((id) => ({ id, type, data: { ...data, productId: id, externalId: id }, meta }));
        await log.append(`catalog-${derivedId('shop', i % 5000)}`, 'any', added);
      }
      await log.close();
    },
    async startWatched() {
      const { store } = readDemo(data);
      const ready: Answer[] = [];
      const listed: Answer[] = [];
      let started = false;
      const starting = startService(data, { ...(await engines.begin()), SUUQ_LOG: 'warn' }, READY_MS).then(
        (running) => {
          service = running;
          started = true;
        },
      );
      // A rejection is handled where `starting` is awaited.
      starting.catch(() => undefined);
      const request = async (path: string): Promise<Answer> => {
        const { baseUrl } = JSON.parse(readFileSync(join(data, 'service.json'), 'utf8')) as { baseUrl: string };
        const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${store.secretKey}` } });
        return { status: answer.status, headers: answer.headers, body: await answer.json() };
      };
      const deadline = Date.now() + READY_MS;
      while (!started && Date.now() < deadline) {
        const now = await request('/readyz').catch(() => undefined);
        if (now?.status === 503) {
          ready.push(now);
          listed.push(await request(`/api/v1/workspaces/${store.workspaceId}/commerce/orders`));
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await starting;
      return { ready, listed };
    },
    call,
    async prepare() {
      const shirt = { name: 'Shirt', imageUrls: ['https://images.example.com/shirt.jpg'], priceCents: 1500 };
      const made = [
        await call('PUT', '/commerce/products/shirt', shirt),
        await call('POST', '/webhook-endpoints', { url: hook.url, events: ['order.created'] }),
      ];
      for (const { status, body } of made) if (status !== 201) throw new Error(JSON.stringify(body));
    },
    async buy(n) {
      const before = hook.received.length;
      const listed = (await orders()).length;
      const { body, headers } = signedCart(readDemo(data) as Demo, n, ['shirt']);
      await fetch(`${running().baseUrl}/channel/webhook`, { method: 'POST', headers, body });
      await until(`order of customer ${n} is delivered`, () => hook.received.length > before);
      await until(`order of customer ${n} is listed`, async () => (await orders()).length > listed);
    },
    orders,
    async close() {
      await service?.stop();
      await engines.close();
      await hook.close();
      folder.remove();
    },
  };
}

/** Defines a suite for each pair of engines. A pair that cannot run is pending, with the reason. */
export function onRestoredEngines(
  title: string,
  tests: (start: () => Promise<RestoreStage>, pair: RestorePair) => void,
): void {
  const pairs: RestorePair[] = [
    {
      name: 'the embedded engines',
      buildsViews: true,
      missing: undefined,
      start: () => stageOn(embeddedEngines),
    },
    {
      buildsViews: false,
      name: 'EventStoreDB’s protocol and the emulator of MongoDB',
      missing: emulator.missing,
      start: () => stageOn(serverEngines),
    },
  ];
  for (const pair of pairs) {
    const { name, missing, start } = pair;
    if (missing === undefined)
      describe(`${title} on ${name}`, function () {
        this.timeout(400_000);
        tests(start, pair);
      });
    else it(`${title} on ${name} (${missing})`);
  }
}
