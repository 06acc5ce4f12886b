import { join } from 'node:path';
import { expect } from 'chai';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { type AnyProjection, foldEvent, type View } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import {
  added,
  type BasketBody,
  type BasketEvent,
  baskets,
  closed,
  everything,
  named,
  type Stage,
  stage,
  stock,
  waitingItems,
} from '../support/stages/projectionStage.js';
import { type SharedInstance, sharedInstances } from '../support/stages/sharedInstances.js';
import { type SkipStage, skipStage } from '../support/stages/skipStage.js';

const broken = baskets(1, () => true);
const poison = named('poison');
const stopped = async (runtime: ProjectionRuntime, name = 'baskets') =>
  (await runtime.status()).find((one) => one.name === name)!;

/** Like `waitingItems`, but fails on an item named 'poison'. */
const strictWaitingItems = {
  ...waitingItems,
  on: {
    ...waitingItems.on,
    ItemsAdded: {
      ...(waitingItems.on.ItemsAdded as object),
      ids: ({ streamId, data }: { streamId: string; data: { items: { sku: string }[] } }) => {
        if (data.items.some(({ sku }) => sku === 'poison')) throw new Error('cannot read this item');
        return [streamId, ...new Set(data.items.map(({ sku }) => sku))];
      },
    },
  },
} as unknown as AnyProjection;

