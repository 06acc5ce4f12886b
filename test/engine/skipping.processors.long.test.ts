import { join } from 'node:path';
import { expect } from 'chai';
import type { DomainEvent } from '../../domain/decider.js';
import { type DocumentStore, Fenced } from '../../engine/ports/documents.js';
import { type AnyProcessor, defineProcessor } from '../../engine/processors/processor.js';
import { noteStop, processorsAtRest } from '../../engine/processors/processorStops.js';
import type { ProcessorRuntime } from '../../engine/processors/runtime.js';
import { checkpointName, tasksDefinition } from '../../engine/processors/tasks/taskDocuments.js';
import { wholeOf } from '../../engine/processors/tasks/workPlaces.js';
import { emulator, onMongo, testDatabase } from '../../harness/engines/mongoStage.js';
import { openMongoReadModels } from '../../infrastructure/mongodb/mongoReadModels.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { until } from '../support/doubles/fakeClock.js';
import { type ProcessorStage, processorStage } from '../support/stages/processorStage.js';
import { type Stage, stage } from '../support/stages/projectionStage.js';
import { sharedInstances } from '../support/stages/sharedInstances.js';
import { skipStage } from '../support/stages/skipStage.js';

type Requested = DomainEvent<'WorkRequested', { id: string }>;

/** Creates one task per event, and cannot read events named 'poison'. Records performed tasks. */
const greeter = (performed: string[], isBroken = () => true): AnyProcessor =>
  defineProcessor<Requested>({
    name: 'greeter',
    categories: ['job'],
    on: {
      WorkRequested: ({ data: { id } }) => {
        if (id === 'poison' && isBroken()) throw new Error('cannot read this');
        return [{ id, kind: 'greet', lane: id, payload: {} }];
      },
    },
    perform: {
      greet: async ({ id }) => {
        performed.push(id);
        return { done: true };
      },
    },
  });

const requested = (...ids: string[]) => ids.map((id) => ({ type: 'WorkRequested', data: { id } }));
const existsAt = (runtime: ProcessorRuntime) => runtime.status()[0]?.failure?.event.id;

describe('a processor that stopped at an event', () => {
  let stage: ProcessorStage;
  beforeEach(async () => {
    stage = await processorStage();
  });
  afterEach(() => stage.close());

  const atRest = async () => (await processorsAtRest(stage.eventStore, stage.work))[0]!;
  const pass = (what: string, holds: () => boolean | Promise<boolean>) =>
    until(what, async () => {
      await stage.clock.advance(5000);
      return holds();
    });

  for (const [where, history] of Object.entries({
    first: ['poison', 'a', 'b'],
    middle: ['a', 'poison', 'b'],
    last: ['a', 'b', 'poison'],
  }))
    it(`skips it when it is the ${where} one, and performs all others once`, async () => {
      const performed: string[] = [];
      const { runtime } = await stage.start(greeter(performed));
      const ids = await stage.append('job-1', requested(...history));
      await pass('it stands', () => existsAt(runtime) === ids[history.indexOf('poison')]);
      const before = history.slice(0, history.indexOf('poison'));
      await until('what came before is done', () => performed.length === before.length);
      expect(performed).to.deep.equal(before);
      expect(await skipStage(stage.eventStore).processor(stage.work, 'greeter')).to.equal(1);
      await pass('it goes on', () => runtime.status()[0]!.state === 'running' && performed.length === 2);
      expect(performed).to.deep.equal(['a', 'b']);
      expect(runtime.status()[0]).not.to.have.property('failure');
      await stage.append('job-1', requested('c'));
      await until('the next is done', () => performed.length === 3);
    });

  it('is reported with the event, also while none runs, until it is skipped or fixed', async () => {
    let broken = true;
    const performed: string[] = [];
    const first = await stage.start(greeter(performed, () => broken));
    const [id] = await stage.append('job-1', requested('poison', 'a'));
    await pass('it stands', () => existsAt(first.runtime) === id);
    await first.runtime.stop();
    const status = await atRest();
    expect(status).to.include({ name: 'greeter', state: 'stopped', skipped: 0, owed: 0 });
    expect(status.stop).to.include({ eventId: id, type: 'WorkRequested', stream: 'job-1', position: 0 });
    expect(status.stop!.error).to.contain('cannot read this');
    broken = false;
    const second = await stage.start(greeter(performed, () => broken));
    await until('all is done', () => performed.length === 2);
    await second.runtime.stop();
    expect(await atRest())
      .to.include({ state: 'running', position: 1 })
      .and.not.to.have.property('stop');
  });

  it('skips it after a restart if it was skipped while stopped, and no other', async () => {
    const performed: string[] = [];
    const first = await stage.start(greeter(performed));
    const [id, other] = await stage.append('job-1', requested('poison', 'a', 'poison'));
    await pass('it stands', () => existsAt(first.runtime) === id);
    await first.runtime.stop();
    const skip = skipStage(stage.eventStore);
    const refused = await skip.processor(stage.work, 'greeter', other).catch((error: Error) => error);
    expect(refused).to.include({ code: 'other_event' });
    expect((refused as Error).message).to.contain(id);
    expect(await skip.processor(stage.work, 'greeter', id)).to.equal(1);
    expect(await skip.processor(stage.work, 'greeter', id), 'twice').to.equal(0);
    expect(await atRest()).to.include({ state: 'running', skipped: 1 });
    const [event] = await stage.eventStore.readStream('processor-greeter');
    expect(event!.type).to.equal('ProcessorEventSkipped');
    expect(event!.data).to.deep.include({ name: 'greeter', eventId: id, stream: 'job-1', position: 0 });
    expect(event!.meta.actor).to.deep.equal({ type: 'system', id: 'operator' });
    const second = await stage.start(greeter(performed));
    await pass('it stands at the next', () => second.runtime.status()[0]!.failure?.event.position === 2);
    expect(performed).to.deep.equal(['a']);
    expect((await atRest()).stop).to.include({ position: 2 });
  });
});

