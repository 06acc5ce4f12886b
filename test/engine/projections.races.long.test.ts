/** Builds that join, leave, skip or are replaced while a call of a store is under way. */
import { expect } from 'chai';
import { type SteadyClock, steadyClock } from '../../engine/ports/clock.js';
import type { DocumentStore, WriteBatch } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventFilter, type EventStore, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import { Build } from '../../engine/projections/build.js';
import type { ProjectionRuntimeOptions } from '../../engine/projections/contract.js';
import { Filler } from '../../engine/projections/filling/filler.js';
import type { FromFiller } from '../../engine/projections/filling/messages.js';
import { pageOf } from '../../engine/projections/page.js';
import { type AnyProjection, definitionOf } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { shardLease } from '../../engine/projections/sharded/names.js';
import { WHOLE } from '../../engine/projections/shardStates.js';
import { delaying, failing } from '../support/doubles/blockedCalls.js';
import { type HandLeases, handLeases } from '../support/doubles/handLeases.js';
import {
  added,
  baskets,
  eventually,
  everything,
  named,
  type Stage,
  stage,
  stock,
} from '../support/stages/projectionStage.js';
import { skipStage } from '../support/stages/skipStage.js';

const BASKETS = 40;
/** Acceleration of time, which shortens the pauses of the runtime. */
const FASTER = 20;
const clock: SteadyClock = {
  isSteady: true,
  now: () => steadyClock.now() * FASTER,
  at(time, callback) {
    const timer = setTimeout(callback, Math.max(0, (time - clock.now()) / FASTER));
    return () => clearTimeout(timer);
  },
};
/** Longest wait for builds that nothing delays. */
const SOON_MS = 5000;

const partitioned = (version = 1): AnyProjection => ({ ...baskets(version), partitionedBy: 'store' });
/** A projection of another category. A page that is read for baskets alone lacks its events. */
const plans: AnyProjection = { ...baskets(), name: 'plans', categories: ['plan'] };
const hasDocuments = (name: string) => (batches: Readonly<Record<string, WriteBatch>>) =>
  (batches[name]?.put?.length ?? 0) > 0;