describe('a projection that stopped at an event', () => {
  let w: Stage;
  let skip: SkipStage;
  const clock = fakeClock();
  beforeEach(async () => {
    w = await stage();
    skip = skipStage(w.store);
  });
  afterEach(() => w.close());

  const begin = (...projections: AnyProjection[]): Promise<ProjectionRuntime> => w.start(projections, w.models, clock);
  const untilStopped = (runtime: ProjectionRuntime, name = 'baskets') =>
    until('it is stopped at an event', async () => (await stopped(runtime, name)).state === 'stopped');
  const live = (runtime: ProjectionRuntime, name = 'baskets') =>
    until('it continues', async () => {
      await clock.advance(1000);
      const { state, lag } = await stopped(runtime, name);
      return state === 'live' && lag === 0;
    });
  const idAt = async (position: number): Promise<string> =>
    (await w.store.readAll(position - 1, { limit: 1 })).events[0]!.id;
  /** Documents that the pure functions build from the history without these events. */
  const without = async (projection: AnyProjection, ...positions: number[]): Promise<object> => {
    const views = new Map<string, View<unknown> | undefined>();
    const revisions = new Map<string, number>();
    for (const event of (await w.store.readAll(BEFORE_ALL, { limit: 1000 })).events)
      if (event.stream.startsWith('basket-') && !positions.includes(event.position))
        for (const id of foldEvent(projection, views, event)) revisions.set(id, event.position);
    return Object.fromEntries(
      [...views].flatMap(([id, view]) => (view ? [[id, { ...view, revision: revisions.get(id) }]] : [])),
    );
  };

  const after: BasketEvent[] = [added(['tea', 2]), added(['salt', 1])];
  const histories: Readonly<Record<string, readonly BasketEvent[]>> = {
    first: [poison, ...after],
    middle: [added(['tea', 1]), poison, ...after],
    last: [added(['tea', 1]), ...after, poison],
  };
  for (const [where, history] of Object.entries(histories))
    it(`skips it when it is the ${where} one, live and in every rebuild, also after a restart`, async () => {
      const runtime = await begin(broken, stock);
      await w.append('b1', ...history);
      await w.append('b2', added(['tea', 1]));
      await untilStopped(runtime);
      const { position } = (await stopped(runtime)).poison!;
      expect(await skip.projection(runtime, 'baskets')).to.equal(1);
      await live(runtime);
      expect(await stopped(runtime))
        .to.include({ skipped: 1, version: 1 })
        .and.not.to.have.property('poison');
      const right = await without(broken, position);
      expect(await everything(w.models, 'baskets')).to.deep.equal(right);
      expect(await runtime.waitFor(['baskets'], await w.append('b3', added(['tea', 1])), 2000)).to.equal(true);

      await runtime.stop();
      const again = await begin(broken, stock);
      await live(again);
      expect((await stopped(again)).skipped).to.equal(1);
      await again.rebuild('baskets');
      await live(again);
      expect(await everything(w.models, 'baskets')).to.deep.equal(await without(broken, position));
    });

  it('logs who skipped what, and why', async () => {
    const runtime = await begin(broken);
    const position = await w.append('b1', poison);
    await untilStopped(runtime);
    await skip.projection(runtime, 'baskets');
    const [event] = await w.store.readStream('projection-baskets');
    expect(event).to.deep.include({
      type: 'ProjectionEventSkipped',
      data: {
        name: 'baskets',
        version: 1,
        eventId: await idAt(position),
        type: 'BasketNamed',
        stream: 'basket-b1',
        position,
        reason: 'written by a broken import',
      },
    });
    expect(event!.meta.actor).to.deep.equal({ type: 'system', id: 'operator' });
  });

  it('skips no other event, and none while it runs', async () => {
    const runtime = await begin(broken, stock);
    const position = await w.append('b1', added(['tea', 1]));
    const other = await idAt(position);
    const refusal = (name: string) => skip.projection(runtime, name, other).catch((error: Error) => error);
    expect(await refusal('stock')).to.include({ code: 'not_stopped' });
    await w.append('b1', poison);
    await untilStopped(runtime);
    const error = await refusal('baskets');
    expect(error).to.include({ code: 'other_event' });
    expect((error as Error).message).to.contain((await stopped(runtime)).poison!.eventId!);
    await clock.advance(5000);
    expect((await stopped(runtime)).state).to.equal('stopped');
    expect(await w.store.readStream('projection-baskets')).to.deep.equal([]);
  });

  it('is skipped once for repeated requests, and stops at the next failing event', async () => {
    const runtime = await begin(broken);
    const first = await w.append('b1', poison);
    const second = await w.append('b1', poison, added(['tea', 1]));
    await untilStopped(runtime);
    const id = await idAt(first);
    expect([await skip.projection(runtime, 'baskets'), await skip.projection(runtime, 'baskets')]).to.deep.equal([
      1, 0,
    ]);
    await until('it is stopped at the second', async () => {
      await clock.advance(1000);
      return (await stopped(runtime)).poison?.position === second - 1;
    });
    expect(await skip.projection(runtime, 'baskets', id)).to.equal(0);
    await skip.projection(runtime, 'baskets');
    await live(runtime);
    expect((await stopped(runtime)).skipped).to.equal(2);
    expect(await everything(w.models, 'baskets')).to.deep.equal(await without(broken, first, second - 1));
  });

  it('skips it in a rebuild, also one that has begun', async () => {
    const runtime = await begin(broken);
    await w.append('b1', added(['tea', 1]), poison, added(['tea', 5]));
    await untilStopped(runtime);
    await runtime.rebuild('baskets');
    // The event at which the serving build stopped. It is skipped in the rebuild too.
    const { poison: at } = await stopped(runtime);
    expect(await skip.projection(runtime, 'baskets')).to.equal(1);
    await live(runtime);
    expect(await everything(w.models, 'baskets')).to.deep.equal(await without(broken, at!.position));
    expect(await w.models.resolve('baskets')).to.equal('baskets_v1_r1');
  });

  it('reads it again in a higher version with a fixed handler', async () => {
    const runtime = await begin(broken);
    await w.append('b1', added(['tea', 1]), poison);
    await untilStopped(runtime);
    await skip.projection(runtime, 'baskets');
    await live(runtime);
    await runtime.stop();
    const mended = baskets(2);
    const next = await begin(mended);
    await until('the new version serves', async () => (await w.models.resolve('baskets')) === 'baskets_v2');
    expect(await stopped(next)).to.include({ skipped: 0, version: 2 });
    expect(await everything(w.models, 'baskets')).to.deep.equal(await without(mended));
  });

  it('leaves it out of the stream’s own document when that is rebuilt', async () => {
    const runtime = await begin(strictWaitingItems);
    await w.append('b1', added(['tea', 2]));
    const position = await w.append('b1', added(['poison', 1]));
    await untilStopped(runtime, 'held');
    await skip.projection(runtime, 'held');
    await live(runtime, 'held');
    await runtime.waitFor(['held'], await w.append('b1', added(['tea', 3])), 2000);
    await runtime.stop();
    // As left by an owner that ended between its documents and its checkpoint.
    await w.models.dropCheckpoint('held_v1');
    await w.models.write({}, { name: 'held_v1', position });
    const again = await begin(strictWaitingItems);
    await live(again, 'held');
    await again.waitFor(['held'], await w.append('b1', closed), 2000);
    expect(await everything(w.models, 'held')).to.deep.equal(await without(waitingItems, position));
  });

  it('skips what the engine rejects', async () => {
    const byName = {
      ...baskets(),
      keys: { name: 'text' as const },
      indexes: [{ keys: ['name'], unique: true }],
      on: {
        BasketNamed: (_: unknown, { data }: { data: { name: string } }) => ({ keys: { name: data.name }, body: data }),
      },
    };
    const runtime = await begin(byName);
    await w.append('b1', named('Ali'));
    const position = await w.append('b2', named('Ali'));
    await w.append('b3', named('Sara'));
    await until('it is stopped at an event', async () => {
      await clock.advance(1000);
      return (await stopped(runtime)).state === 'stopped';
    });
    await skip.projection(runtime, 'baskets');
    await live(runtime);
    expect(await everything(w.models, 'baskets')).to.deep.equal(await without(byName, position));
  });

  it('continues when the skip could not be read at first', async () => {
    let away = false;
    const log = {
      ...w.store,
      readStream: (stream: string, options?: object) =>
        away && stream.startsWith('projection-')
          ? Promise.reject(new Error('away'))
          : w.store.readStream(stream, options),
    };
    const runtime = createProjectionRuntime({ eventStore: log, readModels: w.models, projections: [broken], clock });
    await runtime.start();
    await w.append('b1', poison);
    await untilStopped(runtime);
    away = true;
    await skip.projection(runtime, 'baskets');
    await clock.advance(3000);
    expect((await stopped(runtime)).state).to.equal('stopped');
    away = false;
    await live(runtime);
    await runtime.stop();
  });
});

