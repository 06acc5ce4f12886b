/** Documents next to a log that is older than they are, or that has diverged from them. */
import { expect } from 'chai';
import { systemClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL, type EventStore, type LogPlace } from '../../engine/ports/eventStore.js';
import { type Log, silentLog } from '../../engine/ports/log.js';
import { type AnyProcessor, defineProcessor } from '../../engine/processors/processor.js';
import { createProcessorRuntime } from '../../engine/processors/runtime.js';
import { checkpointName, tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import { checkWork, judgeWork, settleWork } from '../../engine/processors/tasks/workOrigin.js';
import { hideStrangers } from '../../engine/projections/hideStrangers.js';
import { createProjectionRuntime } from '../../engine/projections/runtime.js';
import { shardCheckpoint, shardProgress } from '../../engine/projections/sharded/names.js';
import { placesInLog, shardPlaces } from '../../engine/projections/sharded/places.js';
import { until } from '../support/doubles/fakeClock.js';
import { type LogCopies, onEnginePairs } from '../support/stages/logCopies.js';
import { everything, waitingItems } from '../support/stages/projectionStage.js';

const HOUR = 3_600_000;

/** Greets each added item, and sends a reminder for each basket after an hour. */
const greeter = (greeted: string[]): AnyProcessor =>
  defineProcessor({
    name: 'greeter',
    categories: ['basket'],
    derivable: ['BasketNamed'],
    on: {
      ItemsAdded: ({ id, data }: { id: string; data: { items: { sku: string }[] } }) => [
        { id, kind: 'greet', lane: data.items[0]!.sku, payload: {} },
      ],
      BasketNamed: ({ id, streamId }: { id: string; streamId: string }, { clock }: { clock: { now(): number } }) => [
        { id, kind: 'remind', lane: streamId, dueAt: clock.now() + HOUR, payload: {} },
      ],
    } as never,
    perform: {
      greet: async ({ lane }) => {
        greeted.push(lane);
        return { done: true };
      },
      remind: async () => ({ done: true }),
    },
  });

onEnginePairs('an older log', (start) => {
  let copies: LogCopies;
  let views: DocumentStore;
  let work: DocumentStore;
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) };
  beforeEach(async () => {
    copies = await start();
    ({ views, work } = copies);
    warnings.length = 0;
  });
  afterEach(() => copies.close());

  const around = (eventStore: EventStore) => ({ eventStore, log });
  /** Runs the projection and the processor until both have reached the end of the log. */
  async function run(eventStore: EventStore, greeted: string[] = [], during = async () => {}): Promise<void> {
    const projections = createProjectionRuntime({
      ...around(eventStore),
      readModels: views,
      projections: [waitingItems],
      graceMs: 1,
    });
    const unused = undefined as never;
    const parts = { ...around(eventStore), clock: systemClock, work, commands: unused, reads: unused };
    const processors = createProcessorRuntime({ ...parts, processors: [greeter(greeted)] });
    await projections.start();
    await processors.start();
    await during();
    const head = await eventStore.head();
    await projections.waitFor([waitingItems.name], head, 20_000);
    await until('all is recorded', () => processors.status()[0]!.position >= head);
    await processors.stop();
    await projections.stop();
  }
  const begin = async (): Promise<EventStore> => {
    const eventStore = await copies.open('log');
    expect(await checkWork(eventStore, work)).to.deep.include({ fits: true });
    return eventStore;
  };
  /** Ids of the items that the `held` view counts. */
  const cachedNow = async (): Promise<string[]> =>
    Object.entries(await everything(views, waitingItems.name))
      .filter(([, document]) => (document as { keys: { reserved: number | null } }).keys.reserved !== null)
      .map(([sku]) => sku)
      .sort();

  it('rebuilds its views without missing events, and shows new events', async () => {
    let eventStore = await begin();
    await copies.append(eventStore, 'basket-1', 'shirt');
    await copies.copy('log', 'before');
    eventStore = await copies.open('log');
    for (const one of ['scarf', 'shoe', 'belt']) await copies.append(eventStore, 'basket-1', one);
    const projections = async (during: () => Promise<void>): Promise<void> => {
      const runtime = createProjectionRuntime({
        ...around(eventStore),
        readModels: views,
        projections: [waitingItems],
        graceMs: 1,
      });
      await runtime.start();
      await during();
      expect(await runtime.waitFor([waitingItems.name], await eventStore.head(), 20_000)).to.equal(true);
      await runtime.stop();
    };
    await projections(async () => undefined);
    expect(await cachedNow()).to.deep.equal(['belt', 'scarf', 'shirt', 'shoe']);
    expect(warnings).to.deep.equal([]);
    eventStore = await copies.open('before');
    await projections(async () => {
      await copies.append(eventStore, 'basket-2', 'ring');
    });
    expect(await cachedNow()).to.deep.equal(['ring', 'shirt']);
    expect(warnings).to.have.length(1);
    // From now on the documents belong to this log.
    eventStore = await copies.open('before');
    await projections(async () => undefined);
    expect(warnings).to.have.length(1);
  });

  it("is detected by the progress of shard owners if their documents are ahead of the shards' positions", async () => {
    const things = { name: 'things', version: 3, partitionedBy: {} as never };
    const [served, filling] = ['things_v3', 'things_v3_r1'];
    const markOfLast = async (stream: string): Promise<LogPlace> => {
      const { id, position, revision } = (await eventStore.readStream(stream)).at(-1)!;
      return { position, mark: { id, stream, revision, position } };
    };
    let eventStore = await begin();
    await copies.append(eventStore, 'basket-1', 'shirt');
    await copies.copy('log', 'before');
    eventStore = await copies.open('log');
    for (const name of [served, filling]) {
      await views.open({ name, keys: {}, indexes: [] });
      await views.write({}, { name: shardCheckpoint(name, 1), ...(await markOfLast('basket-1')) });
    }
    await views.setAlias(things.name, served);
    await copies.append(eventStore, 'basket-1', 'scarf');
    const passed = await markOfLast('basket-1');
    await views.write({ [served]: { put: [{ id: 'scarf', keys: {}, body: {}, revision: 1 }] } });
    await views.write({}, { name: shardProgress(1), ...passed });
    const cached = async (name: string) =>
      (await placesInLog(eventStore, await shardPlaces(views, name, [0, 1]), 0)).size === 2;

    await hideStrangers(views, eventStore, [things], 2);
    expect(await views.resolve(things.name), 'it is of this log').to.equal(served);
    eventStore = await copies.open('before');
    await hideStrangers(views, eventStore, [things], 2);
    expect(await views.resolve(things.name)).to.equal(things.name);
    expect([await cached(served), await cached(filling)], 'nor goes anybody on with it').to.deep.equal([false, false]);
    expect(await views.checkpoint(shardProgress(1))).to.equal(BEFORE_ALL);
  });

  it('is detected also if it has grown to the same length with other events', async () => {
    let eventStore = await begin();
    await copies.append(eventStore, 'basket-1', 'shirt');
    await copies.copy('log', 'other');
    eventStore = await copies.open('log');
    await copies.append(eventStore, 'basket-1', 'scarf');
    await run(eventStore);
    eventStore = await copies.open('other');
    for (const one of ['ring', 'belt', 'sock']) await copies.append(eventStore, 'basket-1', one);
    expect(await judgeWork(eventStore, work)).to.deep.include({
      fits: false,
      code: 'log_is_older',
      processor: 'greeter',
    });
    const runtime = createProjectionRuntime({
      ...around(eventStore),
      readModels: views,
      projections: [waitingItems],
      graceMs: 1,
    });
    await runtime.start();
    await runtime.waitFor([waitingItems.name], await eventStore.head(), 20_000);
    await runtime.stop();
    expect(await cachedNow()).to.deep.equal(['belt', 'ring', 'shirt', 'sock']);
  });

  it("does not continue the newer log's tasks until an operator declares that nothing is pending", async () => {
    let eventStore = await begin();
    await copies.append(eventStore, 'basket-1', 'name', 'BasketNamed');
    await copies.append(eventStore, 'basket-1', 'shirt');
    await copies.copy('log', 'before');
    eventStore = await copies.open('log');
    await copies.append(eventStore, 'basket-1', 'scarf');
    const greeted: string[] = [];
    await run(eventStore, greeted);
    expect(greeted).to.deep.equal(['shirt', 'scarf']);
    expect(await judgeWork(eventStore, work)).to.deep.include({ fits: true });
    eventStore = await copies.open('before');
    const state = await judgeWork(eventStore, work);
    expect(state).to.deep.include({ fits: false, code: 'log_is_older', processor: 'greeter' });
    expect(await checkWork(eventStore, work), 'looking changes nothing').to.deep.equal(state);
    const refused = await run(eventStore).catch((error: Error) => error.message);
    expect(refused).to.match(/the checkpoint of processor_greeter is at an event that is not in the log/);

    await work.open({ name: 'answers', keys: {}, indexes: [] });
    await work.write({ answers: { put: [{ id: 'a', revision: 1, keys: {}, body: {} }] } });
    const record = async () => ({ position: await copies.append(eventStore, 'note-1', 'settled', 'Noted') });
    const settled = await settleWork(eventStore, work, record, ['answers', 'never']);
    expect(settled.processors).to.deep.equal(['greeter']);
    expect(await work.list()).to.not.include('answers');
    expect(await judgeWork(eventStore, work)).to.deep.include({ fits: true });
    await run(eventStore, greeted, async () => {
      await copies.append(eventStore, 'basket-2', 'ring');
    });
    expect(greeted, 'nothing of before').to.deep.equal(['shirt', 'scarf', 'ring']);
    expect(await work.count(tasksCollection('greeter'), {}, 9), 'the reminder is derived again').to.equal(1);
    await run(eventStore, greeted);
    expect(greeted, 'nor after a restart').to.deep.equal(['shirt', 'scarf', 'ring']);
  });

  it('does not continue without any tasks either until an operator declares that nothing is pending', async () => {
    const eventStore = await copies.open('log');
    await copies.append(eventStore, 'basket-1', 'name', 'BasketNamed');
    await copies.append(eventStore, 'basket-1', 'shirt');
    const missing = { fits: false, code: 'work_is_missing', unfinished: false };
    expect(await checkWork(eventStore, work)).to.deep.equal(missing);
    expect(await checkWork(eventStore, work), 'looking changes nothing').to.deep.equal(missing);
    const broken = await settleWork(eventStore, work, () => Promise.reject(new Error('ended')), []).catch(
      () => 'ended',
    );
    expect(broken).to.equal('ended');
    expect(await checkWork(eventStore, work)).to.deep.equal({ ...missing, unfinished: true });
    const record = async () => ({ position: await copies.append(eventStore, 'note-1', 'settled', 'Noted') });
    expect((await settleWork(eventStore, work, record, [])).processors).to.deep.equal([]);
    expect(await checkWork(eventStore, work)).to.deep.include({ fits: true });
    const greeted: string[] = [];
    await run(eventStore, greeted, async () => {
      await copies.append(eventStore, 'basket-2', 'ring');
    });
    expect(greeted).to.deep.equal(['ring']);
    expect(await work.count(tasksCollection('greeter'), {}, 9), 'the reminder is derived').to.equal(1);
  });

  it('is detected for old checkpoints by the end of the log, and the next write stores their event', async () => {
    const eventStore = await begin();
    await copies.append(eventStore, 'basket-1', 'shirt');
    await run(eventStore);
    const name = checkpointName('greeter');
    const position = await work.checkpoint(name);
    await work.dropCheckpoint(name);
    await work.write({}, { name, position });
    expect(await work.marks([name])).to.have.property('size', 0);
    expect(await judgeWork(eventStore, work)).to.deep.include({ fits: true });
    const greeted: string[] = [];
    await run(eventStore, greeted, async () => {
      await copies.append(eventStore, 'basket-1', 'scarf');
    });
    expect(greeted).to.deep.equal(['scarf']);
    const [event] = (await eventStore.readStream('basket-1')).slice(-1);
    expect((await work.marks([name])).get(name)).to.deep.include({ id: event!.id, position: event!.position });
    await work.dropCheckpoint(name);
    await work.write({}, { name, position: position + 1_000_000 });
    // On EventStoreDB a position may lie beyond the last event, because system events have positions too.
    expect((await judgeWork(eventStore, work)).fits).to.equal(eventStore.exact !== true);
    expect(await eventStore.head()).to.be.greaterThan(BEFORE_ALL);
  });
});
