/**
 * MongoDB behind a network that fails at any message of a command's exchange. The result equals that of a sound
 * network.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { CollectionDefinition, DocumentStore, WriteBatch } from '../../engine/ports/documents.js';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { faultyProxy, type WireMessage } from '../../harness/engines/faultyProxy.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { mongoMessages } from '../../harness/engines/wireMessages.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { isHandshake } from '../support/doubles/mongoWire.js';
import { faultAt, messagesOf, WIRE_FAULTS } from '../support/doubles/wireFaults.js';

const shelves: CollectionDefinition = {
  name: 'shelves',
  keys: { code: 'text' },
  indexes: [{ keys: ['code'], unique: true }],
};
const tasks: CollectionDefinition = { name: 'tasks', keys: { lane: 'text' }, indexes: [{ keys: ['lane'] }] };
const shelf = (id: string, revision: number, code: string) => ({
  id,
  revision,
  keys: { code },
  body: { id, revision },
});
const task = (id: string, revision: number) => ({ id, revision, keys: { lane: 'l' }, body: { revision } });

const TIMEOUT_MS = 1000;
/** Number of faults tested concurrently. Most of their time is spent on waiting for limits. */
const AT_ONCE = 6;
const counts = (message: WireMessage): boolean => !isHandshake(message);

/** Retries until the call succeeds, as every caller does. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 30_000; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || Date.now() > end) throw error;
      await pause(10);
    }
  }
}

/**
 * A typical batch of an owner: tasks are written and removed, a unique key changes hands, and the position advances.
 */
const batches = (): Readonly<Record<string, WriteBatch>> => ({
  shelves: { put: [shelf('kept', 2, 'k'), shelf('next', 2, 'a')], remove: [{ id: 'first', revision: 2 }] },
  tasks: { put: [task('owed', 2)], remove: [{ id: 'done', revision: 2 }] },
});

interface Exchange {
  /** Runs the exchange. Returns the result that its caller gets. */
  run(models: DocumentStore): Promise<unknown>;
  /** Results that a caller may get over a network that fails. */
  readonly answers: readonly unknown[];
}

const exchanges: Readonly<Record<string, Exchange>> = {
  'a batch of an owner': {
    run: (models) => models.write(batches(), { name: 'shelves', position: 2, fence: 1 }),
    answers: [undefined],
  },
  // A retry after a lost answer finds its own document, or its own revision.
  'an insert': { run: (models) => models.insert('tasks', task('new', 1)), answers: [true, false] },
  'a replacement': { run: (models) => models.replace('tasks', 1, task('cas', 2)), answers: [true, false] },
  'a claim': { run: (models) => models.claim({ name: 'shelves', fence: 2 }, ['shelves']), answers: [1] },
};

/** Creates a database of its own behind a proxy of its own, with the data before the exchange, on a new connection. */
async function before(timeoutMs = TIMEOUT_MS) {
  const database: TestDatabase = await testDatabase(emulator);
  const { host, pathname } = new URL(database.url);
  const proxy = await faultyProxy(host, mongoMessages);
  const url = `mongodb://${proxy.address}${pathname}`;
  const models = await persistently(() => openMongoReadModels(url, { prefix: 'views', timeoutMs }));
  for (const definition of [shelves, tasks]) await persistently(() => models.open(definition));
  await persistently(() => models.claim({ name: 'shelves', fence: 1 }));
  const first = {
    shelves: { put: [shelf('first', 1, 'a'), shelf('kept', 1, 'k')] },
    tasks: { put: [task('done', 1), task('cas', 1)] },
  };
  await persistently(() => models.write(first, { name: 'shelves', position: 1, fence: 1 }));
  return {
    proxy,
    models,
    async everything(): Promise<unknown> {
      const all = [...(await models.find('shelves', { limit: 99 })), ...(await models.find('tasks', { limit: 99 }))];
      const documents = all.map(({ id, revision, keys, json }) => [id, revision, keys, json]);
      const stored = await database.db.collection('views_shelves').find().sort({ _id: 1 }).toArray();
      return { documents, place: await models.checkpoint('shelves'), fences: stored.map(({ fences }) => fences) };
    },
    async close(): Promise<void> {
      await models.close();
      await proxy.close();
      await database.close();
    },
  };
}

onMongo(emulator, 'a network that fails at one message', () => {
  async function reference(exchange: Exchange): Promise<{ readonly messages: number; readonly expected: unknown }> {
    const whole = await before(20_000);
    const messages = await messagesOf(whole.proxy, () => exchange.run(whole.models), counts);
    const expected = await whole.everything();
    await whole.close();
    return { messages, expected };
  }

  for (const [what, exchange] of Object.entries(exchanges))
    it(`of ${what} does not change the results`, async () => {
      const { messages, expected } = await reference(exchange);
      expect(messages).to.be.at.least(2);
      for (const [fault, verdict] of Object.entries(WIRE_FAULTS)) {
        const meet = async (at: number): Promise<void> => {
          const where = `a message that ${fault}: number ${at} of ${messages}`;
          const one = await before();
          const meets = faultAt(one.proxy, at, verdict, counts);
          expect(exchange.answers, where).to.deep.include(await persistently(() => exchange.run(one.models)));
          expect(meets.met, where).to.equal(true);
          one.proxy.judge(undefined);
          expect(await persistently(one.everything), where).to.deep.equal(expected);
          await one.close();
        };
        for (let at = 0; at < messages; at += AT_ONCE)
          await Promise.all(Array.from({ length: Math.min(AT_ONCE, messages - at) }, (_, i) => meet(at + i)));
      }
    }).timeout(120_000);
});
