/**
 * A replica set that elects another primary: writes during the election, reads from a former primary, and ownership.
 */
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { Timestamp } from 'mongodb';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { momentsOf } from '../../infrastructure/mongodb/moments.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { failureOf } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { type FakeReplicaSet, fakeReplicaSet } from '../support/doubles/fakeReplicaSet.js';

const orders: CollectionDefinition = { name: 'orders', keys: { w: 'text' }, indexes: [{ keys: ['w'] }] };
const order = (id: string, revision: number) => ({ id, revision, keys: { w: 'w1' }, body: { revision } });
const yes = (): boolean => true;
const no = (): boolean => false;
const moment = (i: number): Timestamp => new Timestamp({ t: 1_700_000_000, i });

describe('operation times of a replica set', () => {
  it('only advance, for all threads started after the first was known', async () => {
    const moments = momentsOf('shared:1');
    expect(moments.newest()).to.equal(undefined);
    moments.note(undefined);
    for (const i of [3, 2]) moments.note(moment(i));
    const module = new URL('../../infrastructure/mongodb/moments.js', import.meta.url).href;
    const script = `import('${module}').then(async ({ momentsOf }) => {
      const { Timestamp } = await import('mongodb');
      const moments = momentsOf('shared:1');
      const before = moments.newest().i;
      moments.note(new Timestamp({ t: 1700000000, i: 7 }));
      require('node:worker_threads').parentPort.postMessage(before);
    })`;
    const worker = new Worker(script, { eval: true });
    expect(await new Promise((resolve) => worker.once('message', resolve))).to.equal(3);
    await worker.terminate();
    expect(moments.newest()!.i).to.equal(7);
    expect(momentsOf('another:1').newest()).to.equal(undefined);
  });

  it('are forgotten when the server is behind for half a minute, as after a restore', () => {
    let now = 0;
    const moments = momentsOf('restored:1', () => now);
    const unreachedAt = (ms: number): void => {
      now = ms;
      moments.unreached();
    };
    moments.note(moment(5));
    unreachedAt(0);
    unreachedAt(29_000);
    moments.note(moment(5));
    unreachedAt(31_000);
    expect(moments.newest()!.i).to.equal(5);
    unreachedAt(61_000);
    expect(moments.newest()).to.equal(undefined);
  });
});

onMongo(emulator, 'an election', () => {
  let database: TestDatabase;
  let set: FakeReplicaSet;
  let models: DocumentStore;
  let name: string;
  beforeEach(async () => {
    database = await testDatabase(emulator);
    const direct = new URL(database.url);
    name = direct.pathname.slice(1);
    set = await fakeReplicaSet(direct.host);
    models = await openMongoReadModels(`mongodb://${set.hosts}/${name}?replicaSet=rs0`, {
      prefix: 'views',
      timeoutMs: 2000,
    });
    await models.open(orders);
  });
  afterEach(async () => {
    await models.close();
    await set.close();
    await database.close();
  });

  const write = (revision: number) =>
    models.write({ orders: { put: [order('o1', revision)] } }, { name: 'orders', position: revision });

  it('is survived by writers on their existing client', async () => {
    await write(1);
    const text: string[] = [];
    let writing = true;
    let last = 1;
    const writers = Array.from({ length: 8 }, async () => {
      while (writing) {
        const revision = ++last;
        await write(revision).catch((error: unknown) => {
          expect(error).to.be.instanceOf(StoreUnavailable);
          text.push((error as Error).message);
        });
      }
    });
    set.stepDown();
    const began = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    set.elect(1);
    const elected = performance.now();
    const before = last;
    while ((await models.checkpoint('orders').catch(() => 0)) <= before) {
      expect(performance.now() - elected).to.be.below(10_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    writing = false;
    await Promise.all(writers);
    // A timer may come a part of a millisecond early.
    expect(elected - began).to.be.at.least(11_990);
    expect(text).to.have.length.above(8);
    expect(text.filter((message) => /closed|did not answer/i.test(message))).to.deep.equal([]);
    expect((await models.get('orders', 'o1'))!.revision).to.equal(last);
  });

  it('is detected by a reader that sees only the former primary, when its process has written since', async () => {
    await write(1);
    const [former] = set.members;
    const alone = await openMongoReadModels(`mongodb://${former!.address}/${name}?directConnection=true`, {
      prefix: 'views',
      timeoutMs: 1000,
    });
    try {
      await set.cutOff(0, name);
      set.elect(1);
      // The client still treats the former primary as the primary, until another member names the new one.
      await until('a write is confirmed', () => write(2).then(yes, no), 15_000);
      expect((await models.get('orders', 'o1'))!.revision).to.equal(2);
      // This client knows of no newer write yet, so it reads the state at the time of the cut.
      expect((await alone.get('orders', 'o1'))!.revision).to.equal(1);
      // Its reads require the newest write that another thread of the process has seen.
      momentsOf(former!.address).note(momentsOf(set.hosts).newest());
      for (const read of [alone.get('orders', 'o1'), alone.find('orders', { limit: 9 }), alone.checkpoint('orders')])
        expect(await failureOf(read)).to.be.instanceOf(StoreUnavailable);
    } finally {
      await alone.close();
    }
  });

  it('does not affect majority reads', async () => {
    await write(1);
    const reads = () => set.commands.filter(({ name }) => name === 'find');
    await models.get('orders', 'o1');
    const { level, afterClusterTime } = reads().at(-1)!.body.readConcern;
    expect([level, afterClusterTime.i > 1]).to.deep.equal(['majority', true]);
    const writes = set.commands.filter(({ name }) => name === 'update');
    expect(writes.length).to.be.above(0);
    for (const { body } of writes) expect(body).to.not.have.property('readConcern');
  });
});
