import { expect } from 'chai';
import { catalogPush } from '../../application/catalog/catalogPush.js';
import type { CatalogProvider } from '../../application/ports/catalogProvider.js';
import { batchSubmitted, catalogSync } from '../../domain/catalog/catalogSync.js';
import type { ProcessorContext, Task } from '../../engine/processors/processor.js';
import { meta } from '../contracts/eventStoreKit.js';
import { fakeClock } from '../support/doubles/fakeClock.js';
import { fakeProvider } from '../support/doubles/fakeProvider.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const HANDLE = 'batch-1';

/** A store whose shirt is in a batch that the provider works on. */
function store() {
  const state = catalogSync.initial();
  const shirt = { retailerId: 'shirt', productExternalId: 'shirt', revision: 1 };
  for (const event of batchSubmitted('catalog-1', HANDLE, [shirt], [])(state))
    catalogSync.evolve(state, { ...event, meta });
  return state;
}

/** A run of the processor, as its worker begins one: each with a context of its own. */
const run = (clock = fakeClock(), shop: object = { status: 'active' }): ProcessorContext => {
  const commands = {
    query: async ({ name }: { name: string }, _: string, read: (state: object) => unknown) =>
      read(name === 'store' ? shop : store()),
  };
  const read = { find: async () => [] };
  return { commands, read, clock, signal: new AbortController().signal } as unknown as ProcessorContext;
};

/** The store's own state, with its number connected. */
const CONNECTED = { status: 'active', number: { numberId: 'n', catalogId: 'catalog-1' } };

const pushOf = (provider: CatalogProvider = fakeProvider()) =>
  catalogPush({
    provider,
    storeName: async () => 'Asha’s shop',
    productLink: () => 'https://shop.example.com/p',
    flashSales: async () => [],
    caughtUp: async () => undefined,
  });

const taskWith = (payload: object): Task => {
  const task = { id: 'push/1', kind: 'push', lane: SHOP, dueAt: 0, attempt: 1, createdAt: 0 };
  return { ...task, payload: { workspaceId: SHOP, source: { items: 'owed' }, ...payload } };
};

describe('an interrupted catalog push', () => {
  it('checks the status of the batch when restarted in the same process before its task was stored', async () => {
    const push = pushOf();
    const task = taskWith({ round: 1 });
    const noted = async (context: ProcessorContext) =>
      ((await push.perform.push!(task as never, context)).next ?? []).map(({ id }) => id);
    const first = run(fakeClock(), CONNECTED);
    expect(await noted(first)).to.deep.equal([`check/${SHOP}/${HANDLE}`]);
    expect(await noted(first)).to.deep.equal([]);
    expect(await noted(run(fakeClock(), CONNECTED))).to.deep.equal([`check/${SHOP}/${HANDLE}`]);
  });
});

describe('a batch that the provider does not finish', () => {
  const HOUR = 3_600_000;

  it('is polled 60 times, also after an outage of any length, and is then given up', async () => {
    const clock = fakeClock();
    const recorded: { type: string }[] = [];
    const context = run(clock, CONNECTED);
    context.commands.decide = (async (
      _: object,
      __: object,
      ___: string,
      decision: (state: object) => typeof recorded,
    ) => {
      recorded.push(...decision(store()));
      return { events: [] };
    }) as never;
    Object.assign(context, { contextFor: () => ({ workspaceId: SHOP }) });
    const push = pushOf({ ...fakeProvider(), batchStatus: async () => ({ finished: false, problems: [] }) });
    const since = clock.now();
    let payload: object = { handle: HANDLE, since, checks: 0 };
    await clock.advance(100 * HOUR);
    let polls = 0;
    for (; ; polls += 1) {
      expect(recorded, `after ${polls} polls`).to.deep.equal([]);
      const outcome = await push.perform.check!(taskWith(payload) as never, context);
      if (!('again' in outcome)) break;
      payload = outcome.again.payload as object;
      await clock.advance(outcome.again.at - clock.now());
    }
    expect(polls).to.equal(60);
    expect(recorded.map(({ type }) => type)).to.include('CatalogBatchFinished');
  });
});

describe('a catalog push of a store without a number', () => {
  /** The tasks that an event leads to. */
  const tasksAfter = async (push: ReturnType<typeof pushOf>, context: ProcessorContext, type: string, id: string) => {
    const handlers = push.on as Readonly<
      Record<string, (event: object, context: ProcessorContext) => { id: string }[]>
    >;
    return (await handlers[type]!({ id, type, streamId: SHOP }, context)).map((task) => task.id);
  };

  it('is pending once, and is scheduled again when the log reports a connected number', async () => {
    const push = pushOf();
    const clock = fakeClock();
    const context = run(clock);
    expect(await tasksAfter(push, context, 'ProductAdded', 'e1')).to.deep.equal(['push/e1']);
    await clock.advance(1000);
    expect(await push.perform.push!(taskWith({}) as never, context)).to.deep.equal({ done: true });
    expect(await tasksAfter(push, context, 'ProductRevised', 'e2')).to.deep.equal([]);
    expect(await tasksAfter(push, context, 'ChannelNumberConnected', 'e3')).to.deep.equal(['connected/e3']);
    expect(await tasksAfter(push, context, 'ProductRevised', 'e4')).to.deep.equal(['push/e4']);
    // Another run knows nothing of it.
    expect(await tasksAfter(push, run(), 'ProductAdded', 'e5')).to.deep.equal(['push/e5']);
  });

  it('stays pending if a number is connected while its read returns none', async () => {
    let answer = (_: undefined): void => undefined;
    const push = pushOf();
    const context = run();
    context.commands.query = () =>
      new Promise((resolve) => {
        answer = resolve as typeof answer;
      });
    const performing = push.perform.push!(taskWith({}) as never, context);
    // Until it reads.
    await new Promise((resolve) => setImmediate(resolve));
    await tasksAfter(push, context, 'ChannelNumberConnected', 'e1');
    answer(undefined);
    expect(await performing).to.deep.equal({ done: true });
    expect(await tasksAfter(push, context, 'ProductAdded', 'e2')).to.deep.equal(['push/e2']);
  });

  it('runs when a number is connected, before the read model of numbers shows it', async () => {
    const push = pushOf();
    const shop: { status: string; number?: object } = { status: 'active' };
    const clock = fakeClock();
    const context = run(clock, shop);
    expect(await tasksAfter(push, context, 'ProductAdded', 'e1')).to.deep.equal(['push/e1']);
    shop.number = CONNECTED.number;
    expect(await tasksAfter(push, context, 'ChannelNumberConnected', 'e2')).to.deep.equal(['connected/e2']);
    const task = { ...taskWith({}), id: 'connected/e2', kind: 'connected' };
    const { next = [] } = await push.perform.connected!(task as never, context);
    expect(next.map(({ kind }) => kind)).to.deep.equal(['push', 'push', 'recheck']);
  });
});
