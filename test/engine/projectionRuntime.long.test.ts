import { expect } from 'chai';
import fc from 'fast-check';
import { type DocumentStore, ReadModelError } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type RecordedEvent, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { createReads } from '../../engine/projections/documentReads.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import type { ProjectionRuntime } from '../../engine/projections/runtime.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import {
  added,
  type BasketEvent,
  baskets,
  closed,
  eventually,
  everything,
  named,
  type Stage,
  stage,
  stock,
} from '../support/stages/projectionStage.js';

const byBasket = baskets();
const both = [byBasket, stock];
const names = ['baskets', 'stock'];

async function stateOf(runtime: ProjectionRuntime, name: string) {
  return (await runtime.status()).find((one) => one.name === name)!;
}
const isLive = (runtime: ProjectionRuntime, name: string) => async () =>
  (await stateOf(runtime, name)).state === 'live';

/** Documents that the pure functions build from the log. */
async function folded({ store }: Stage, projection: (typeof both)[number]): Promise<Record<string, unknown>> {
  const views = new Map<string, View<unknown> | undefined>();
  let after = BEFORE_ALL;
  for (;;) {
    const page = await store.readAll(after);
    for (const event of page.events as RecordedEvent[]) foldEvent(projection, views, event);
    if (page.end) break;
    after = page.through;
  }
  return Object.fromEntries([...views].flatMap(([id, view]) => (view === undefined ? [] : [[id, { ...view }]])));
}

function withoutRevisions(documents: Record<string, unknown>): Record<string, unknown> {
  const bare = Object.entries(documents as Record<string, { keys: unknown; body: unknown }>);
  return Object.fromEntries(bare.map(([id, { keys, body }]) => [id, { keys, body }]));
}

/** Runs `before` each time the collection of `stock` is opened. */
const opening = (models: DocumentStore, before: () => void): DocumentStore =>
  new Proxy(models, {
    get(target, name) {
      const method = target[name as keyof DocumentStore] as (...args: unknown[]) => unknown;
      return async (...args: unknown[]) => {
        if (name === 'open' && (args[0] as { name: string }).name === 'stock_v1') before();
        return method.apply(target, args);
      };
    },
  });

