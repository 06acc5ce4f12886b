/** The demo on shared engines: on emulators that refuse every call for a while, and on real servers if available. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { faultyProxy } from '../../harness/engines/faultyProxy.js';
import { emulator, server, testDatabase } from '../../harness/engines/mongoStage.js';
import { http2Frames } from '../../harness/engines/wireMessages.js';
import {
  projectFolder,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { isByHand, LONGEST_CALL_MS, OUTAGE_MS, Outage } from '../support/doubles/outage.js';
import { realEventStoreDb } from '../support/protocol/realEventStoreDb.js';
import { callStore } from '../support/stages/demoStore.js';
import { endpointStage } from '../support/stages/endpointStage.js';
import { until } from '../support/tools/until.js';

/** Chapter of the demo during which its stores refuse every call. */
const CHAPTER = process.env.SUUQ_TEST_OUTAGE_AT ?? 'A customer pays';
/** Maximum duration of the demo without an outage, in ms. */
const DEMO_MS = 110_000;

/** Plays the demo in its own process and returns its exit code and output. `heard` receives all output so far. */
async function demo(
  env: Readonly<Record<string, string>>,
  heard: (text: string) => void = () => {},
): Promise<{ code: number | null; text: string }> {
  const script = join(projectFolder, 'dist/cli/demo/main.js');
  const child = spawn(process.execPath, [script], { env: { ...process.env, ...env }, cwd: projectFolder });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
      heard(text);
    });
  const late = setTimeout(() => child.kill('SIGKILL'), DEMO_MS + 3 * OUTAGE_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, text };
}

/** Longer than the service waits for one call, in ms. */
const AWAY_MS = 8_000;

/** Status codes of /readyz during an outage, and the time from its end until the service was ready, in ms. */
interface Readiness {
  readonly during: ReadonlySet<number>;
  readonly recoveryMs: number;
}

async function readinessDuring(outage: Outage, baseUrl: string): Promise<Readiness> {
  const during = new Set<number>();
  const read = async (): Promise<number> => (await fetch(`${baseUrl}/readyz`)).status;
  await outage.begin();
  while (!outage.isOver) {
    during.add(await read());
    await pause(100);
  }
  const over = performance.now();
  await until('the service is ready', async () => (await read()) === 200);
  return { during, recoveryMs: Math.round(performance.now() - over) };
}

const MASTER_KEY = { SUUQ_MASTER_KEY: '5c'.repeat(32) };
const real = await realEventStoreDb();
const noServers = typeof real === 'string' ? real : server.missing;

describe('the demo', function () {
  this.timeout(300_000 + 5 * OUTAGE_MS);

  const overExistIns =
    "plays a store's day to its end over the protocol endpoint and the emulator, which refuse everything in the middle";
  if (emulator.missing !== undefined) it(`${overExistIns} (${emulator.missing})`);
  else
    it(overExistIns, async () => {
      const database = await testDatabase(emulator);
      const log = await endpointStage();
      const { host, pathname } = new URL(database.url);
      const ways = { events: await faultyProxy(log.address), documents: await faultyProxy(host) };
      const outage = new Outage(Object.values(ways));
      let readiness: Promise<Readiness> | undefined;
      try {
        const urls = {
          EVENTSTORE_URL: `esdb://${ways.events.address}?tls=false`,
          MONGODB_URL: `mongodb://${ways.documents.address}${pathname}`,
        };
        const { code, text } = await demo({ ...urls, ...MASTER_KEY }, (soFar) => {
          if (readiness !== undefined || !soFar.includes(CHAPTER)) return;
          readiness = readinessDuring(outage, /runs at (http:\/\/[\d.:]+)/.exec(soFar)![1]!);
        });
        expect(code, text).to.equal(0);
        const { during, recoveryMs } = (await readiness)!;
        if (isByHand)
          process.stdout.write(`${text}\n/readyz: ${[...during]}; ready ${recoveryMs} ms after the outage\n`);
        expect([...during]).to.include(503);
        if (OUTAGE_MS > LONGEST_CALL_MS) expect(text).to.match(/\d+ requests were answered 503 with Retry-After/);
      } finally {
        await log.close();
        await database.close();
        await Promise.all(Object.values(ways).map((way) => way.close()));
      }
    });

  const overServers = (where: string): string => `plays a store's day to its end over ${where}`;
  if (typeof real === 'string' || noServers !== undefined) it(overServers(`real servers (${noServers})`));
  else
    it(overServers(`${real.title} and MongoDB on ${server.name}`), async () => {
      const database = await testDatabase(server);
      const log = await real.start();
      try {
        const { code, text } = await demo({ EVENTSTORE_URL: log.url, MONGODB_URL: database.url, ...MASTER_KEY });
        expect(code, text).to.equal(0);
      } finally {
        await log.stop();
        await database.close();
      }
    });

  it('is created by a start whose log becomes unavailable before the first event, and before its response', async () => {
    const folder = temporaryFolder('suuq-demo-away-');
    const log = await endpointStage();
    const way = await faultyProxy(log.address, http2Frames);
    const lost: string[] = [];
    let written = false;
    const away = (what: string): 'reset' | undefined => {
      if (lost.includes(what)) return undefined;
      lost.push(what);
      void way.refuse();
      setTimeout(() => void way.heal(), AWAY_MS);
      return 'reset';
    };
    way.judge(({ way: to, bytes }) => {
      const text = bytes.toString('latin1');
      if (to === 'there' && text.includes('PlanPublished')) return away('plan');
      if (to === 'there' && text.includes('PartnerCreated')) written = true;
      return to === 'back' && written ? away('partner') : undefined;
    });
    let service: ServiceProcess | undefined;
    try {
      service = await startService(
        folder.path,
        { EVENTSTORE_URL: `esdb://${way.address}?tls=false`, SUUQ_MASTER_KEY: '5c'.repeat(32), SUUQ_SANDBOX: 'on' },
        90_000,
      );
      expect(lost).to.deep.equal(['plan', 'partner']);
      const { status } = await callStore(service.baseUrl, readDemo(folder.path), 'GET', '/commerce/products');
      expect(status).to.equal(200);
      const { events } = await log.store.readAll(BEFORE_ALL);
      const made = (type: string) => events.filter((event) => event.type === type).length;
      expect([made('PartnerCreated'), made('StoreCreated')]).to.deep.equal([1, 1]);
    } finally {
      await service?.stop();
      await way.close();
      await log.close();
      folder.remove();
    }
  });
});
