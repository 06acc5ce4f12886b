/**
 * Projections that lag far behind are filled by threads. Here each thread is part of this one, and a test can end it.
 */
import { expect } from 'chai';
import { steadyClock } from '../../engine/ports/clock.js';
import { type EventStore, type Position, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import type { Filling } from '../../engine/projections/contract.js';
import { Filler } from '../../engine/projections/filling/filler.js';
import type { FromFiller } from '../../engine/projections/filling/messages.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { createProjectionRuntime, type ProjectionRuntime } from '../../engine/projections/runtime.js';
import type { BasketEvent, Stage } from '../support/stages/projectionStage.js';
import {
  added,
  baskets,
  closed,
  eventually,
  everything,
  named,
  stage,
  stock,
  waitingItems,
} from '../support/stages/projectionStage.js';

interface Threads extends Filling {
  /** Names of the projections assigned to each thread, by thread number. */
  readonly messages: Map<number, string[]>;
  running: number;
  /** Ends the thread that sends the n-th message from now, before the message is delivered. It does nothing more. */
  dieAt: number;
}

/** Threads that each have their own connection for writes. */
function threadsOf(w: Stage, projections: readonly AnyProjection[], most = 2): Threads {
  const messages = new Map<number, string[]>();
  const start: Filling['threads']['start'] = (number, on) => {
    const views = w.openModels();
    let dead = false;
    const end = async (): Promise<void> => {
      if (dead) return;
      dead = true;
      threads.running -= 1;
      await filler.stop();
      await views.close();
      on.ended();
    };
    const write: typeof views.write = (...given) =>
      dead ? Promise.reject(new StoreUnavailable('the thread has died')) : views.write(...given);
    const post = (message: FromFiller): void => {
      if (dead) return;
      threads.dieAt -= 1;
      if (threads.dieAt === 0) void end();
      else setImmediate(() => on.heard(message));
    };
    const filler = new Filler({
      eventStore: w.store,
      readModels: { ...views, write },
      projections,
      clock: steadyClock,
      log: silentLog,
      hasLive: () => false,
      post,
    });
    threads.running += 1;
    return {
      post(message) {
        if ('fill' in message)
          messages.set(number, [...(messages.get(number) ?? []), ...message.fill.map(({ name }) => name)]);
        if (!dead && !('stop' in message)) setImmediate(() => dead || filler.hear(message));
      },
      stop: end,
    };
  };
  const threads: Threads = {
    threads: { most, start },
    from: 1,
    hasLive: () => undefined,
    messages,
    running: 0,
    dieAt: -1,
  };
  return threads;
}

describe('projections filled by threads', () => {
  const projections = [baskets(1, () => poisoned), stock, waitingItems];
  let poisoned = false;
  let w: Stage;
  let head: Position;
  let runtimes: ProjectionRuntime[] = [];

  /** Fills many baskets, each with an item that others have too. Some baskets are closed again. */
  async function fillBaskets(): Promise<void> {
    const streams = Array.from({ length: 300 }, (_, i): [string, BasketEvent[]] => {
      const events = [added([`item${i % 40}`, 1], ['all', 2]), named(`basket ${i}`), added([`item${i % 7}`, 3])];
      return [`b${i}`, i % 5 === 0 ? [...events, closed] : events];
    });
    await Promise.all(streams.map(([basket, events]) => w.append(basket, ...events)));
    head = await w.store.head();
  }

  async function start(fillers?: Filling, more: Pick<EventStore, 'spacing'> = {}): Promise<ProjectionRuntime> {
    const given = { eventStore: { ...w.store, ...more }, readModels: w.models, projections, graceMs: 20 };
    const runtime = createProjectionRuntime(fillers === undefined ? given : { ...given, fillers });
    runtimes.push(runtime);
    await runtime.start();
    return runtime;
  }

  const documents = async () =>
    Object.fromEntries(
      await Promise.all(projections.map(async ({ name }) => [name, await everything(w.models, name)] as const)),
    );

  /** Documents built without filling threads. */
  async function expected(): Promise<Record<string, unknown>> {
    const other = await stage();
    try {
      const runtime = createProjectionRuntime({ eventStore: w.store, readModels: other.models, projections });
      await runtime.start();
      expect(await runtime.waitFor(['baskets', 'stock', 'held'], await w.store.head(), 5000)).to.equal(true);
      await runtime.stop();
      return Object.fromEntries(
        await Promise.all(projections.map(async ({ name }) => [name, await everything(other.models, name)] as const)),
      );
    } finally {
      await other.close();
    }
  }

  beforeEach(async () => {
    poisoned = false;
    runtimes = [];
    w = await stage();
    await fillBaskets();
  });
  afterEach(async () => {
    await Promise.all(runtimes.map((runtime) => runtime.stop()));
    await w.close();
  });

  it('produce the same documents as without threads, and leave no thread behind', async () => {
    const threads = threadsOf(w, projections);
    const runtime = await start(threads);
    expect(await runtime.waitFor(['baskets', 'stock', 'held'], head, 5000)).to.equal(true);
    expect(await documents()).to.deep.equal(await expected());
    expect([...threads.messages.values()].flat()).to.include.members(['baskets', 'stock', 'held']);
    await eventually(async () => threads.running === 0);
  });

  it('continue with events that arrive during and after the fill', async () => {
    const runtime = await start(threadsOf(w, projections));
    const later = [w.append('late1', added(['tea', 1])), w.append('b1', added(['tea', 1]))];
    const positions = await Promise.all(later);
    expect(await runtime.waitFor(['baskets', 'stock', 'held'], Math.max(...positions), 5000)).to.equal(true);
    expect(await runtime.waitFor(['stock'], await w.append('late2', added(['tea', 5])), 5000)).to.equal(true);
    expect(await documents()).to.deep.equal(await expected());
  });

  it('count the events to read correctly, whatever the spacing of positions', async () => {
    const threads = { ...threadsOf(w, projections), from: 100 };
    const builds = ['baskets', 'stock', 'held'];
    const few = await start(threads, { spacing: async () => head / 99 });
    expect(await few.waitFor(builds, head, 5000)).to.equal(true);
    await few.rebuild('stock');
    await eventually(async () => (await few.status()).every(({ state }) => state === 'live'));
    expect([...threads.messages]).to.deep.equal([]);
    await few.stop();
    const many = await start(threads, { spacing: async () => head / 101 });
    await many.rebuild('baskets');
    await eventually(async () => [...threads.messages.values()].flat().includes('baskets'));
    await eventually(async () => (await many.status()).every(({ state }) => state === 'live'));
    expect(await documents()).to.deep.equal(await expected());
  });

  it('are redistributed when a thread is idle', async () => {
    const threads = threadsOf(w, projections);
    await (await start(threads)).waitFor(['baskets', 'stock', 'held'], head, 5000);
    await eventually(async () => threads.running === 0);
    const first = threads.messages.get(1)!;
    expect(first).to.have.members(['baskets', 'stock', 'held']);
    expect(threads.messages.size).to.equal(2);
  });

  it('are rebuilt in threads while the current builds serve', async () => {
    const threads = threadsOf(w, projections);
    const runtime = await start(threads);
    await runtime.waitFor(['baskets', 'stock', 'held'], head, 5000);
    const before = await documents();
    threads.messages.clear();
    for (const { name } of projections) await runtime.rebuild(name);
    await w.append('b2', added(['tea', 1]));
    await eventually(async () => (await runtime.status()).every(({ state }) => state === 'live'));
    expect([...threads.messages.values()].flat()).to.include.members(['baskets', 'stock', 'held']);
    expect(await documents()).not.to.deep.equal(before);
    expect(await documents()).to.deep.equal(await expected());
    expect(await w.models.resolve('stock')).to.equal('stock_v1_r1');
  });

  for (const dieAt of [1, 2, 3])
    it(`continue in the main thread when a thread dies before its message number ${dieAt}`, async () => {
      const threads = threadsOf(w, projections, 1);
      threads.dieAt = dieAt;
      const runtime = await start(threads);
      expect(await runtime.waitFor(['baskets', 'stock', 'held'], head, 5000)).to.equal(true);
      expect(threads.dieAt).to.be.at.most(0);
      expect(await documents()).to.deep.equal(await expected());
    });

  it('stop separately at an event that one cannot apply, with the usual report', async () => {
    poisoned = true;
    await w.append('bad', named('poison'));
    head = await w.append('after', added(['tea', 1]));
    const runtime = await start(threadsOf(w, projections));
    expect(await runtime.waitFor(['stock', 'held'], head, 5000)).to.equal(true);
    await eventually(async () => (await runtime.status())[0]!.state === 'stopped');
    const [status] = await runtime.status();
    expect(status!.poison).to.include({ type: 'BasketNamed', stream: 'basket-bad', error: 'cannot read this name' });
    expect(await runtime.waitFor(['baskets'], head, 5000)).to.equal(false);
  });

  it('continue from their checkpoint when the service stops during the fill', async () => {
    const threads = threadsOf(w, projections);
    const runtime = await start(threads);
    await eventually(async () => threads.messages.size > 0);
    await runtime.stop();
    expect(threads.running).to.equal(0);
    expect(await (await start(threads)).waitFor(['baskets', 'stock', 'held'], head, 5000)).to.equal(true);
    expect(await documents()).to.deep.equal(await expected());
  });
});