describe('a stopped processor on several instances', () => {
  let w: Stage;
  const opened: DocumentStore[] = [];
  beforeEach(async () => {
    w = await stage();
  });
  afterEach(async () => {
    for (const models of opened.splice(0)) await models.close();
    await w.close();
  });

  it('continues wherever it runs when an operator skips the event on any instance, and its next owner knows', async () => {
    const open = (file: string): DocumentStore => {
      const models = openEmbeddedReadModels(join(w.folder, file));
      opened.push(models);
      return models;
    };
    const performed: string[] = [];
    const engines = () => ({ eventStore: w.store, views: open('views.db'), work: open('work.db') });
    const all = sharedInstances(engines, [], [greeter(performed)], 'test', 1);
    const meta = { at: '2026-01-01T00:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' };
    const append = (position: number, ...ids: string[]) =>
      w.store.append(
        'job-1',
        'any',
        requested(...ids).map((event, i) => ({
          ...event,
          id: `00000000-0000-4000-8000-00000000000${position + i}`,
          meta,
        })),
      );
    try {
      const a = await all.add('a');
      await all.passUntil('a runs it', async () => (await a.running()).length === 1, 20_000);
      const b = await all.add('b');
      await append(0, 'poison', 'x');
      await all.passUntil('it stands', () => existsAt(a.processors) !== undefined, 40_000);
      const work = open('work.db');
      await skipStage(w.store).processor(work, 'greeter');
      await all.passUntil('it goes on', () => performed.length === 1, 5000);
      await a.leases.stop();
      await all.passUntil('b runs it', async () => (await b.running()).length === 1, 20_000);
      await append(2, 'y');
      await all.passUntil('the next is done', () => performed.length === 2, 5000);
      expect(performed).to.deep.equal(['x', 'y']);
      expect(existsAt(b.processors)).to.equal(undefined);
    } finally {
      await all.close();
    }
  });
});

onMongo(emulator, 'stopped processors', () => {
  it('are reported and skipped as on the embedded engines, under their owner’s fence', async () => {
    const database = await testDatabase(emulator);
    const work = await openMongoReadModels(database.url, { prefix: 'work' });
    const stage = await processorStage();
    try {
      const name = 'greeter';
      await work.open(tasksDefinition(name));
      await work.claim({ name: checkpointName(name), fence: 2 });
      const [id] = await stage.append('job-1', requested('poison'));
      const [event] = await stage.eventStore.readStream('job-1');
      const at = { event: event!, error: 'cannot read this' };
      const late = await noteStop(work, wholeOf(name), at, 1).catch((error: Error) => error);
      expect(late).to.be.instanceOf(Fenced);
      expect((await processorsAtRest(stage.eventStore, work))[0]).to.include({ name, state: 'running' });
      await noteStop(work, wholeOf(name), at, 2);
      await noteStop(work, wholeOf(name), at, 2);
      expect((await processorsAtRest(stage.eventStore, work))[0]!.stop).to.include({ eventId: id, position: 0 });
      await skipStage(stage.eventStore).processor(work, name);
      expect((await processorsAtRest(stage.eventStore, work))[0]).to.include({ state: 'running', skipped: 1 });
    } finally {
      await stage.close();
      await work.close();
      await database.close();
    }
  });
});
