/**
 * MongoDB that is down, comes back, is slow or silent. Calls fail within their time limit, and no acknowledged write is
 * lost.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { BadEngineUrl } from '../../infrastructure/engineUrl.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { failureOf } from '../contracts/eventStoreKit.js';

const orders: CollectionDefinition = { name: 'orders', keys: { w: 'text' }, indexes: [{ keys: ['w'] }] };
const order = (id: string, revision: number) => ({ id, revision, keys: { w: 'w1' }, body: { revision } });

const TIMEOUT_MS = 1500;
/** A call may exceed its limit by this much on a busy machine. */
const SLACK_MS = 6000;

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const began = performance.now();
  const value = await work;
  return { value, ms: performance.now() - began };
}

/**
 * Retries until the call succeeds, for at most a minute, as every caller does. Counts the failures, which must all be
 * temporary.
 */
async function persistently(work: () => Promise<unknown>): Promise<number> {
  const end = Date.now() + 60_000;
  for (let refusals = 0; ; refusals++) {
    try {
      await work();
      return refusals;
    } catch (error) {
      expect(error).to.be.instanceOf(StoreUnavailable);
      if (Date.now() > end) throw error;
      await pause(20);
    }
  }
}

describe('an unavailable MongoDB', () => {
  it('is reported with its setting within the time limit, without a password', async () => {
    // Nothing listens on port 1.
    const url = 'mongodb://asha:s3cret@127.0.0.1:1/suuq';
    const opening = failureOf(openMongoReadModels(url, { prefix: 'views', timeoutMs: 500 })) as Promise<Error>;
    const { value: error, ms } = await timed(opening);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.include('MONGODB_URL').and.include('127.0.0.1:1');
    expect(JSON.stringify([error.message, error.stack, error.cause])).to.not.match(/s3cret|asha/);
    expect(ms).to.be.lessThan(500 + SLACK_MS);
  });

  it('with an invalid URL is rejected without repeating it', async () => {
    const wrong = [
      'http://asha:s3cret@host/suuq',
      'mongodb://asha:s3cret@/suuq',
      'mongodb://asha:s3%cret@host:27017/suuq',
      'mongodb://asha:s3cret@host:99999/suuq',
      'mongodb://asha:s3cret@host:27017/suuq?nonsense=1',
      'mongodb://asha:s3cret@host:27017/suuq?tls=s3cret',
    ];
    for (const url of wrong) {
      const error = (await failureOf(openMongoReadModels(url, { prefix: 'views', timeoutMs: 500 }))) as Error;
      expect(error, url).to.be.instanceOf(BadEngineUrl);
      expect(JSON.stringify([error.message, error.stack, error.cause]), url).to.not.match(/s3cret|s3%cret|asha/);
    }
  });
});

onMongo(emulator, 'a failing connection', () => {
  let database: TestDatabase;
  let proxy: FaultyProxy;
  let models: DocumentStore;
  beforeEach(async () => {
    database = await testDatabase(emulator);
    const direct = new URL(database.url);
    proxy = await faultyProxy(direct.host);
    const url = `mongodb://${proxy.address}${direct.pathname}`;
    models = await openMongoReadModels(url, { prefix: 'views', timeoutMs: TIMEOUT_MS });
    await models.open(orders);
  });
  afterEach(async () => {
    await models.close();
    await proxy.close();
    await database.close();
  });

  const write = (revision: number) =>
    models.write(
      { orders: { put: [order(`o${revision % 7}`, revision)], remove: [{ id: `gone${revision % 3}`, revision }] } },
      { name: 'orders', position: revision },
    );

  it('that is disconnected repeatedly under load loses nothing and is always reported as temporary', async () => {
    let writing = true;
    const breaking = (async () => {
      while (writing) {
        await pause(40);
        proxy.cut();
        await pause(40);
        await proxy.refuse();
        await pause(60);
        await proxy.heal();
        await pause(150);
      }
    })();
    let refusals = 0;
    const last = 60;
    try {
      for (let revision = 1; revision <= last; revision++) refusals += await persistently(() => write(revision));
    } finally {
      writing = false;
      await breaking;
    }
    expect(refusals).to.be.greaterThan(0);
    const found = await models.find<{ revision: number }>('orders', { where: { w: 'w1' }, limit: 99 });
    const expected = Array.from({ length: 7 }, (_, i) => last - i).map((revision) => [`o${revision % 7}`, revision]);
    expect(found.map(({ id, body }) => [id, body.revision])).to.have.deep.members(expected);
    expect(await models.checkpoint('orders')).to.equal(last);
  });

  it('that is silent ends each call in time, and later ones succeed after recovery', async () => {
    await write(1);
    proxy.silence();
    const calls = [write(2), models.get('orders', 'o1'), models.insert('orders', order('new', 1)), models.list()];
    for (const { value: error, ms } of await Promise.all(calls.map((call) => timed(failureOf(call))))) {
      expect(error).to.be.instanceOf(StoreUnavailable);
      expect(ms).to.be.lessThan(TIMEOUT_MS + SLACK_MS);
    }
    await proxy.heal();
    // All connections close at the moment of the next write, which is where the driver may get stuck.
    proxy.cut();
    await persistently(() => write(3));
    expect((await models.get('orders', 'o3'))!.revision).to.equal(3);
    expect(await models.checkpoint('orders')).to.equal(3);
  });

  it('that is slow within the limit only takes longer', async () => {
    proxy.delay(100);
    await persistently(() => write(1));
    expect((await models.get('orders', 'o1'))!.revision).to.equal(1);
  });

  it('that fails during inserts acknowledges only what is stored', async () => {
    const tries = Array.from({ length: 40 }, async (_, i) => {
      await pause(i * 5);
      return models.insert('orders', order(`i${i}`, 1)).catch((error: unknown) => error);
    });
    for (let i = 0; i < 5; i++) {
      await pause(40);
      proxy.cut();
    }
    const outcomes = await Promise.all(tries);
    await persistently(() => models.list());
    const stored = await models.getMany(
      'orders',
      Array.from({ length: 40 }, (_, i) => `i${i}`),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome === true) expect(stored.has(`i${i}`)).to.equal(true);
      else expect(outcome).to.be.instanceOf(StoreUnavailable);
    }
  });
});
