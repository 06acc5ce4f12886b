import { join } from 'node:path';
import { expect } from 'chai';
import type { DomainEvent } from '../../domain/decider.js';
import { steadyClock } from '../../engine/ports/clock.js';
import type { DocumentStore } from '../../engine/ports/documents.js';
import { defineProcessor, type NewTask, type Outcome, type Task } from '../../engine/processors/processor.js';
import { tasksCollection } from '../../engine/processors/tasks/taskDocuments.js';
import { isElsewhere } from '../../engine/projections/elsewhere.js';
import { createSharedProgress, type SharedProgress } from '../../engine/projections/sharedProgress.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { settle, until } from '../support/doubles/fakeClock.js';
import {
  added,
  type BasketEvent,
  baskets,
  everything,
  type Stage,
  stage,
  stock,
} from '../support/stages/projectionStage.js';
import {
  type Engines,
  type SharedInstance,
  type SharedInstances,
  sharedInstances,
} from '../support/stages/sharedInstances.js';

type Asked = DomainEvent<'ItemsAdded', { items: { sku: string; quantity: number }[] }>;

/** Stands for all instances: who performs which task, and whether two perform one lane's at the same time. */
class Effects {
  readonly performed: string[] = [];
  readonly busy = new Map<string, number>();
  together = 0;
  /** Effects of these tasks wait. */
  readonly held = new Map<string, () => void>();
  readonly toHold = new Set<string>();

  async perform({ id, lane }: Task): Promise<Outcome> {
    const others = this.busy.get(lane) ?? 0;
    if (others > 0) this.together++;
    this.busy.set(lane, others + 1);
    this.performed.push(id);
    if (this.toHold.delete(id)) await new Promise<void>((resolve) => this.held.set(id, resolve));
    else await settle(1);
    this.busy.set(lane, this.busy.get(lane)! - 1);
    return { done: true };
  }

  times(id: string): number {
    return this.performed.filter((one) => one === id).length;
  }
}

const processorOf = (effects: Effects, name = 'worker') =>
  defineProcessor<Asked>({
    name,
    categories: ['basket'],
    on: {
      ItemsAdded: ({ data }): NewTask[] =>
        data.items.map(({ sku }) => ({ id: sku, kind: 'do', lane: sku[0]!, payload: {} })),
    },
    perform: { do: (task: Task<never>) => effects.perform(task) },
  });

const names = ['baskets', 'stock'];
const asking = (...ids: string[]): BasketEvent => added(...ids.map((id): [string, number] => [id, 1]));