describe('a stopped projection on several instances', () => {
  it('continues wherever it runs when an operator skips the event on any instance, and its next owner knows', async () => {
    const w = await stage();
    const opened: DocumentStore[] = [];
    const open = (file: string): DocumentStore => {
      const models = openEmbeddedReadModels(join(w.folder, file));
      opened.push(models);
      return models;
    };
    const engines = () => ({ eventStore: w.store, views: open('views.db'), work: open('work.db') });
    const all = sharedInstances(engines, [broken], []);
    const state = async ({ projections }: SharedInstance) => (await stopped(projections)).state;
    try {
      const a = await all.add('a');
      await all.passUntil('a runs it', async () => (await a.running()).length === 1, 20_000);
      const b = await all.add('b');
      await w.append('b1', added(['tea', 1]), poison);
      await all.passUntil('it stands', async () => (await state(a)) === 'stopped', 20_000);
      // The owner learns of the skip from the log alone. The runtimes' own clocks are real here.
      await skipStage(w.store).projection(a.projections, 'baskets');
      await until('it continues', async () => (await state(a)) === 'live');
      await a.leases.stop();
      await all.passUntil('b runs it', async () => (await state(b)) === 'live', 20_000);
      expect((await stopped(b.projections)).skipped).to.equal(1);
      await w.append('b1', added(['tea', 5]));
      const shown = async () => (await w.models.get<BasketBody>('baskets', 'b1'))?.body.quantity === 6;
      await until('it is shown', shown);
    } finally {
      await all.close();
      for (const models of opened) await models.close();
      await w.close();
    }
  });
});
