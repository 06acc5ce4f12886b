/** The demo on shared engines: on stand-ins, and on real servers where there are some. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { callStore } from '../support/demoStore.js';
import { endpointStage } from '../support/endpointStage.js';
import { faultyProxy } from '../support/faultyProxy.js';
import { emulator, type MongoPlace, server, testDatabase } from '../support/mongoStage.js';
import { realEventStoreDb } from '../support/realEventStoreDb.js';
import {
  projectFolder,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../support/serviceProcess.js';
import { http2Frames } from '../support/wireMessages.js';

/** Plays the demo in a process of its own; answers its exit code and what it printed. */
async function demo(env: Readonly<Record<string, string>>): Promise<{ code: number | null; text: string }> {
  const script = join(projectFolder, 'dist/service/demo/main.js');
  const child = spawn(process.execPath, [script], { env: { ...process.env, ...env }, cwd: projectFolder });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const late = setTimeout(() => child.kill('SIGKILL'), 110_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, text };
}

/** Longer than the service waits for one call. */
const AWAY_MS = 8_000;

interface Place {
  readonly title: string;
  /** Why the demo cannot run there. */
  readonly missing: string | undefined;
  readonly mongo: MongoPlace;
  events(): Promise<{ url: string; stop(): Promise<void> }>;
}

const real = await realEventStoreDb();
const noServers = typeof real === 'string' ? real : server.missing;
const places: readonly Place[] = [
  {
    title: `the protocol endpoint and ${emulator.name}`,
    missing: emulator.missing,
    mongo: emulator,
    async events() {
      const stage = await endpointStage();
      return { url: `esdb://${stage.address}?tls=false`, stop: () => stage.close() };
    },
  },
  {
    title: typeof real === 'string' ? 'real servers' : `${real.title} and MongoDB on ${server.name}`,
    missing: noServers,
    mongo: server,
    events: () => (typeof real === 'string' ? Promise.reject(new Error(real)) : real.start()),
  },
];

describe('the demo', function () {
  this.timeout(300_000);
  for (const { title, missing, mongo, events } of places) {
    if (missing !== undefined) {
      it(`plays a store's day over ${title} (${missing})`);
      continue;
    }
    it(`plays a store's day to its end over ${title}`, async () => {
      const database = await testDatabase(mongo);
      const log = await events();
      try {
        const { code, text } = await demo({
          EVENTSTORE_URL: log.url,
          MONGODB_URL: database.url,
          SUUQ_MASTER_KEY: '5c'.repeat(32),
        });
        expect(code, text).to.equal(0);
      } finally {
        await log.stop();
        await database.close();
      }
    });
  }

  it('is made by a start whose log goes away in the middle: before an event is there, and before it is answered for', async () => {
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
