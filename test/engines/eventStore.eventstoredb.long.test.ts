/**
 * The EventStoreDB adapter, always over the embedded store's own endpoint. If EVENTSTORE_URL names a server or a Docker
 * engine answers, it is tested against a real server too.
 */
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import {
  BEFORE_ALL,
  type EventStore,
  PayloadTooLarge,
  type RecordedEvent,
  StoreUnavailable,
} from '../../engine/ports/eventStore.js';
import { faultyProxy } from '../../harness/engines/faultyProxy.js';
import { openEventStoreDb } from '../../infrastructure/eventstoredb/eventStoreDb.js';
import { eventStoreContract, type OpenedStore } from '../contracts/eventStore.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';
import { LONGEST_CALL_MS, OUTAGE_MS, Outage } from '../support/doubles/outage.js';
import { realEventStoreDb } from '../support/protocol/realEventStoreDb.js';
import { type EndpointStage, endpointStage } from '../support/stages/endpointStage.js';

async function adapterAt(
  url: string,
  release: () => Promise<void>,
  open = () => openEventStoreDb(url),
): Promise<OpenedStore> {
  let store = await open();
  return {
    store,
    async reopen() {
      await store.close();
      store = await open();
      return store;
    },
    async close() {
      await store.close();
      await release();
    },
  };
}

/** Number of the call at which an outage begins. The suite makes some 1,000 calls. */
const AT_CALL = 60;

describe('EventStoreDB adapter over the endpoint, with an outage', function () {
  this.timeout(90_000 + 2 * OUTAGE_MS);
  eventStoreContract('EventStoreDB adapter over the endpoint', async () => {
    const stage = await endpointStage();
    const way = await faultyProxy(stage.address);
    const outage = new Outage([way], AT_CALL);
    const url = `esdb://${way.address}?tls=false`;
    return adapterAt(
      url,
      async () => {
        await way.close();
        await stage.close();
        expect(outage.isOver, 'the outage is over').to.equal(true);
        if (OUTAGE_MS > LONGEST_CALL_MS) expect(outage.refusals).to.be.above(0);
      },
      () => outage.outlasting(() => openEventStoreDb(url)),
    );
  });
});

const real = await realEventStoreDb();
if (typeof real === 'string') it(`the event store's contract on a real EventStoreDB (skipped: ${real})`);
else
  eventStoreContract(real.title, async () => {
    const { url, stop } = await real.start();
    return adapterAt(url, stop);
  });

