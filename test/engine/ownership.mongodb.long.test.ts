/**
 * Two instances on MongoDB, in real time. One freezes at any point of its work, the other takes over, the first wakes
 * up.
 */
import { expect } from 'chai';
import { steadyClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { defineProcessor, type NewTask, type Task } from '../../engine/processors/processor.js';
import { tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import { createSharedProgress } from '../../engine/projections/sharedProgress.js';
import {
  emulator,
  type MongoPlace,
  onMongo,
  server,
  type TestDatabase,
  testDatabase,
} from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { until } from '../support/doubles/fakeClock.js';
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

const names = ['baskets', 'stock'];
const SHARDS = 4;

function suite(place: MongoPlace): void {
  let w: Stage;
  let database: TestDatabase;
  let all: SharedInstances;
  let performed: Map<string, number>;
  const opened: DocumentStore[] = [];
  const open = async (prefix: 'views' | 'work'): Promise<DocumentStore> => {
    const models = await openMongoReadModels(database.url, { prefix });
    opened.push(models);
    return models;
  };

  beforeEach(async () => {
    w = await stage();
    database = await testDatabase(place);
    performed = new Map();
    const worker = defineProcessor<BasketEvent>({
      name: 'worker',
      categories: ['basket'],
      on: {
        ItemsAdded: ({ data }): NewTask[] =>
          data.items.map(({ sku: id }) => ({ id, kind: 'do', lane: id, payload: {} })),
      },
      perform: {
        async do({ id }: Task<never>) {
          performed.set(id, (performed.get(id) ?? 0) + 1);
          return { done: true };
        },
      },
    });
    const engines: Engines[] = [];
    for (let i = 0; i < 2; i++)
      engines.push({ eventStore: w.store, views: await open('views'), work: await open('work') });
    all = sharedInstances(() => engines.pop()!, [baskets(), stock], [worker], 'real', SHARDS);
  });
  afterEach(async () => {
    await all.close();
    for (const models of opened.splice(0)) await models.close();
    await database.close();
    await w.close();
  });

  it('continues within 10 s when an instance is frozen, which changes nothing when it resumes', async () => {
    const a = await all.add('a');
    await all.passUntil('a runs all', async () => (await a.running()).length === 3, 10_000);
    const progress = createSharedProgress({ views: await open('views'), clock: steadyClock });
    const views = await open('views');
    const work = await open('work');
    const requested: string[] = [];
    const request = (count: number): Promise<number> => {
      const ids = Array.from({ length: count }, (_, i) => `t${requested.length + i}`);
      requested.push(...ids);
      return w.append('b1', added(...ids.map((id): [string, number] => [id, 1])));
    };
    expect(await progress.waitFor(names, await request(5), 5000)).to.equal(true);
    const b = await all.add('b');
    await request(200);
    a.freeze();
    const ownsAll = () => b.processors.status()[0]?.shards === SHARDS;
    const took = await all.passUntil('b runs all', async () => ownsAll() && (await b.running()).length === 3, 10_000);
    expect(took).to.be.at.least(4000);
    expect(await progress.waitFor(names, await request(5), 5000)).to.equal(true);
    await until('all is done', async () => (await work.count(tasksCollection('worker'), {}, 1000)) === 0, 10_000);
    await until('each was performed', () => requested.every((id) => performed.has(id)), 10_000);
    const before = await Promise.all(names.map((name) => everything(views, name)));
    expect(before[0]).to.deep.include({ b1: { ...(before[0]!.b1 as object), body: { name: '', quantity: 210 } } });
    const repeated = [...performed.values()].filter((times) => times > 1).length;
    a.wake(0);
    await all.passUntil(
      'they share',
      async () => (await a.running()).length >= 1 && (await b.running()).length <= 2,
      15_000,
    );
    const after = await Promise.all(names.map((name) => everything(views, name)));
    expect(after).to.deep.equal(before);
    expect(await work.count(tasksCollection('worker'), {}, 1000)).to.equal(0);
    expect([...performed.values()].filter((times) => times > 1).length - repeated).to.be.at.most(64);
    expect(await progress.waitFor(names, await request(1), 5000)).to.equal(true);
    progress.close();
  });
}

describe('several instances', () => {
  onMongo(emulator, 'taking over', () => suite(emulator));
  onMongo(server, 'taking over', () => suite(server));
});