describe('several instances', () => {
  let w: Stage;
  let all: SharedInstances;
  let effects: Effects;
  let progress: SharedProgress;
  let work: DocumentStore;
  const opened: DocumentStore[] = [];
  const open = (file: string): DocumentStore => {
    const models = openEmbeddedReadModels(join(w.folder, file));
    opened.push(models);
    return models;
  };

  beforeEach(async () => {
    w = await stage();
    effects = new Effects();
    work = open('work.db');
    const engines = (): Engines => ({ eventStore: w.store, views: open('views.db'), work: open('work.db') });
    all = sharedInstances(engines, [baskets(), stock], [processorOf(effects), processorOf(new Effects(), 'other')]);
    progress = createSharedProgress({ views: open('views.db'), clock: steadyClock });
  });
  afterEach(async () => {
    progress.close();
    await all.close();
    for (const models of opened.splice(0)) await models.close();
    await w.close();
  });

  const share = async (a: SharedInstance, b: SharedInstance): Promise<void> => {
    const even = async () => (await a.running()).length === 2 && (await b.running()).length === 2;
    await all.passUntil('they share', even, 20_000);
  };
  const owed = () => work.count(tasksCollection('worker'), {}, 1000);
  const ownerOfWorker = (...these: SharedInstance[]): SharedInstance =>
    these.find(({ processors }) => processors.status().some(({ name }) => name === 'worker'))!;
  const both = async (): Promise<[SharedInstance, SharedInstance]> => {
    const a = await all.add('a');
    const b = await all.add('b');
    await share(a, b);
    return [a, b];
  };

  it('run each projection and each processor once, and show each other what they have read', async () => {
    const [a, b] = await both();
    const owners = [...(await a.running()), ...(await b.running())];
    expect(owners).to.have.members(['baskets', 'stock', 'worker', 'other']);
    for (let i = 0; i < 20; i++) {
      const position = await w.append('b1', added([`a${i}`, 1]));
      expect(await progress.waitFor(names, position, 5000)).to.equal(true);
      expect((await w.models.get<{ quantity: number }>('baskets', 'b1'))!.body.quantity).to.equal(i + 1);
    }
    await until('all tasks are done', () => effects.performed.length === 20);
    expect(effects.together).to.equal(0);
    const elsewhere = async () => (await a.projections.status()).find(({ state }) => state === 'elsewhere')!;
    await all.passUntil('a knows of b', async () => (await elsewhere()).owner === 'b', 2000);
    expect((await a.projections.status()).map(({ name }) => name)).to.have.members(names);
    expect(await elsewhere()).to.include({ lag: 0 });
    const error = await a.projections.rebuild((await elsewhere()).name).catch((refused: Error) => refused);
    expect(isElsewhere(error)).to.equal(true);
    expect(String(error)).to.include("'b'");
    expect(a.warnings.concat(b.warnings)).to.deep.equal([]);
  });

  it('hand over what they do without doing anything twice when one comes and one goes', async () => {
    const a = await all.add('a');
    const ids: string[] = [];
    const ask = async (): Promise<void> => {
      const some = Array.from({ length: 5 }, (_, i) => `${'xyz'[i % 3]}${ids.length + i}`);
      ids.push(...some);
      await w.append('b1', asking(...some));
    };
    await ask();
    const b = await all.add('b');
    const even = async () => {
      await ask();
      return (await a.running()).length === 2 && (await b.running()).length === 2;
    };
    await all.passUntil('they share', even, 20_000);
    await a.leases.stop();
    await ask();
    await all.passUntil('b runs all', async () => (await b.running()).length === 4, 5000);
    await ask();
    expect(await progress.waitFor(names, await w.store.head(), 5000)).to.equal(true);
    await until('all tasks are done', () => ids.every((id) => effects.times(id) > 0));
    expect(effects.performed).to.have.members(ids);
    expect(effects.together).to.equal(0);
    expect((await w.models.get<{ quantity: number }>('baskets', 'b1'))!.body.quantity).to.equal(ids.length);
  });

  it('go on within 10 s when one dies, and nothing of it is lost', async () => {
    const [a, b] = await both();
    await w.append('b1', asking('a1', 'b1'));
    await until('both are done', () => effects.performed.length === 2);
    a.freeze();
    const position = await w.append('b1', asking('a2', 'b2', 'c2'));
    const took = await all.passUntil('b runs all', async () => (await b.running()).length === 4, 10_000);
    expect(took).to.be.at.least(4000);
    expect(await progress.waitFor(names, position, 5000)).to.equal(true);
    await until('all tasks are done', async () => effects.performed.length >= 5 && (await owed()) === 0);
    expect((await w.models.get<{ quantity: number }>('baskets', 'b1'))!.body.quantity).to.equal(5);
  });

  /** One is frozen with an effect in flight, the other has taken all over and has one in flight too. */
  async function frozenAndOther(): Promise<{ all: [SharedInstance, SharedInstance]; frozen: SharedInstance }> {
    const [a, b] = await both();
    const frozen = ownerOfWorker(a, b);
    const other = frozen === a ? b : a;
    effects.toHold.add('a1');
    await w.append('b1', asking('a1', 'a2', 'b1'));
    await until('one is in flight', () => effects.held.has('a1') && effects.times('b1') === 1);
    frozen.freeze();
    await w.append('b2', asking('c1'));
    await all.passUntil('the other runs all', async () => (await other.running()).length === 4, 10_000);
    await until('all tasks are done', async () => effects.times('c1') > 0 && (await owed()) === 0);
    effects.toHold.add('d1');
    await w.append('b9', asking('d1', 'e1'));
    await until('the other has one in flight', () => effects.held.has('d1') && effects.times('e1') === 1);
    await all.passUntil('it is written', async () => (await owed()) === 1, 2000);
    expect(await progress.waitFor(names, await w.store.head(), 5000)).to.equal(true);
    return { all: [a, b], frozen };
  }
  const stored = async () => ({
    documents: await Promise.all(names.map((name) => everything(w.models, name))),
    tasks: (await work.find(tasksCollection('worker'), { limit: 100 })).map(({ id, revision }) => [id, revision]),
    checkpoint: await work.checkpoint('processor_worker'),
  });

  it('are not disturbed by one that was frozen and wakes: it writes nothing and begins no effect', async () => {
    const { all: two, frozen } = await frozenAndOther();
    const before = await stored();
    const performed = [...effects.performed];
    frozen.wake(9000);
    effects.held.get('a1')!();
    await settle(50);
    expect(await frozen.running()).to.deep.equal([]);
    expect(effects.performed).to.deep.equal(performed);
    expect(effects.times('a1')).to.be.at.most(2);
    expect(await stored()).to.deep.equal(before);
    effects.held.get('d1')!();
    await share(...two);
    await all.passUntil('nothing is owed', async () => (await owed()) === 0, 5000);
    expect(frozen.warnings.filter((one) => one.includes('trouble'))).to.deep.equal([]);
  });

  it('are not disturbed either when its clock stood still with it: then it may begin what it had in memory', async () => {
    const { frozen } = await frozenAndOther();
    const before = await stored();
    const performed = [...effects.performed];
    frozen.wake(0);
    effects.held.get('a1')!();
    await settle(50);
    await all.passUntil('it knows', async () => (await frozen.running()).length === 0, 2000);
    expect(effects.performed.slice(performed.length)).to.have.members(
      effects.performed.length > performed.length ? ['a2'] : [],
    );
    expect(await stored()).to.deep.equal(before);
    effects.held.get('d1')!();
  });
});
