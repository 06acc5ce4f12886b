/** The demo on shared engines: on stand-ins, and on real servers where there are some. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { endpointStage } from '../support/endpointStage.js';
import { emulator, type MongoPlace, server, testDatabase } from '../support/mongoStage.js';
import { realEventStoreDb } from '../support/realEventStoreDb.js';
import { projectFolder } from '../support/serviceProcess.js';

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
});