describe('EventStoreDB adapter', () => {
  const { stream, event, category } = freshNames();
  let stage: EndpointStage;
  let url: string;
  let store: EventStore;
  before(async () => {
    stage = await endpointStage();
    url = `esdb://${stage.address}?tls=false`;
    store = await openEventStoreDb(url);
  });
  after(async () => {
    await store.close();
    await stage.close();
  });

  it('is empty at first, and stays so if only the server itself has written', async () => {
    expect(await store.head()).to.equal(BEFORE_ALL);
    expect(await store.readAll(BEFORE_ALL)).to.deep.equal({ events: [], through: BEFORE_ALL, end: true });
    await stage.client.setStreamMetadata('order-1', { maxCount: 10 });
    expect(await store.head()).to.equal(BEFORE_ALL);
    expect((await store.readAll(BEFORE_ALL)).events).to.deep.equal([]);
  });

  it('continues from each position it returned', async () => {
    const s = stream('steps');
    const before = await store.head();
    const all = Array.from({ length: 6 }, (_, i) => event(`step${i}`));
    await store.append(s, 'noStream', all);
    const labels = (events: readonly RecordedEvent[]) => events.map(({ id }) => all.findIndex((one) => one.id === id));
    const { events } = await store.readAll(before);
    expect(labels(events)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    for (const [i, { position }] of events.entries()) {
      expect(labels((await store.readAll(position)).events)).to.deep.equal([0, 1, 2, 3, 4, 5].slice(i + 1));
    }
  });

  it('loses nothing when it continues from a checkpoint of a filtered history', async () => {
    const before = await store.head();
    const s = stream('noise');
    for (let i = 0; i < 9; i += 1) {
      const many = Array.from({ length: 500 }, (_, k) => event(`noise${i}-${k}`));
      await store.append(s, i === 0 ? 'noStream' : i * 500 - 1, many);
    }
    const sought = stream('sought');
    await store.append(sought, 'noStream', [event('sought')]);
    const filter = { categories: [category('sought')] };
    const throughs: number[] = [];
    let found = 0;
    const subscription = store.subscribe(before, filter, {
      batch(events, through) {
        found += events.length;
        if (found === 0) throughs.push(through);
      },
    });
    await until('all delivered', () => found === 1);
    await subscription.stop();
    // The number of checkpoints sent on their own depends on timing. Each is at the position of one of these.
    const first = await store.readAll(before, { limit: 2_000 });
    const second = await store.readAll(first.through, { limit: 2_000 });
    for (const through of [...throughs, first.through, second.through]) {
      const page = await store.readAll(through, { filter });
      expect(page.events.map(({ stream: name }) => name)).to.deep.equal([sought]);
    }
  });

  it('returns only events whose data is a JSON object, and skips the others', async () => {
    const s = stream('mixed');
    const before = await store.head();
    const written = await stage.client.appendToStream(s, [
      { id: event('bin').id, type: 'Scan', contentType: 'application/octet-stream', data: Buffer.from([1, 2]) },
      { id: event('list').id, type: 'List', contentType: 'application/json', data: [1, 2] },
      { id: event('foreign').id, type: 'Noted', contentType: 'application/json', data: { text: 'by hand' } },
    ] as unknown as Parameters<typeof stage.client.appendToStream>[1]);
    expect(written.success).to.equal(true);
    const [only, ...rest] = await store.readStream(s);
    expect(rest).to.deep.equal([]);
    expect(only).to.include({ type: 'Noted', revision: 2 });
    expect(only!.meta.actor).to.deep.equal({ type: 'system' });
    expect(Date.now() - Date.parse(only!.meta.at)).to.be.within(-60_000, 60_000);
    const page = await store.readAll(before);
    expect(page.events.map(({ revision }) => revision)).to.deep.equal([2]);
    expect(page.through).to.equal(await store.head());
  });

  it('rejects what the server cannot process before anything is sent, and continues', async () => {
    const s = stream();
    const refused = [
      store.append(s, 'any', [event('big', { n: 1n })]),
      store.append(s, 'any', [event('list', [1])]),
      store.append(s, 'any', [{ ...event('typeless'), type: '' }]),
      store.append('$system', 'any', [event('system')]),
      store.append('', 'any', [event('nameless')]),
      store.append(s, -3, [event('negative')]),
    ];
    for (const one of refused) expect(await failureOf(one)).to.be.instanceOf(Error);
    expect((await store.append(s, 'noStream', [event('fine')])).revision).to.equal(0);
  });

  it('respects a configured limit, and reports the server’s own if that is lower', async () => {
    const narrow = await openEventStoreDb(url, { mostBytes: 1_000 });
    const wide = await openEventStoreDb(url, { mostBytes: 3_000_000 });
    const s = stream();
    const text = (length: number) => [event(`t${length}`, { text: 'x'.repeat(length) })];
    expect(await failureOf(narrow.append(s, 'any', text(1_000)))).to.be.instanceOf(PayloadTooLarge);
    expect(await failureOf(wide.append(s, 'any', text(2_000_000)))).to.be.instanceOf(PayloadTooLarge);
    expect((await narrow.append(s, 'any', text(900))).revision).to.equal(0);
    await Promise.all([narrow.close(), wide.close()]);
  });

  it('accepts many appends at once and rejects what exceeds 10,000', async () => {
    const s = stream();
    const settled = await Promise.allSettled(
      Array.from({ length: 10_020 }, (_, i) => store.append(s, 'any', [event(`q${i}`)])),
    );
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused).to.have.length(20);
    for (const one of refused) expect(one.reason).to.be.instanceOf(StoreUnavailable);
  });

  it('stays closed', async () => {
    const closing = await openEventStoreDb(url);
    const subscription = closing.subscribe(BEFORE_ALL, {}, { batch: () => {} });
    const s = stream();
    const last = closing.append(s, 'noStream', [event('last')]);
    await Promise.all([closing.close(), closing.close()]);
    await subscription.ended;
    expect((await last).revision).to.equal(0);
    expect(await failureOf(closing.append(s, 0, [event('late')]))).to.be.instanceOf(StoreUnavailable);
    expect(await failureOf(closing.head())).to.be.instanceOf(StoreUnavailable);
    expect(await failureOf(closing.readStream(s))).to.be.instanceOf(StoreUnavailable);
    expect(await failureOf(closing.readAll(BEFORE_ALL))).to.be.instanceOf(StoreUnavailable);
  });

  it('is followed in another thread through its own connection', async () => {
    const file = new URL('../../infrastructure/eventstoredb/eventStoreDb.js', import.meta.url).href;
    const filter = { categories: [category('thread')] };
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       import(workerData.file).then(async ({ openEventStoreDb }) => {
         const store = await openEventStoreDb(workerData.url);
         store.subscribe(-1, workerData.filter, {
           batch: (events) => parentPort.postMessage(events.map((event) => event.data.label)),
           caughtUp: () => parentPort.postMessage('caughtUp'),
         });
         parentPort.once('message', async () => {
           await store.close();
           parentPort.postMessage('closed');
         });
       });`,
      { eval: true, workerData: { file, url, filter } },
    );
    const heard: unknown[] = [];
    worker.on('message', (message) => heard.push(...[message].flat()));
    const s = stream('thread');
    await store.append(s, 'noStream', [event('one')]);
    await until('caught up', () => heard.includes('caughtUp'));
    for (let i = 0; i < 20; i += 1) await store.append(s, i, [event(`more${i}`)]);
    await until('all', () => heard.includes('more19'));
    expect(heard.filter((label) => label !== 'caughtUp')).to.deep.equal([
      'one',
      ...Array.from({ length: 20 }, (_, i) => `more${i}`),
    ]);
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await until('closed', () => heard.includes('closed'));
    // The thread ends by itself, because nothing of the adapter keeps it alive.
    await gone;
  });

  describe('connection strings', () => {
    const opening = (text: string) => failureOf(openEventStoreDb(text, { timeoutMs: 300 })) as Promise<Error>;

    it('report errors without their content', async () => {
      const faulty = {
        'http://user:s3cret@host:2113': /esdb:\/\//,
        'esdb://user:s3cret@': /host/,
        'esdb://user:s3cret@host:port': /port/,
        'esdb://user:s3cret@host:2113?tls=maybe': /true or false/,
        'esdb://user:s3cret@host:2113?tls=false&colour=red': /unknown option 'colour'/,
        'esdb://user:s3cret@host:2113?tlsVerifyCert=false': /tlsCAFile/,
      };
      const printed: unknown[] = [];
      const { warn } = console;
      console.warn = (...text) => void printed.push(...text);
      try {
        for (const [text, expected] of Object.entries(faulty)) {
          const { message } = await opening(text);
          expect(message).to.match(expected);
          expect(message).not.to.contain('s3cret');
        }
      } finally {
        console.warn = warn;
      }
      expect(printed).to.deep.equal([]);
    });

    it('that name an unavailable server reject in time, without their credentials', async () => {
      const error = await opening('esdb://user:s3cret@127.0.0.1:1?tls=false');
      expect(error).to.be.instanceOf(StoreUnavailable);
      expect(`${error.message} ${error.stack}`).not.to.contain('s3cret');
    });
  });
});
