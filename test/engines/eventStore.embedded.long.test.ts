import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import {
  BEFORE_ALL,
  categoryOf,
  LogDamaged,
  type RecordedEvent,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../engine/ports/eventStore.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import {
  type EmbeddedEventStore,
  openEmbeddedEventStore,
} from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { eventStoreContract } from '../contracts/eventStore.js';
import { failureOf, freshNames } from '../contracts/eventStoreKit.js';
import { until } from '../support/doubles/fakeClock.js';

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'suuq-events-'));

for (const writesHere of [false, true])
  eventStoreContract(writesHere ? 'embedded, written on the thread that asks' : 'embedded', async () => {
    const folder = await newFolder();
    let store = await openEmbeddedEventStore(folder, { writesHere });
    return {
      store,
      async reopen() {
        await store.close();
        store = await openEmbeddedEventStore(folder, { writesHere });
        return store;
      },
      async close() {
        await store.close();
        await rm(folder, { recursive: true });
      },
    };
  });

describe('embedded event store', () => {
  const { stream, event } = freshNames();
  let folder: string;
  let store: EmbeddedEventStore;
  beforeEach(async () => {
    folder = await newFolder();
    store = await openEmbeddedEventStore(folder);
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('is empty at first', async () => {
    expect(await store.head()).to.equal(BEFORE_ALL);
    expect(await store.readAll(BEFORE_ALL)).to.deep.equal({ events: [], through: BEFORE_ALL, end: true });
  });

  it('keeps ids under `any` forever, also after it was reopened', async () => {
    const s = stream();
    const first = await store.append(s, 'any', [event('a'), event('b')]);
    await store.append(s, 'any', [event('c')]);
    await store.close();
    store = await openEmbeddedEventStore(folder);
    expect(await store.append(s, 'any', [event('a'), event('b')])).to.deep.equal({ ...first, repeated: true });
    expect(await store.readStream(s)).to.have.length(3);
  });

  it('writes queued events before it closes, and accepts none afterwards', async () => {
    const s = stream();
    const writing = store.append(s, 'noStream', [event('last')]);
    await store.close();
    expect((await writing).revision).to.equal(0);
    expect(await failureOf(store.append(s, 0, [event('late')]))).to.be.instanceOf(StoreUnavailable);
  });

  it('rejects appends at once when 10,000 are waiting', async () => {
    const s = stream();
    const settled = await Promise.allSettled(
      Array.from({ length: 10_050 }, (_, i) => store.append(s, 'any', [event(`q${i}`)])),
    );
    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused).to.have.length(50);
    expect(refused[0]!.reason).to.be.instanceOf(StoreUnavailable);
    expect((await store.append(s, 'any', [event('after')])).revision).to.equal(10_000);
  });

  it('reports a dead writer to every waiting append and follower, and to later ones', async () => {
    let writer: Worker | undefined;
    process.once('worker', (worker: Worker) => {
      writer = worker;
    });
    const another = await newFolder();
    const dying = await openEmbeddedEventStore(another);
    const s = stream();
    await dying.append(s, 'noStream', [event('safe')]);
    const subscription = dying.subscribe(BEFORE_ALL, {}, { batch: () => {} });
    const waiting = Array.from({ length: 50 }, (_, i) => dying.append(s, 'any', [event(`w${i}`)]));
    void writer!.terminate();
    const settled = await Promise.allSettled(waiting);
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).to.be.instanceOf(StoreUnavailable);
    expect(await failureOf(subscription.ended)).to.be.instanceOf(StoreUnavailable);
    expect(await failureOf(dying.append(s, 'any', [event('after')]))).to.be.instanceOf(StoreUnavailable);
    expect((await dying.readStream(s, { limit: 1 }))[0]!.data).to.deep.equal({ label: 'safe' });
    await dying.close();
    await rm(another, { recursive: true });
  });

  for (const writesHere of [false, true])
    it(`is not opened if a newer version created it, and reports it, ${writesHere ? 'here' : 'by its thread'}`, async () => {
      await store.close();
      const newer = openDatabase(join(folder, 'events.db'));
      newer.exec('PRAGMA user_version = 99');
      newer.close();
      const failure = await failureOf(openEmbeddedEventStore(folder, { writesHere }));
      expect(failure).to.be.instanceOf(StoreUnavailable);
      expect((failure as Error).message).to.include('start a newer release');
    });

  it('reports why it cannot be opened', async () => {
    await store.close();
    await writeFile(
      join(folder, 'events.db'),
      'this is no database, and long enough to be looked at as one'.repeat(100),
    );
    expect(await failureOf(openEmbeddedEventStore(folder))).to.be.instanceOf(LogDamaged);
    await rm(join(folder, 'events.db'));
    store = await openEmbeddedEventStore(folder);
  });

  it('detects writes of another process between its own appends', async () => {
    const other = await openEmbeddedEventStore(folder);
    const s = stream();
    await store.append(s, 'noStream', [event('mine')]);
    const theirs = await other.append(s, 0, [event('theirs')]);
    expect(await failureOf(store.append(s, 0, [event('late')]))).to.be.instanceOf(WrongExpectedRevision);
    expect((await store.append(s, 1, [event('mine again')])).position).to.be.greaterThan(theirs.position);
    await other.close();
  });

  it('delivers its own events to followers as they are read, despite repeats and other writers', async () => {
    const [s, t] = [stream(), stream()];
    const followed: RecordedEvent[] = [];
    const some: RecordedEvent[] = [];
    const all = store.subscribe(BEFORE_ALL, {}, { batch: (events) => void followed.push(...events) });
    const one = store.subscribe(
      BEFORE_ALL,
      { categories: [categoryOf(t)], types: [event('x').type] },
      {
        batch: (events) => void some.push(...events.filter((event) => event.stream === t)),
      },
    );
    const other = await openEmbeddedEventStore(folder);
    const extra = { ...event('odd'), data: { label: 'odd', left: undefined, at: new Date(0), nested: [undefined] } };
    await store.append(s, 'noStream', [event('a'), event('b')]);
    await Promise.all([store.append(t, 'any', [event('c')]), store.append(s, 'any', [event('a'), event('b')])]);
    for (let i = 0; i < 30; i++) {
      const by = i % 3 === 1 ? other : store;
      await Promise.all([
        by.append(s, 'any', [event(`s${i}`), event(`s${i}+`)]),
        store.append(t, 'any', [event(`t${i}`)]),
        store.append(s, 'any', [event('a'), event('b')]),
      ]);
    }
    const upper = extra.id.toUpperCase();
    await store.append(t, 'any', [{ ...extra, id: upper }]);
    await store.append(s, 'any', [event('end')]);
    await until('all were followed', () => followed.length >= 95);
    const reader = await openEmbeddedEventStore(folder);
    const read: RecordedEvent[] = [];
    for (let after = BEFORE_ALL, end = false; !end; ) {
      const page = await reader.readAll(after);
      read.push(...page.events);
      ({ through: after, end } = page);
    }
    expect(followed).to.deep.equal(read);
    await until('its own were followed', () => some.length >= 32);
    expect(some).to.deep.equal(read.filter((event) => event.stream === t));
    await Promise.all([all.stop(), one.stop()]);
    await reader.close();
    await other.close();
  });

  it('loses nothing for a slow reader while much more is written', async () => {
    const s = stream();
    let count = 0;
    const many = (): Promise<unknown> =>
      store.append(
        s,
        'any',
        Array.from({ length: 450 }, () => event(`m${count++}`)),
      );
    const seen: number[] = [];
    let rounds = 0;
    await many();
    const slow = store.subscribe(
      BEFORE_ALL,
      {},
      {
        batch: async (events) => {
          seen.push(...events.map(({ revision }) => revision));
          rounds += 1;
          // Appends more events per round than one batch consumes, and in the end more than are cached.
          if (rounds > 1 && rounds <= 8) await Promise.all([many(), many()]);
        },
      },
      { batch: 50 },
    );
    await until('all were delivered', () => seen.length >= 15 * 450 || (rounds > 200 && seen.at(-1) === 15 * 450 - 1));
    expect(seen).to.deep.equal(Array.from({ length: 15 * 450 }, (_, i) => i));
    await slow.stop();
  });

  it('is followed from another thread', async () => {
    const notices = store.connectReader();
    const file = new URL('../../infrastructure/sqlite/eventStore/embeddedEventStore.js', import.meta.url).href;
    const follower = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       import(workerData.file).then(({ openEmbeddedEventStoreReader }) => {
         const reader = openEmbeddedEventStoreReader(workerData.folder, workerData.notices);
         const subscription = reader.subscribe(-1, {}, {
           batch: (events) => parentPort.postMessage(events.map((event) => event.data.label)),
           caughtUp: () => parentPort.postMessage('caughtUp'),
         });
         subscription.ended.catch((error) => parentPort.postMessage(error.name));
         parentPort.once('message', () => reader.close().then(() => parentPort.postMessage('closed')));
       });`,
      { eval: true, workerData: { file, folder, notices }, transferList: [notices] },
    );
    const heard: unknown[] = [];
    follower.on('message', (message) => heard.push(...[message].flat()));
    const s = stream();
    await store.append(s, 'noStream', [event('one')]);
    await until('caught up', () => heard.includes('caughtUp'));
    for (let i = 0; i < 100; i += 1) await store.append(s, i, [event(`more${i}`)]);
    await until('all', () => heard.includes('more99'));
    expect(heard.filter((label) => label !== 'caughtUp')).to.deep.equal([
      'one',
      ...Array.from({ length: 100 }, (_, i) => `more${i}`),
    ]);
    const gone = new Promise((resolve) => follower.once('exit', resolve));
    follower.postMessage('close');
    await until('closed', () => heard.includes('closed'));
    await follower.terminate();
    await gone;
  });
});