describe('builds during a store call', () => {
  let w: Stage;
  let runtimes: ProjectionRuntime[];
  beforeEach(async () => {
    w = await stage();
    runtimes = [];
    const streams = Array.from({ length: BASKETS }, (_, i) => i);
    await Promise.all(streams.map((i) => w.append(`b${i}`, added(['tea', i + 1]), named(`basket ${i}`))));
  });
  afterEach(async () => {
    for (const runtime of runtimes) await runtime.stop();
    await w.close();
  });

  async function begin(options: Partial<ProjectionRuntimeOptions> & { projections: readonly AnyProjection[] }) {
    const given = { eventStore: w.store, readModels: w.models, graceMs: 20, clock, ...options };
    const runtime = createProjectionRuntime(given);
    runtimes.push(runtime);
    await runtime.start();
    return runtime;
  }
  const stateOf = async (runtime: ProjectionRuntime, name: string) =>
    (await runtime.status()).find((one) => one.name === name)!;
  const isLive = (runtime: ProjectionRuntime, ...names: string[]) =>
    eventually(async () => {
      for (const name of names) if ((await stateOf(runtime, name)).state !== 'live') return false;
      return true;
    }, SOON_MS);
  async function appendPlan(name: string): Promise<void> {
    const meta = { at: '2026-01-01T00:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' };
    await w.store.append('plan-1', 'any', [{ ...named(name), id: '00000000-0000-4000-8000-000000000001', meta }]);
  }
  const sizeOf = async (name: string): Promise<number> => Object.keys(await everything(w.models, name)).length;

  /** Counts how often builds read the log in some turns of the event loop. Builds use a filter, unlike comparisons. */
  function counting(store: EventStore): { store: EventStore; reads(): Promise<number> } {
    let count = 0;
    const readAll: EventStore['readAll'] = (after, options) => {
      if (options?.filter !== undefined) count += 1;
      return store.readAll(after, options);
    };
    return {
      store: { ...store, readAll },
      async reads() {
        count = 0;
        for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 1));
        return count;
      },
    };
  }

  for (const error of [new StoreUnavailable('connection reset'), undefined])
    it(`do not return if their lease is lost during a write that ${error ? 'fails' : 'succeeds'}`, async () => {
      const leases = handLeases();
      const write = delaying(w.models, 'write', hasDocuments('baskets_v1'));
      const { store, reads } = counting(w.store);
      const options = { eventStore: store, readModels: write.store, projections: [baskets(), stock], leases };
      const runtime = await begin(options);
      await leases.take('projection:baskets');
      await write.reached;
      const lost = leases.lose('projection:baskets');
      write.release(error);
      await lost;
      expect(await reads()).to.be.lessThan(5);
      await leases.take('projection:baskets');
      await leases.take('projection:stock');
      await isLive(runtime, 'baskets', 'stock');
      expect(await sizeOf('baskets')).to.equal(BASKETS);
    });

  it('do not report a handover during a rebuild as a lost lease', async () => {
    // More documents than one write takes while other builds are live.
    await w.append('large', added(...Array.from({ length: 900 }, (_, i): [string, number] => [`item${i}`, 1])));
    const leases = handLeases();
    const write = delaying(w.models, 'write', hasDocuments('stock_v1_r1'));
    const runtime = await begin({ readModels: write.store, projections: [stock], leases });
    await leases.take('projection:stock');
    await isLive(runtime, 'stock');
    await runtime.rebuild('stock');
    await write.reached;
    const handed = leases.handOver('projection:stock');
    write.release();
    await handed;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([...leases.fenced]).to.deep.equal([]);
  });

  async function ownAll(leases: HandLeases, shards = 1): Promise<void> {
    for (let shard = 0; shard < shards; shard++) await leases.take(shardLease(shard));
    await leases.take('projection:baskets');
  }
  const serves = (name: string) => eventually(async () => (await w.models.resolve('baskets')) === name, SOON_MS);

  it('do not return if their shards are handed over during a write', async () => {
    const leases = handLeases();
    const write = delaying(w.models, 'write', hasDocuments('baskets_v1_r1'));
    const { store, reads } = counting(w.store);
    const readModels = write.store;
    await begin({ eventStore: store, readModels, projections: [partitioned()], leases, shards: 1 });
    await ownAll(leases);
    await write.reached;
    const handed = leases.handOver(shardLease(0));
    write.release();
    await handed;
    expect(await reads()).to.be.lessThan(5);
    await leases.take(shardLease(0));
    await serves('baskets_v1_r1');
    expect(await sizeOf('baskets')).to.equal(BASKETS);
  });

  const broken: Readonly<Record<string, (models: DocumentStore) => DocumentStore>> = {
    'the notice of it is not written': (models) => {
      let armed = true;
      return failing(models, 'write', (_: unknown, ...places: { name: string }[]) => {
        if (!armed || !places.some(({ name }) => name === 'builds_baskets')) return undefined;
        armed = false;
        return new StoreUnavailable('election');
      });
    },
    'it cannot be claimed': (models) => {
      let armed = true;
      return failing(models, 'claim', ({ name }: { name: string }) => {
        if (!armed || !name.startsWith('baskets_v2')) return undefined;
        armed = false;
        return new StoreUnavailable('election');
      });
    },
  };
  for (const [what, breaks] of Object.entries(broken))
    it(`fill a new build of a partitioned read model also when ${what} at first`, async () => {
      const first = handLeases();
      const one = await begin({ projections: [partitioned()], leases: first, shards: 1 });
      await ownAll(first);
      await serves('baskets_v1_r1');
      for (const name of [shardLease(0), 'projection:baskets']) await first.handOver(name);
      await one.stop();
      const second = handLeases(100);
      await begin({ readModels: breaks(w.models), projections: [partitioned(2)], leases: second, shards: 1 });
      await second.take(shardLease(0));
      // The shard's owner has checked for a build before one begins.
      await new Promise((resolve) => setTimeout(resolve, 20));
      await second.take('projection:baskets');
      await eventually(async () => (await w.models.resolve('baskets')).startsWith('baskets_v2'), SOON_MS);
      expect(await sizeOf('baskets')).to.equal(BASKETS);
    }).timeout(10_000);

  it('continue after a stop whose event is skipped during the last write', async () => {
    await w.append('b0', named('poison'));
    await w.append('b1', added(['tea', 1]));
    await appendPlan('poison');
    const write = delaying(w.models, 'write', hasDocuments('baskets_v1'));
    // Another projection is stopped as well, so the runtime polls for skips each second.
    const stopping = { ...baskets(1, () => true), name: 'plans', categories: ['plan'] };
    const runtime = await begin({ readModels: write.store, projections: [stopping, baskets(1, () => true)] });
    await write.reached;
    await skipStage(w.store).projection(runtime, 'baskets');
    await new Promise((resolve) => setTimeout(resolve, 200));
    write.release();
    await isLive(runtime, 'baskets');
    expect((await stateOf(runtime, 'baskets')).skipped).to.equal(1);
  });

  it('do not return if they could not be opened and were replaced', async () => {
    const first = await begin({ projections: [baskets()] });
    await isLive(first, 'baskets');
    await first.stop();
    let armed = true;
    const readModels = failing(w.models, 'open', ({ name }: { name: string }) => {
      if (!armed || name !== 'baskets_v1') return undefined;
      armed = false;
      return new StoreUnavailable('election');
    });
    const runtime = await begin({ readModels, projections: [baskets()] });
    await runtime.rebuild('baskets');
    await serves('baskets_v1_r1');
    // The first retry to open it comes after 250 ms of its clock.
    await new Promise((resolve) => setTimeout(resolve, 40));
    await runtime.waitFor(['baskets'], await w.append('b0', added(['tea', 1])), SOON_MS);
    expect((await w.models.list()).filter((name) => name.startsWith('baskets'))).to.deep.equal(['baskets_v1_r1']);
  });

  /** A filling thread that records the messages it sends. */
  function filler(eventStore: EventStore, readModels: DocumentStore, projections: readonly AnyProjection[]) {
    const messages: FromFiller[] = [];
    const post = (message: FromFiller): void => void messages.push(message);
    const parts = {
      eventStore,
      readModels,
      projections,
      clock: steadyClock,
      log: silentLog,
      hasLive: () => false,
      post,
    };
    const made = new Filler(parts);
    const isBack = (name: string): boolean =>
      messages.some((message) => 'back' in message && message.back === `${name}_v1`);
    return {
      async fill(projection: AnyProjection): Promise<void> {
        const { name } = projection;
        const place = { position: BEFORE_ALL };
        const task = { name, physical: `${name}_v1`, place, empty: true, indexesLater: false, skipped: [] };
        await readModels.open(definitionOf(projection, task.physical));
        made.hear({ fill: [task] });
      },
      areBack: (...names: string[]) => eventually(async () => names.every(isBack), SOON_MS),
      stop: () => made.stop(),
    };
  }

  it('do not apply a page read for others while they join', async () => {
    await appendPlan('the only plan');
    const read = delaying(w.store, 'readAll', (_: number, { filter }: { filter: EventFilter }) =>
      (filter.categories ?? []).includes('basket'),
    );
    const thread = filler(read.store, w.models, [baskets(), plans]);
    await thread.fill(baskets());
    await read.reached;
    await thread.fill(plans);
    read.release();
    await thread.areBack('baskets', 'plans');
    expect(await sizeOf('plans_v1')).to.equal(1);
    expect(await sizeOf('baskets_v1')).to.equal(BASKETS);
    await thread.stop();
  });

  it('are still filled if they join while the last page is written', async () => {
    const write = delaying(w.models, 'write', hasDocuments('baskets_v1'));
    const thread = filler(w.store, write.store, [baskets(), stock]);
    await thread.fill(baskets());
    await write.reached;
    await thread.fill(stock);
    write.release();
    await thread.areBack('baskets', 'stock');
    expect(await sizeOf('stock_v1')).to.equal(1);
    await thread.stop();
  });

  it('apply no page that was read for others', async () => {
    await w.models.open(definitionOf(plans, 'plans_v1'));
    const shards = [{ shard: WHOLE, lease: undefined, place: { position: BEFORE_ALL } }];
    const options = { projection: plans, physical: 'plans_v1', shards, isNew: true };
    const build = new Build({ readModels: w.models, eventStore: w.store, clock: steadyClock }, options);
    const { events } = await w.store.readAll(BEFORE_ALL, { filter: { categories: ['basket'] } });
    for (const request of [
      { after: BEFORE_ALL, categories: new Set(['basket']) },
      { after: BEFORE_ALL, categories: new Set(['plan']), types: new Set(['BasketNamed']) },
      { after: 0, categories: new Set(['plan']) },
    ])
      expect(await build.fold(pageOf(events, request), 10).catch((error: Error) => error.message)).to.match(
        /not read for/,
      );
    await build.fold(pageOf(events, { after: BEFORE_ALL, categories: new Set(['plan']) }), 10);
    expect(build.position).to.equal(10);
  });
});
