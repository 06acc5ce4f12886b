/** Two instances on a replica set that elects another primary for 12 s: both keep what they own, and go on with it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { steadyClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { defineProcessor, type NewTask, type Task } from '../../engine/processors/processor.js';
import { createSharedProgress } from '../../engine/projections/sharedProgress.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { until } from '../support/doubles/fakeClock.js';
import { type FakeReplicaSet, fakeReplicaSet } from '../support/doubles/fakeReplicaSet.js';
import {
  added,
  type BasketEvent,
  baskets,
  everything,
  type Stage,
  stage,
  stock,
} from '../support/stages/projectionStage.js';
import { type Engines, type SharedInstances, sharedInstances } from '../support/stages/sharedInstances.js';

const ELECTION_MS = 12_000;
const names = ['baskets', 'stock'];
const SHARDS = 4;

onMongo(emulator, 'an election of the documents’ servers', () => {
  let w: Stage;
  let database: TestDatabase;
  let set: FakeReplicaSet;
  let all: SharedInstances;
  let performed: string[];
  const opened: DocumentStore[] = [];

  const open = async (prefix: 'views' | 'work', timeoutMs: number): Promise<DocumentStore> => {
    const url = `mongodb://${set.hosts}${new URL(database.url).pathname}?replicaSet=rs0`;
    const models = await openMongoReadModels(url, { prefix, timeoutMs });
    opened.push(models);
    return models;
  };

  beforeEach(async () => {
    w = await stage();
    database = await testDatabase(emulator);
    set = await fakeReplicaSet(new URL(database.url).host);
    performed = [];
    const worker = defineProcessor<BasketEvent>({
      name: 'worker',
      categories: ['basket'],
      on: {
        ItemsAdded: ({ data }): NewTask[] =>
          data.items.map(({ sku: id }) => ({ id, kind: 'do', lane: id, payload: {} })),
      },
      perform: {
        async do({ id }: Task<never>) {
          performed.push(id);
          return { done: true };
        },
      },
    });
    const engines: Engines[] = [];
    // Limits that differ by a millisecond make clients of their own, as in two processes.
    for (const ms of [5000, 5001])
      engines.push({ eventStore: w.store, views: await open('views', ms), work: await open('work', ms) });
    all = sharedInstances(() => engines.pop()!, [baskets(), stock], [worker], 'real', SHARDS);
  });
  afterEach(async () => {
    await all.close();
    for (const models of opened.splice(0)) await models.close();
    await set.close();
    await database.close();
    await w.close();
  });

  /** Sessions, and leases with who has owned them how often. */
  async function owners(): Promise<unknown[]> {
    const documents = await database.db.collection('work_leases').find().sort({ _id: 1 }).toArray();
    return documents.map(({ _id, revision, keys, body }) =>
      keys.kind === 'session' ? [_id, (JSON.parse(body) as { ended: boolean }).ended] : [_id, revision, body],
    );
  }

  it('costs no lease: events of the meantime are processed when there is a primary', async () => {
    const a = await all.add('a');
    const b = await all.add('b');
    await all.passUntil(
      'they share',
      async () =>
        [a, b].every(({ processors }) => processors.status()[0]?.shards === SHARDS / 2) &&
        (await a.running()).length === 2 &&
        (await b.running()).length === 2,
      15_000,
    );
    const progress = createSharedProgress({ views: await open('views', 5002), clock: steadyClock });
    const requested: string[] = [];
    const request = (): Promise<number> => {
      requested.push(`t${requested.length}`);
      return w.append('b1', added([requested.at(-1)!, 1]));
    };
    expect(await progress.waitFor(names, await request(), 5000)).to.equal(true);
    await until('the first is done', () => performed.includes('t0'), 10_000);
    const before = await owners();
    set.stepDown();
    const elected = pause(ELECTION_MS).then(() => set.elect(1));
    for (let i = 0; i < 20; i++) {
      await request();
      await pause(400);
    }
    await elected;
    const began = performance.now();
    expect(await progress.waitFor(names, await request(), 10_000)).to.equal(true);
    await until('each was done', () => requested.every((id) => performed.includes(id)), 10_000);
    expect(performance.now() - began).to.be.below(10_000);
    // That the first is done may not have been written when the primary went: then it is done once more, as ever.
    expect(performed.filter((id) => id !== 't0').sort()).to.deep.equal(requested.slice(1).sort());
    expect(await owners()).to.deep.equal(before);
    const served = await everything(await open('views', 5003), 'baskets');
    expect((served.b1 as { body: unknown }).body).to.deep.equal({ name: '', quantity: requested.length });
    await pause(6000);
    expect(await owners()).to.deep.equal(before);
    progress.close();
  });
});
