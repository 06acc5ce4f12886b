/** Pending tasks of a processor whose work database fails just as the processor ends or reads its tasks again. */
import { expect } from 'chai';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { defineProcessor, type Task } from '../../engine/processors/processor.js';
import { dueTimes } from '../../engine/processors/tasks/dueTimes.js';
import {
  followUpTasks,
  taskDocument,
  tasksCollection,
  tasksDefinition,
} from '../../engine/processors/tasks/taskDocuments.js';
import { fakeClock, until } from '../support/doubles/fakeClock.js';
import { type ProcessorStage, processorStage } from '../support/stages/processorStage.js';

type Noted = { type: 'Noted'; data: { label: string } };

/** Performs each event once, all in one lane. `hold` can delay the end of a task. */
function inOneLane(performed: string[], hold: (label: string) => Promise<void> = async () => undefined) {
  return defineProcessor<Noted>({
    name: 'lane',
    categories: ['note'],
    on: { Noted: ({ id, data }) => [{ id, kind: 'do', lane: 'one', payload: data.label }] },
    perform: {
      async do({ payload }: Task<string>) {
        await hold(payload);
        performed.push(payload);
        return { done: true };
      },
    },
  });
}

describe('an interrupted processor', () => {
  let stage: ProcessorStage;
  beforeEach(async () => {
    stage = await processorStage();
  });
  afterEach(() => stage.close());
  const append = (...labels: string[]) =>
    stage.append(
      'note-1',
      labels.map((label) => ({ type: 'Noted', data: { label } })),
    );

  it('loses nothing when it is handed over while its tasks cannot be written', async () => {
    const performed: string[] = [];
    let end = (): void => undefined;
    const current = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { write } = stage.work;
    let isAway = false;
    let refused = 0;
    stage.work.write = (...args) => {
      if (!isAway) return write.apply(stage.work, args);
      refused += 1;
      return Promise.reject(new StoreUnavailable('the work database is away'));
    };
    const { runtime } = await stage.start(
      inOneLane(performed, (label) => (label === 'first' ? current : Promise.resolve())),
    );
    await append('first', 'second');
    await until('the first is in progress', () => runtime.status()[0]?.inFlight === 1);
    isAway = true;
    await stage.clock.advance(600);
    await until('the tasks could not be written', () => refused > 0);
    const stopped = runtime.stop();
    isAway = false;
    end();
    await stage.clock.advance(2_000);
    await stopped;
    await stage.start(inOneLane(performed));
    await until('the second is done', () => performed.includes('second'));
    expect(performed.filter((label) => label === 'second')).to.deep.equal(['second']);
  });

  it('repeats no finished task when a write fails during the handover', async () => {
    const performed: string[] = [];
    const { write } = stage.work;
    let refusals = 0;
    stage.work.write = (...args) => {
      if (refusals === 0) return write.apply(stage.work, args);
      refusals -= 1;
      return Promise.reject(new StoreUnavailable('the work database is away'));
    };
    let end = (): void => undefined;
    const blocked = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { runtime } = await stage.start(inOneLane(performed, () => blocked));
    await append('one', 'two');
    await until('the first is in progress', () => runtime.status()[0]?.inFlight === 1);
    await stage.clock.advance(600);
    await until('both are stored', async () => (await stage.pending('lane')) === 2);
    refusals = 1;
    const stopped = runtime.stop();
    end();
    await until('the write has failed', () => refusals === 0);
    await stage.clock.advance(2_000);
    await stopped;
    await stage.start(inOneLane(performed));
    await until('the second is done', () => performed.includes('two'));
    expect(performed).to.deep.equal(['one', 'two']);
  });

  it('keeps the order of tasks added in one millisecond, also when it reads them again', async () => {
    const labels = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const never = new Promise<void>(() => undefined);
    const { crash } = await stage.start(inOneLane([], () => never));
    await append(...labels);
    await stage.clock.advance(600);
    await until('all are written', async () => (await stage.pending('lane')) === labels.length);
    crash();
    const performed: string[] = [];
    await stage.start(inOneLane(performed));
    await until('all are done', () => performed.length === labels.length);
    expect(performed).to.deep.equal(labels);
  });
});

describe('a task stored by an interrupted write', () => {
  it('is not lost when it failed once and its preceding task is repeated', async () => {
    const stage = await processorStage();
    try {
      const performed: string[] = [];
      let end = (): void => undefined;
      const current = new Promise<void>((resolve) => {
        end = resolve;
      });
      const processor = defineProcessor<Noted>({
        name: 'lane',
        categories: ['note'],
        on: {},
        perform: {
          lead: async () => ({ done: true, next: [{ id: 'follows', kind: 'do', lane: 'two', payload: {} }] }),
          async do({ attempt }: Task<never>) {
            performed.push(`attempt ${attempt}`);
            if (attempt === 1) await current;
            return { done: true };
          },
        },
      });
      const now = stage.clock.now();
      const stored = { payload: {}, createdAt: now };
      const leads = {
        ...stored,
        id: 'leads',
        kind: 'lead',
        lane: 'one',
        dueAt: now,
        attempt: 1,
        revision: 1,
        failures: 0,
      };
      const follows = {
        ...stored,
        id: 'follows',
        kind: 'do',
        lane: 'two',
        dueAt: now + 500,
        attempt: 2,
        revision: 2,
        failures: 1,
      };
      await stage.work.open(tasksDefinition('lane'));
      await stage.work.write({
        [tasksCollection('lane')]: { put: [leads, follows].map((task) => taskDocument(task)) },
      });
      await stage.start(processor);
      await until('the follow-up task runs again', () => performed.length === 1);
      await stage.clock.advance(1000);
      end();
      await until('nothing is pending', async () => (await stage.pending('lane')) === 0);
      expect(performed).to.deep.equal(['attempt 1', 'attempt 2']);
    } finally {
      await stage.close();
    }
  });
});

describe('due times', () => {
  it('are distinct within one millisecond, and when the clock is set back a little', () => {
    let now = 1_772_352_000_000;
    const next = dueTimes({ ...fakeClock(), now: () => now });
    const times = [next(), next(), next()];
    now -= 500;
    times.push(next());
    expect(times).to.deep.equal([...new Set(times)].sort((a, b) => a - b));
    expect(Math.max(...times)).to.be.at.most(1_772_352_000_000);
    now -= 60_000;
    expect(next(), 'a clock that was wrong by more is believed').to.be.below(now + 1);
    for (let i = 0; i < 10_000; i += 1) next();
    expect(next(), 'never later than now').to.be.at.most(now);
  });
});

describe('follow-up tasks', () => {
  it('are written before the outcome of their task', () => {
    const task = {
      id: 't',
      kind: 'do',
      lane: 'one',
      payload: 1,
      dueAt: 1,
      attempt: 1,
      revision: 1,
      createdAt: 1,
      failures: 0,
    };
    const next = [{ id: 'n', kind: 'do', lane: 'one', payload: 2 }];
    const pending = followUpTasks({ task, outcome: { again: { at: 9 }, next }, failures: 0 }, 5);
    expect(pending.map(({ id, attempt }) => [id, attempt])).to.deep.equal([
      ['n', 1],
      ['t', 2],
    ]);
  });
});
