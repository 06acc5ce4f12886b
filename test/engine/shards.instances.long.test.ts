/** Instances that share the work of processors by shards. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { DomainEvent } from '../../domain/decider.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { silentLog } from '../../engine/ports/log.js';
import { defineProcessor, type NewTask, type Outcome, type Task } from '../../engine/processors/processor.js';
import { processorsAtRest } from '../../engine/processors/processorStops.js';
import { bringForward, waitingTasks } from '../../engine/processors/retries.js';
import { createProcessorRuntime } from '../../engine/processors/runtime.js';
import { shardOf } from '../../engine/processors/shards.js';
import { tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import { judgeWork, settleWork } from '../../engine/processors/tasks/workOrigin.js';
import { partOf, workIn } from '../../engine/processors/tasks/workPlaces.js';
import type { Reads } from '../../engine/projections/reads.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { fakeClock, settle, until } from '../support/doubles/fakeClock.js';
import { added, type BasketEvent, named, type Stage, stage } from '../support/stages/projectionStage.js';
import {
  type Engines,
  type SharedInstance,
  type SharedInstances,
  sharedInstances,
} from '../support/stages/sharedInstances.js';

type Requested = DomainEvent<'ItemsAdded', { items: { sku: string; quantity: number }[] }> | BasketEvent;

const SHARDS = 8;
/** Stream ids that serve as store ids, one per shard. */
const STORES = Array.from({ length: SHARDS }, (_, shard) => {
  for (let i = 0; ; i++) if (shardOf(`s${i}`, SHARDS) === shard) return `s${i}`;
});

/** Effects of all instances: which instance performed a task, and whether two tasks of one lane overlapped. */
class Effects {
  readonly by: [instance: string, id: string][] = [];
  readonly #busy = new Set<string>();
  together = 0;
  /** Releases the effects of these tasks, which hang until then. */
  readonly waiting = new Map<string, () => void>();
  readonly toHold = new Set<string>();
  poisoned = false;