describe('projection runtime', () => {
  let w: Stage;
  beforeEach(async () => {
    w = await stage();
  });
  afterEach(() => w.close());

  const expectFolded = async (models: DocumentStore = w.models) => {
    for (const projection of both)
      expect(withoutRevisions(await everything(models, projection.name))).to.deep.equal(await folded(w, projection));
  };

  it('follows events live: a wait ends when queries show the event', async () => {
    const runtime = await w.start(both);
    const reads = createReads(w.models);
    const position = await w.append('b1', added(['tea', 2], ['milk', 1]), named('Ali'));
    expect(await runtime.waitFor(names, position, 2000)).to.equal(true);
    expect((await reads.get(byBasket, 'b1'))!.body).to.deep.equal({ name: 'Ali', quantity: 3 });
    expect((await reads.get(stock, 'milk'))!.body).to.deep.equal({ taken: 1, baskets: 1 });
    await runtime.waitFor(names, await w.append('b1', closed), 2000);
    expect(await reads.get(byBasket, 'b1')).to.equal(undefined);
    expect(await reads.count(stock, { taken: { gte: 1 } }, 10)).to.equal(2);
    expect(await runtime.waitFor(names, position + 1000, 20)).to.equal(false);
  });

  it('reports progress with every batch', async () => {
    const runtime = await w.start(both);
    const reported = new Promise((resolve) => runtime.onProgress(resolve));
    const position = await w.append('b1', named('a'));
    expect(await reported).to.deep.equal({ baskets: position, stock: position });
  });

  it('continues from its checkpoint after a stop, and after a crash', async () => {
    const first = await w.start(both);
    await first.waitFor(names, await w.append('b1', added(['tea', 1])), 2000);
    await first.stop();
    const position = await w.append('b1', added(['tea', 5]));
    const lost = w.openModels();
    const second = await w.start(both, lost);
    await second.waitFor(names, position, 2000);
    await expectFolded();
    // From here on no write of the second runtime is stored, as if its process had ended.
    await lost.close();
    await w.append('b1', added(['tea', 7]));
    const third = await w.start(both);
    await third.waitFor(names, await w.append('b2', named('x')), 2000);
    await expectFolded();
  });

  it('counts nothing twice when documents were written without the checkpoint', async () => {
    const first = await w.start(both);
    await first.waitFor(names, await w.append('b1', added(['tea', 1]), added(['tea', 2])), 2000);
    await first.stop();
    for (const name of await w.models.list()) await w.models.dropCheckpoint(name);
    const second = await w.start(both);
    await second.waitFor(names, await w.append('b1', added(['tea', 4])), 2000);
    await expectFolded();
  });

  it('fills a new projection from the history, and shows it once complete', async () => {
    const reads = createReads(w.models);
    for (let i = 0; i < 30; i++) await w.append(`b${i % 7}`, added(['tea', i], [`s${i}`, 1]));
    const runtime = await w.start(both);
    const early = await reads.get(stock, 'tea').catch((error: Error) => error.name);
    if (typeof early === 'string') expect(early).to.equal('StoreUnavailable');
    expect(await runtime.waitFor(names, await w.store.head(), 5000)).to.equal(true);
    await expectFolded();
    expect(await w.models.find('stock', { where: { taken: 1 }, limit: 100 })).to.have.length(30);
  });

  it('builds a new version next to the old one and switches without a gap, while writes continue', async () => {
    const first = await w.start(both);
    for (let i = 0; i < 60; i++) await w.append(`b${i}`, added(['tea', i]));
    await first.waitFor(names, await w.store.head(), 2000);
    await first.stop();
    const raised = { ...stock, version: 2 };
    const second = await w.start([baskets(), raised]);
    let last = 0;
    for (let i = 0; i < 40; i++) {
      await w.append('b1', added(['tea', 1]));
      const { taken } = (await createReads(w.models).get(stock, 'tea'))!.body;
      expect(taken).to.be.at.least(last);
      last = taken;
    }
    await second.waitFor(names, await w.store.head(), 5000);
    expect(await w.models.resolve('stock')).to.equal('stock_v2');
    await eventually(async () => !(await w.models.list()).includes('stock_v1'));
    await expectFolded();
  });

  it('rebuilds on request, while queries, writes and other projections continue', async () => {
    const runtime = await w.start(both);
    for (let i = 0; i < 200; i++) await w.append(`b${i % 50}`, added([`s${i % 9}`, 1]), named(`n${i}`));
    await runtime.waitFor(names, await w.store.head(), 5000);
    await runtime.rebuild('baskets');
    // A second request joins the rebuild that is under way.
    await runtime.rebuild('baskets');
    expect((await stateOf(runtime, 'baskets')).state).to.equal('rebuilding');
    for (let i = 0; i < 20; i++) {
      expect(await runtime.waitFor(names, await w.append('b3', added(['s1', 1])), 2000)).to.equal(true);
      expect(await w.models.find('baskets', { sort: ['-quantity'], limit: 100 })).to.have.length(50);
    }
    await eventually(isLive(runtime, 'baskets'));
    expect(await w.models.resolve('baskets')).to.equal('baskets_v1_r1');
    await runtime.waitFor(names, await w.append('b3', added(['s1', 1])), 2000);
    await expectFolded();
    expect(await runtime.rebuild('nothing').catch((error: Error) => error.message)).to.include('nothing');
  });

  it('resumes a rebuild that a crash interrupted', async () => {
    const first = await w.start(both);
    for (let i = 0; i < 20; i++) await w.append('b1', added(['tea', 1]));
    await first.waitFor(names, await w.store.head(), 2000);
    await first.stop();
    // A process that ended midway leaves a partly filled collection with a checkpoint.
    const { keys, indexes } = stock;
    await w.models.open({ name: 'stock_v2', keys, indexes }, { indexes: 'later' });
    const half = { id: 'tea', keys: { taken: 6 }, body: { taken: 6, baskets: 6 }, revision: 5 };
    await w.models.write({ stock_v2: { put: [half] } }, { name: 'stock_v2', position: 5 });
    const second = await w.start([baskets(), { ...stock, version: 2 }]);
    await second.waitFor(names, await w.append('b1', added(['tea', 1])), 5000);
    expect(await w.models.resolve('stock')).to.equal('stock_v2');
    await expectFolded();
  });

  it('continues a first fill after a crash, also when far behind', async () => {
    const fill = () =>
      Promise.all(Array.from({ length: 6000 }, (_, i) => w.append(`b${i}`, added(['tea', 1]), added(['milk', i]))));
    await fill();
    let writes = 0;
    // As if the process ended after its first write: no later write is stored.
    const write: DocumentStore['write'] = (...batch) =>
      ++writes <= 1 ? w.models.write(...batch) : Promise.reject(new Error('the process is gone'));
    await w.start(both, { ...w.models, write });
    await eventually(async () => writes > 1);
    expect(await w.models.checkpoint('baskets_v1')).to.be.within(0, (await w.store.head()) - 1);
    expect(await w.models.resolve('baskets')).to.equal('baskets');
    const second = await w.start(both);
    expect(await second.waitFor(names, await w.store.head(), 5000)).to.equal(true);
    await second.stop();
    await fill();
    const third = await w.start(both);
    expect((await third.status()).map(({ state }) => state)).to.deep.equal(['catching_up', 'catching_up']);
    expect(await third.waitFor(names, await w.store.head(), 5000)).to.equal(true);
    await eventually(isLive(third, 'stock'));
    await expectFolded();
  });

  it('stops only the projection whose handler throws, just before the event; a restart retries', async () => {
    let broken = true;
    const fragile = baskets(1, () => broken);
    const runtime = await w.start([fragile, stock]);
    await runtime.waitFor(names, await w.append('b1', added(['tea', 1])), 2000);
    const waiting = runtime.waitFor(['baskets'], 1_000_000, 5000);
    const position = await w.append('b2', named('poison'));
    await w.append('b2', added(['tea', 1]));
    expect(await runtime.waitFor(['stock'], await w.store.head(), 2000)).to.equal(true);
    expect(await waiting).to.equal(false);
    const status = await stateOf(runtime, 'baskets');
    expect(status).to.include({ state: 'stopped', position: position - 1, version: 1 });
    expect(status.poison).to.deep.include({ position, type: 'BasketNamed', error: 'cannot read this name' });
    expect(await w.models.checkpoint('baskets_v1')).to.equal(position - 1);
    expect((await stateOf(runtime, 'stock')).state).to.equal('live');

    await runtime.stop();
    const again = await w.start([fragile, stock]);
    await eventually(async () => (await stateOf(again, 'baskets')).state === 'stopped');
    await again.rebuild('baskets');
    await eventually(async () => (await stateOf(again, 'baskets')).state === 'stopped');
    broken = false;
    await again.rebuild('baskets');
    await eventually(isLive(again, 'baskets'));
    await expectFolded();
  });

  it('stops only the projection whose documents the engine rejects, at that event', async () => {
    const unique = {
      ...baskets(),
      name: 'uniqueNames',
      keys: { name: 'text' as const },
      indexes: [{ keys: ['name'], unique: true }],
    };
    const byName = {
      ...unique,
      on: {
        BasketNamed: (_: unknown, { data }: { data: { name: string } }) => ({ keys: { name: data.name }, body: data }),
      },
    };
    const runtime = await w.start([byName, stock]);
    await w.append('b1', named('Ali'));
    const position = await w.append('b2', named('Ali'));
    await w.append('b3', named('Sara'));
    await eventually(async () => (await stateOf(runtime, 'uniqueNames')).state === 'stopped');
    expect((await stateOf(runtime, 'uniqueNames')).poison).to.include({ position, type: 'BasketNamed' });
    expect(await w.models.find('uniqueNames', { limit: 10 })).to.have.length(1);
    expect(await runtime.waitFor(['stock'], await w.store.head(), 2000)).to.equal(true);
  });

  it('logs when the shape changed and the version did not', async () => {
    const first = await w.start(both);
    await first.waitFor(names, await w.append('b1', added(['tea', 1])), 2000);
    await first.stop();
    const second = await w.start([baskets(), { ...stock, keys: { taken: 'number', colour: 'text' } }]);
    const status = await stateOf(second, 'stock');
    expect(status.state).to.equal('stopped');
    expect(status.poison!.error).to.include('raise its version');
    expect((await stateOf(second, 'baskets')).state).to.equal('live');
  });

  it('continues with a projection whose collection could not be opened temporarily', async () => {
    for (const error of [new StoreUnavailable('no primary now'), new Error('code 12587')]) {
      const first = await w.start(both);
      await first.waitFor(names, await w.append('b1', added(['tea', 1])), 2000);
      await first.stop();
      let refusals = 3;
      const shaky = opening(w.models, () => {
        refusals -= 1;
        if (refusals >= 0) throw error;
      });
      const second = await w.start(both, shaky);
      const status = await stateOf(second, 'stock');
      expect(status).to.include({ state: 'stopped' });
      expect(status.poison!.error).to.equal(error.message);
      await eventually(isLive(second, 'stock'));
      expect(await second.waitFor(names, await w.append('b1', added(['tea', 2])), 2000)).to.equal(true);
      await expectFolded();
      await second.stop();
    }
  });

  it('limits the attempts to open a collection', async () => {
    const first = await w.start(both);
    await first.waitFor(names, await w.append('b1', added(['tea', 1])), 2000);
    await first.stop();
    const clock = fakeClock();
    let tries = 0;
    const refusing = opening(w.models, () => {
      tries += 1;
      throw new ReadModelError('collection_shape_differs', 'a changed shape');
    });
    const second = await w.start(both, refusing, clock);
    await clock.advance(600_000);
    expect(tries).to.equal(11);
    expect((await stateOf(second, 'stock')).poison!.error).to.equal('a changed shape');
  });

  it('produces the same documents live and by a rebuild, for any history', async () => {
    const event: fc.Arbitrary<BasketEvent> = fc.oneof(
      fc
        .array(fc.tuple(fc.constantFrom('tea', 'milk', 'salt'), fc.integer({ min: 1, max: 9 })), { maxLength: 3 })
        .map((items) => added(...items)),
      fc.constantFrom('Ali', 'Sara').map(named),
      fc.constant(closed),
    );
    const step = fc.tuple(fc.constantFrom('b1', 'b2', 'b3'), fc.array(event, { minLength: 1, maxLength: 4 }));
    const runtime = await w.start(both);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, together) => {
        const appends = steps.map(
          ([basket, events]) =>
            () =>
              w.append(basket, ...events),
        );
        if (together) await Promise.all(appends.map((append) => append()));
        else for (const append of appends) await append();
        const head = await w.store.head();
        expect(await runtime.waitFor(names, head, 2000)).to.equal(true);
        await expectFolded();
        for (const name of names) await runtime.rebuild(name);
        for (const name of names) await eventually(isLive(runtime, name));
        await expectFolded();
      }),
      { numRuns: 15 },
    );
  });
});
