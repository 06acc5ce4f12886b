/** The service itself detects a wrong read model, before a new build serves and once an hour. */
import { expect } from 'chai';
import type { SteadyClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import type { EventStore, RecordedEvent } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import { SpotChecks } from '../../engine/projections/checking/spotChecks.js';
import type { ProjectionRuntimeOptions } from '../../engine/projections/contract.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import { shardLease } from '../../engine/projections/sharded/names.js';
import { settle } from '../support/doubles/fakeClock.js';
import { handLeases } from '../support/doubles/handLeases.js';
import {
  added,
  baskets,
  closed,
  eventually,
  named,
  type Stage,
  stage,
  stock,
} from '../support/stages/projectionStage.js';

const BASKETS = 60;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const partitioned: AnyProjection = { ...baskets(), partitionedBy: 'store' };
/** Positions that do not count events, as on EventStoreDB. */
const inBytes = (store: EventStore): EventStore => ({ ...store, measure: { unit: 'bytes', positions: 100 } });

/** A clock that advances only after the work of a timer has ended, because comparisons have a time limit. */
function patientClock(): SteadyClock & { advance(ms: number): Promise<void> } {
  let now = 0;
  let timers: { readonly time: number; readonly run: () => void }[] = [];
  return {
    isSteady: true,
    now: () => now,
    at(time, run) {
      const timer = { time, run };
      timers = [...timers, timer].sort((a, b) => a.time - b.time);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    async advance(ms) {
      const end = now + ms;
      for (let [next] = timers; next !== undefined && next.time <= end; [next] = timers) {
        timers.shift();
        now = Math.max(now, next.time);
        next.run();
        await settle(300);
      }
      now = end;
    },
  };
}

describe('comparisons of read models with the log', () => {
  let w: Stage;
  let runtime: ProjectionRuntime | undefined;
  beforeEach(async () => {
    w = await stage();
    for (let i = 0; i < BASKETS; i++) await w.append(`b${i}`, added(['tea', i + 1]), named(`basket ${i}`));
    await w.append('b0', closed);
  });
  afterEach(async () => {
    await runtime?.stop();
    runtime = undefined;
    await w.close();
  });

  const clock = patientClock();
  async function begin(options: Partial<ProjectionRuntimeOptions> = {}): Promise<ProjectionRuntime> {
    const given = { eventStore: w.store, readModels: w.models, projections: [baskets(), stock], clock, graceMs: 20 };
    runtime = createProjectionRuntime({ ...given, ...options });
    await runtime.start();
    return runtime;
  }
  const statusOf = async (name = 'baskets') => (await runtime!.status()).find((one) => one.name === name)!;
  const isLive = async (name = 'baskets') => {
    await clock.advance(0);
    return (await statusOf(name)).state === 'live';
  };
  /** Changes a quantity at the same revision, as a fault of an engine would. */
  async function change(id: string, physical = 'baskets_v1'): Promise<void> {
    const { revision, body } = (await w.models.get<object>(physical, id))!;
    const document = { id, revision, keys: { quantity: 1 }, body: { ...body, quantity: 4711 } };
    expect(await w.models.replace(physical, revision, document)).to.equal(true);
  }
  /** Removes these positions from the page of a build, as if the page had been read for other builds. */
  function lacking(store: EventStore, from: number, to: number): EventStore {
    const left = (events: readonly RecordedEvent[]): RecordedEvent[] =>
      events.filter(({ position }) => position < from || position > to);
    return {
      ...store,
      async readAll(after, options) {
        const page = await store.readAll(after, options);
        return options?.limit === 1000 ? { ...page, events: left(page.events) } : page;
      },
      subscribe: (after, filter, { batch, ...rest }, options) =>
        store.subscribe(after, filter, { ...rest, batch: (events, ...more) => batch(left(events), ...more) }, options),
    };
  }
  /** Records the reported number of differences at the moment when queries switch to a new build. */
  function atSwitch(name: string): { store: DocumentStore; differing: (number | undefined)[] } {
    const differing: (number | undefined)[] = [];
    const setAlias: DocumentStore['setAlias'] = async (alias, collection) => {
      if (alias === name) differing.push((await statusOf(name)).differing);
      return w.models.setAlias(alias, collection);
    };
    const store = Object.assign(Object.create(w.models) as DocumentStore, { setAlias });
    return { store, differing };
  }

  for (const [engine, on] of [
    ['where positions count events', (store: EventStore) => store],
    ['elsewhere', inBytes],
  ] as const) {
    it(`find a skipped page before the build serves, ${engine}`, async () => {
      const { store: readModels, differing } = atSwitch('baskets');
      await begin({ eventStore: lacking(on(w.store), 30, 49), readModels });
      await eventually(() => isLive());
      expect(differing).to.deep.equal([10]);
      expect((await statusOf()).differing).to.equal(10);
      expect((await statusOf('stock')).differing).to.equal(undefined);
    });

    it(`find a changed document within the hour, until it is rebuilt, ${engine}`, async () => {
      await begin({ eventStore: on(w.store) });
      await eventually(() => isLive());
      await clock.advance(MINUTE_MS);
      expect((await statusOf()).differing).to.equal(undefined);
      await change('b17');
      await clock.advance(HOUR_MS);
      expect((await statusOf()).differing).to.equal(1);
      await change('b18');
      await clock.advance(MINUTE_MS);
      expect((await statusOf()).differing).to.equal(2);
      await runtime!.rebuild('baskets');
      await eventually(async () => (await isLive()) && (await w.models.resolve('baskets')) === 'baskets_v1_r1');
      expect((await statusOf()).differing).to.equal(undefined);
    });
  }

  it('find it in a partitioned read model, before it serves and within the hour', async () => {
    const leases = handLeases();
    const { store: readModels, differing } = atSwitch('baskets');
    await begin({ eventStore: lacking(w.store, 30, 33), readModels, projections: [partitioned], leases, shards: 2 });
    for (let shard = 0; shard < 2; shard++) await leases.take(shardLease(shard));
    await leases.take('projection:baskets');
    await eventually(async () => {
      await clock.advance(10);
      return (await w.models.resolve('baskets')) !== 'baskets';
    });
    expect(differing).to.deep.equal([2]);
    await change('b30', await w.models.resolve('baskets'));
    await clock.advance(MINUTE_MS);
    expect((await statusOf()).differing).to.equal(3);
  });

  it('check one percent of a short build before it serves, and all of it within a minute', async () => {
    await begin();
    await eventually(() => isLive());
    let ms = 2_000;
    let timer: (() => void) | undefined;
    const compared: number[] = [];
    const slow = <S extends object>(store: S): S =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]): unknown => {
            ms += 1;
            return value.apply(target, given);
          };
        },
      });
    const subject = {
      ...{ projection: baskets(), physical: 'baskets_v1', skipped: new Set<string>() },
      ...{ place: () => w.store.head(), isUnchanged: () => true },
    };
    const checks = new SpotChecks({
      ...{ eventStore: slow(w.store), readModels: slow(w.models), serving: () => [subject] },
      clock: {
        isSteady: true,
        now: () => ms,
        at(time, run) {
          timer = () => {
            ms = time;
            run();
          };
          return () => {
            timer = undefined;
          };
        },
      },
      log: { ...silentLog, debug: (fields) => void compared.push((fields as { documents: number }).documents) },
    });
    await checks.beforeServing([subject], 0);
    // Concurrent calls end together.
    expect(ms).to.be.within(2_020, 2_050);
    timer?.();
    await checks.stop();
    expect(ms).to.be.within(62_000, 63_000);
    expect(compared).to.have.length(2);
    expect(compared[1]).to.equal(BASKETS);
  });

  it('report nothing for documents that move, are removed, or combine several streams', async () => {
    const slow: DocumentStore = Object.assign(Object.create(w.models) as DocumentStore, {
      async getMany(...given: Parameters<DocumentStore['getMany']>) {
        const i = Math.floor(Number(given[1][0]?.slice(1)) || 0);
        await w.append(`b${i % BASKETS}`, i % 3 === 0 ? closed : added(['tea', 1]));
        return w.models.getMany(...given);
      },
    });
    await begin({ readModels: slow });
    await eventually(() => isLive());
    for (let hour = 0; hour < 2; hour++) {
      await clock.advance(HOUR_MS);
      expect((await runtime!.status()).map(({ differing }) => differing)).to.deep.equal([undefined, undefined]);
    }
  });
});
