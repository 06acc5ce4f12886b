/** The projection runtime over MongoDB while the connection breaks: what is served at the end is the fold of the log. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import { type FaultyProxy, faultyProxy } from '../../harness/engines/faultyProxy.js';
import { emulator, onMongo, type TestDatabase, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import {
  added,
  baskets,
  closed,
  everything,
  named,
  type Stage,
  stage,
  stock,
} from '../support/stages/projectionStage.js';

const both = [baskets(), stock];
const names = both.map(({ name }) => name);
const BASKETS = 12;

onMongo(emulator, 'projections', () => {
  let database: TestDatabase;
  let proxy: FaultyProxy;
  let models: DocumentStore;
  let w: Stage;
  beforeEach(async () => {
    database = await testDatabase(emulator);
    const direct = new URL(database.url);
    proxy = await faultyProxy(direct.host);
    models = await openMongoReadModels(`mongodb://${proxy.address}${direct.pathname}`, {
      prefix: 'views',
      timeoutMs: 1500,
    });
    w = await stage();
  });
  afterEach(async () => {
    await proxy.heal();
    await w.close();
    await models.close();
    await proxy.close();
    await database.close();
  });

  async function folded(projection: (typeof both)[number]): Promise<Record<string, unknown>> {
    const views = new Map<string, View<unknown> | undefined>();
    for (const event of (await w.store.readAll(BEFORE_ALL)).events) foldEvent(projection, views, event);
    return Object.fromEntries([...views].flatMap(([id, view]) => (view === undefined ? [] : [[id, { ...view }]])));
  }

  async function served(name: string): Promise<Record<string, unknown>> {
    const documents = Object.entries(await everything(models, name)) as [string, { keys: unknown; body: unknown }][];
    return Object.fromEntries(documents.map(([id, { keys, body }]) => [id, { keys, body }]));
  }

  it('count no event twice and miss none', async () => {
    const runtime = await w.start(both, models);
    let last = 0;
    for (let round = 0; round < 15; round++) {
      for (let i = 0; i < BASKETS; i++) {
        const id = `b${(round * 5 + i) % BASKETS}`;
        if ((round + i) % 7 === 0) last = await w.append(id, closed);
        else last = await w.append(id, added(['tea', i], [`sku${i % 3}`, 1]), named(`${id} in round ${round}`));
      }
      if (round % 3 === 1) proxy.cut();
      if (round % 5 === 2) {
        await proxy.refuse();
        await pause(100);
        await proxy.heal();
      }
    }
    expect(await runtime.waitFor(names, last, 40_000)).to.equal(true);
    for (const projection of both) expect(await served(projection.name)).to.deep.equal(await folded(projection));
  });
});
