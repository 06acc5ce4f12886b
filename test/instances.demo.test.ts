/** The demo on shared engines: EventStoreDB's protocol (or the server of EVENTSTORE_URL) and MongoDB. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EndpointStage, endpointStage } from './support/endpointStage.js';
import { emulator, server, type TestDatabase, testDatabase } from './support/mongoStage.js';
import { projectFolder } from './support/serviceProcess.js';

const realEvents = process.env.EVENTSTORE_URL || undefined;
const mongo = process.env.MONGODB_URL ? server : emulator;

/** Plays the demo in a process of its own; answers its exit code and what it printed. */
async function demo(env: Readonly<Record<string, string>>): Promise<{ code: number | null; text: string }> {
  const script = join(projectFolder, 'dist/api/demo/main.js');
  const child = spawn(process.execPath, [script], { env: { ...process.env, ...env }, cwd: projectFolder });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const late = setTimeout(() => child.kill('SIGKILL'), 110_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, text };
}

describe('the demo on EventStoreDB and MongoDB', function () {
  this.timeout(120_000);
  if (mongo.missing !== undefined) {
    it(`plays a store's day (${mongo.missing})`);
    return;
  }
  let events: EndpointStage | undefined;
  let database: TestDatabase;
  before(async () => {
    if (realEvents === undefined) events = await endpointStage();
    database = await testDatabase(mongo);
  });
  after(async () => {
    await database?.close();
    await events?.close();
  });

  it(`plays a store's day to its end, over ${realEvents === undefined ? 'the protocol endpoint' : 'the server of EVENTSTORE_URL'} and ${mongo.name}`, async () => {
    const { code, text } = await demo({
      EVENTSTORE_URL: realEvents ?? `esdb://${events!.address}?tls=false`,
      MONGODB_URL: database.url,
      SUUQ_MASTER_KEY: '5c'.repeat(32),
    });
    expect(code, text).to.equal(0);
  });
});