  async perform(instance: string, { id, lane }: Task): Promise<Outcome> {
    if (this.#busy.has(lane)) this.together++;
    this.#busy.add(lane);
    this.by.push([instance, id]);
    if (this.toHold.delete(id)) await new Promise<void>((resolve) => this.waiting.set(id, resolve));
    else await settle(1);
    this.#busy.delete(lane);
    return { done: true };
  }

  get ids(): string[] {
    return this.by.map(([, id]) => id);
  }
}

const processorsOf = (effects: Effects) => (instance: string) => [
  defineProcessor<Requested>({
    name: 'worker',
    categories: ['basket'],
    on: {
      ItemsAdded: ({ data, streamId }): NewTask[] =>
        data.items.map(({ sku, quantity }) => ({
          id: sku,
          kind: 'do',
          lane: streamId,
          payload: { workspaceId: streamId },
          ...(quantity > 1 && { dueAt: Date.parse('2026-03-01T08:00:00Z') + quantity }),
        })),
      BasketNamed({ data }) {
        if (data.name === 'poison' && effects.poisoned) throw new Error('cannot read this name');
        return [];
      },
    },
    perform: { do: (task: Task<never>) => effects.perform(instance, task) },
  }),
];

describe('processors shared by shards', () => {
  let w: Stage;
  let effects: Effects;
  let work: DocumentStore;
  let all: SharedInstances;
  let requested: string[];
  const opened: DocumentStore[] = [];
  const open = (file: string): DocumentStore => {
    const models = openEmbeddedReadModels(join(w.folder, file));
    opened.push(models);
    return models;
  };
  const engines = (): Engines => ({ eventStore: w.store, views: open('views.db'), work: open('work.db') });

  beforeEach(async () => {
    w = await stage();
    effects = new Effects();
    work = open('work.db');
    requested = [];
    all = sharedInstances(engines, [], processorsOf(effects), 'test', SHARDS);
  });
  afterEach(async () => {
    await all.close();
    for (const models of opened.splice(0)) await models.close();
    await w.close();
  });

  /** Creates a task for each store. */
  const request = async (after?: number): Promise<string[]> => {
    const ids = STORES.map((store) => `${store}-${requested.length}`);
    requested.push(...ids);
    for (const [i, id] of ids.entries()) await w.append(STORES[i]!, added([id, after ?? 1]));
    return ids;
  };
  const owns = ({ processors }: SharedInstance): number => processors.status()[0]?.shards ?? 0;
  const shared = (...these: SharedInstance[]) =>
    all.passUntil(
      'they share',
      () => these.every((one) => owns(one) === SHARDS / these.length) && these.every((one) => isReading(one)),
      20_000,
    );
  const isReading = ({ processors }: SharedInstance): boolean => processors.status()[0]?.state === 'running';
  const done = (ids: readonly string[]) =>
    all.passUntil('all is done', () => ids.every((id) => effects.ids.includes(id)), 15_000);
  /** Long enough for a completed task to be recorded as done. */
  const moment = () => {
    let steps = 0;
    return all.passUntil('a moment', () => steps++ === 20, 5000);
  };
  const pending = () => work.count(tasksCollection('worker'), {}, 1000);

  it('run completely on a single instance, each task once', async () => {
    const a = await all.add('a');
    await shared(a);
    await request();
    await done(await request());
    expect(effects.ids).to.have.members(requested);
    await all.passUntil('nothing is pending', async () => (await pending()) === 0, 2000);
  });

  it('are owned evenly, each store by one instance; growing and shrinking neither lose nor repeat anything', async () => {
    const a = await all.add('a');
    await shared(a);
    await request();
    const b = await all.add('b');
    const took = await shared(a, b);
    expect(took, 'shards move within seconds').to.be.at.most(5000);
    const ids = await request();
    await done(requested);
    for (const name of ['a', 'b'])
      expect(effects.by.filter(([by, id]) => by === name && ids.includes(id)).length).to.equal(SHARDS / 2);
    await a.leases.stop();
    await request();
    await shared(b);
    await request();
    await done(requested);
    expect(effects.ids, 'nothing twice').to.have.members(requested);
    expect(effects.together).to.equal(0);
  });

  it('keep timers, whichever instance owns their shard when they are due', async () => {
    const a = await all.add('a');
    await shared(a);
    await request(30_000);
    const b = await all.add('b');
    await shared(a, b);
    expect(effects.ids).to.deep.equal([]);
    const dueAt = Date.parse('2026-03-01T08:00:00Z') + 30_000;
    expect((await processorsAtRest(w.store, work))[0]).to.include({ owed: SHARDS, firstDueAt: dueAt });
    await all.passUntil('they are due', () => effects.ids.length === SHARDS, 40_000);
    expect(effects.ids).to.have.members(requested);
    expect(new Set(effects.by.map(([by]) => by))).to.deep.equal(new Set(['a', 'b']));
  });

  it("perform tasks at once on an operator's request, whichever instance owns the shard", async () => {
    const a = await all.add('a');
    const b = await all.add('b');
    await shared(a, b);
    const ids = await request(3_600_000);
    await all.passUntil('the timers are stored', async () => (await pending()) === SHARDS, 5000);
    const now = Date.parse('2026-03-01T08:00:00Z') + a.clock.now();
    const counts = await Promise.all(ids.map((task) => bringForward(work, { processor: 'worker', task, now })));
    expect(counts).to.deep.equal(ids.map(() => 1));
    expect(await waitingTasks(work, 'worker', 5)).to.have.lengthOf(5);
    const data = { name: 'worker', tasks: SHARDS, dueAt: new Date(now).toISOString() };
    const meta = { at: data.dueAt, actor: { type: 'system' as const }, correlationId: 'c' };
    const id = '00000000-0000-4000-8000-00000000aaaa';
    await w.store.append('processor-worker', 'any', [{ type: 'ProcessorRetried', id, data, meta }]);
    await all.passUntil('all are performed', () => effects.ids.length === SHARDS, 3000);
    expect(effects.ids).to.have.members(ids);
    expect(new Set(effects.by.map(([by]) => by))).to.deep.equal(new Set(['a', 'b']));
  });

  it('continue within 10 s when an instance dies, which changes nothing when it resumes', async () => {
    const a = await all.add('a');
    const b = await all.add('b');
    await shared(a, b);
    await done(await request());
    await moment();
    a.freeze();
    const ids = await request();
    const took = await all.passUntil('b owns all', () => owns(b) === SHARDS, 10_000);
    expect(took).to.be.at.least(4000);
    await done(ids);
    expect(effects.ids).to.have.members(requested);
    a.wake(0);
    await shared(a, b);
    await done(await request());
    expect(effects.together).to.equal(0);
    expect(effects.ids.filter((id) => ids.includes(id)).length, 'at most what was in its memory').to.be.at.most(
      ids.length + SHARDS / 2,
    );
    await all.passUntil('nothing is pending', async () => (await pending()) === 0, 5000);
  });

  it('stop only the shard of an event that cannot be read', async () => {
    effects.poisoned = true;
    const a = await all.add('a');
    await shared(a);
    await w.append(STORES[3]!, named('poison'));
    const ids = await request();
    await done(ids.filter((_, i) => i !== 3));
    await all.passUntil('it has stopped', () => a.processors.status()[0]?.state === 'failed', 60_000);
    const stopped = async () => (await processorsAtRest(w.store, work))[0]!;
    await all.passUntil('whoever asks is told', async () => (await stopped()).stop !== undefined, 2000);
    expect((await stopped()).stop).to.include({ stream: `basket-${STORES[3]}` });
    expect(effects.ids).not.to.include(ids[3]);
    effects.poisoned = false;
    await a.leases.stop();
    const b = await all.add('b');
    await shared(b);
    await done(ids);
    await all.passUntil('its checkpoint moves', async () => (await stopped()).state === 'running', 15_000);
    expect(effects.ids).to.have.members(requested);
  });

  it('continue tasks stored without shards, which are moved', async () => {
    const whole = createProcessorRuntime({
      eventStore: w.store,
      work,
      processors: processorsOf(effects)('whole'),
      commands: {} as CommandHandler,
      reads: {} as Reads,
      clock: { ...fakeClock(), now: () => Date.parse('2026-03-01T08:00:00Z') },
      log: silentLog,
    });
    await whole.start();
    const before = await request();
    await until('it is done', () => effects.ids.length === SHARDS);
    await request(60_000);
    await until('the timers are stored', () => whole.status()[0]!.position === 2 * SHARDS - 1);
    await whole.stop();
    expect(await pending()).to.equal(SHARDS);
    const a = await all.add('a');
    await shared(a);
    const [stored] = workIn(await work.list());
    expect(stored!.collection).to.equal(partOf('worker', 0, SHARDS).collection);
    const b = await all.add('b');
    await shared(a, b);
    await done(await request());
    await all.passUntil('the timers are due', () => effects.ids.length === requested.length, 120_000);
    expect(effects.ids, 'nothing twice').to.have.members(requested);
    expect(effects.by.filter(([by]) => by === 'whole').map(([, id]) => id)).to.have.members(before);
  });

  it('start over on an older log, once an operator has declared that nothing is pending', async () => {
    const a = await all.add('a');
    await shared(a);
    await request();
    await request(60_000);
    await done(requested.slice(0, SHARDS));
    await a.leases.stop();
    const older = await stage();
    const again = sharedInstances(
      () => ({ ...engines(), eventStore: older.store }),
      [],
      processorsOf(effects),
      'test',
      SHARDS,
    );
    try {
      expect(await judgeWork(older.store, work)).to.include({ code: 'log_is_older', processor: 'worker' });
      const { processors } = await settleWork(older.store, work, async () => ({ position: BEFORE_ALL }), []);
      expect(processors).to.deep.equal(['worker']);
      expect(workIn(await work.list())).to.deep.equal([]);
      const b = await again.add('b');
      await again.passUntil('it works on all', () => owns(b) === SHARDS, 5000);
      await older.append(STORES[0]!, added(['anew', 1]));
      await again.passUntil('it is done', () => effects.ids.includes('anew'), 5000);
      expect(effects.ids.length, 'and nothing of the newer log').to.equal(SHARDS + 1);
    } finally {
      await again.close();
      await older.close();
    }
  });

  it('repeat only running tasks when their owner dies, each shard by itself', async () => {
    const a = await all.add('a');
    const b = await all.add('b');
    await shared(a, b);
    effects.toHold.add(`${STORES[0]}-0`);
    const ids = await request();
    await all.passUntil('one is in flight', () => effects.waiting.has(ids[0]!), 5000);
    await done(ids);
    await moment();
    const dead = effects.by.find(([, id]) => id === ids[0])![0] === 'a' ? a : b;
    dead.freeze();
    const other = dead === a ? b : a;
    await all.passUntil('the other owns all', () => owns(other) === SHARDS, 10_000);
    await all.passUntil('it is repeated', () => effects.ids.length > ids.length, 5000);
    expect(effects.ids).to.have.members([...ids, ids[0]!]);
    effects.waiting.get(ids[0]!)!();
  });
});
