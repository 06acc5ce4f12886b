/** Tasks of a processor whose work database answers late. The state may have changed since a page was queried. */
import { expect } from 'chai';
import { eraseTasks } from '../../application/privacy/pendingTasks.js';
import { defineProcessor, type Outcome, type Task } from '../../engine/processors/processor.js';
import { settle, until } from '../support/doubles/fakeClock.js';
import { handLeases } from '../support/doubles/handLeases.js';
import { MOMENT_MS, type ProcessorStage, processorStage } from '../support/stages/processorStage.js';

type Noted = { type: 'Noted'; data: { label: string; inMs?: number } };

/** Delay of a page in turns of the event loop. The page shows the store as it was at the time of the query. */
const LATE = 250;
const SECOND = 1000;

describe('a processor whose work database responds slowly', () => {
  let stage: ProcessorStage;
  let performed: string[];
  beforeEach(async () => {
    stage = await processorStage();
    performed = [];
  });
  afterEach(() => stage.close());

  /** Timers of one lane, or tasks that are due at once. */
  const processor = (begin: number) =>
    defineProcessor<Noted>({
      name: 'timers',
      categories: ['note'],
      on: {
        Noted: ({ id, data }) => [
          {
            id,
            kind: 'do',
            lane: 'one',
            payload: data.label,
            ...(data.inMs !== undefined && { dueAt: begin + data.inMs }),
          },
        ],
      },
      perform: {
        async do({ payload }: Task<string>) {
          performed.push(payload);
          return { done: true };
        },
      },
    });
  const start = () => stage.start(processor(stage.clock.now()));
  const append = (...timers: Noted['data'][]) =>
    stage.append(
      'note-1',
      timers.map((data) => ({ type: 'Noted', data })),
    );
  const labels = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);
  const done = (count: number) =>
    until('all are done', async () => performed.length >= count && (await stage.pending('timers')) === 0);

  /** Delays the answers to these queries by `LATE` turns. They show the store as it was at the time of the query. */
  function answerLate(isLate: (query: { readonly where?: object }) => boolean): void {
    const { find } = stage.work;
    stage.work.find = async (collection, query) => {
      const rows = await find.call(stage.work, collection, query);
      if (isLate(query)) await settle(LATE);
      return rows as never;
    };
  }

  it('performs a timer stored while a page of later ones is being read', async () => {
    const { find } = stage.work;
    let answer = (): void => undefined;
    let holding: Promise<void> | undefined;
    let isRequested = false;
    stage.work.find = async (collection, query) => {
      const rows = await find.call(stage.work, collection, query);
      if (holding !== undefined) isRequested = true;
      await holding;
      return rows as never;
    };
    await start();
    await append({ label: 'first', inMs: 10 * SECOND }, { label: 'last', inMs: 30 * SECOND });
    await stage.clock.advance(MOMENT_MS);
    await until('both are stored', async () => (await stage.pending('timers')) === 2);
    holding = new Promise((resolve) => {
      answer = resolve;
    });
    await stage.clock.advance(10 * SECOND);
    await until('due tasks are being read', () => isRequested);
    await append({ label: 'between', inMs: 20 * SECOND });
    await stage.clock.advance(MOMENT_MS);
    await until('it is stored too', async () => (await stage.pending('timers')) === 3);
    await stage.clock.advance(25 * SECOND);
    holding = undefined;
    answer();
    await stage.clock.advance(10 * SECOND);
    expect([...performed].sort()).to.deep.equal(['between', 'first', 'last']);
  });

  it('performs no task twice whose end is written while the next tasks of its lane are read', async () => {
    answerLate(({ where }) => where !== undefined && 'lane' in where);
    await start();
    await append(...labels(200).map((label) => ({ label })));
    await done(200);
    await settle(2 * LATE);
    expect(performed).to.deep.equal(labels(200));
  });

  it('keeps the order of a lane whose tasks are added while its next ones are read', async () => {
    const { find } = stage.work;
    let isFirst = true;
    stage.work.find = async (collection, query) => {
      const rows = await find.call(stage.work, collection, query);
      if (isFirst && query.where !== undefined && 'lane' in query.where) {
        isFirst = false;
        await append({ label: 'n200' });
        await settle(LATE);
      }
      return rows as never;
    };
    await start();
    await append(...labels(200).map((label) => ({ label })));
    await done(201);
    expect(performed).to.deep.equal(labels(201));
  });

  it('keeps the order of a lane whose tasks are added before those of the last run are read', async () => {
    const inFlight = new Promise<Outcome>(() => undefined);
    const { perform, ...rest } = processor(stage.clock.now());
    const { crash } = await stage.start({ ...rest, perform: { do: () => inFlight } });
    await append(...labels(20).map((label) => ({ label })));
    await stage.clock.advance(MOMENT_MS);
    await until('all are stored', async () => (await stage.pending('timers')) === 20);
    crash();
    let answer = (): void => undefined;
    const blocked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { find } = stage.work;
    stage.work.find = async (collection, query) => {
      if (query.sort !== undefined) await blocked;
      return (await find.call(stage.work, collection, query)) as never;
    };
    await stage.start({ ...rest, perform });
    await append({ label: 'n20' });
    await settle(LATE);
    answer();
    await done(21);
    expect(performed).to.deep.equal(labels(21));
  });

  for (const isShared of [false, true])
    it(`performs no timer twice that its lane finished before due tasks were read${isShared ? ', by shards' : ''}`, async () => {
      answerLate(({ where }) => where === undefined || !('lane' in where));
      const partitioned = { leases: handLeases(), shards: 1 };
      await stage.start(processor(stage.clock.now()), undefined, undefined, isShared ? partitioned : undefined);
      if (isShared) {
        await partitioned.leases.take('shard:00');
        await partitioned.leases.take('processor:timers');
        await stage.clock.advance(SECOND);
        await until('it has started', async () => (await stage.work.list()).includes('tasks_timers_by1'));
      }
      await append(...labels(400).map((label) => ({ label, inMs: 10 * SECOND })));
      await stage.clock.advance(MOMENT_MS);
      const pending = (): Promise<number> => stage.pending('timers', isShared ? 1 : undefined);
      await until('all are stored', async () => (await pending()) === 400);
      await stage.clock.advance(10 * SECOND);
      await until('all are done', async () => performed.length >= 400 && (await pending()) === 0);
      await settle(2 * LATE);
      expect(performed).to.have.members(labels(400));
      expect(performed).to.have.lengthOf(400);
    });

  it('ends a task that was erased in the store while it was running', async () => {
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => {
      end = resolve;
    });
    const sending = defineProcessor<Noted>({
      name: 'outbox',
      categories: ['note'],
      on: {
        Noted: ({ id, data }) => [
          { id, kind: 'send', lane: 'one', payload: { to: data.label, content: '' }, dueAt: begin + SECOND },
        ],
      },
      perform: {
        async send() {
          performed.push('begun');
          await ending;
          return { done: true };
        },
      },
    });
    const begin = stage.clock.now();
    await stage.start(sending);
    await append({ label: '+252611234567' });
    await stage.clock.advance(MOMENT_MS);
    await until('it is stored', async () => (await stage.pending('outbox')) === 1);
    await stage.clock.advance(SECOND);
    await until('it has started', () => performed.length === 1);
    const traces = { values: new Set(['+252611234567']), orders: new Set<string>() };
    for (let times = 0; times < 2; times++) await eraseTasks(stage.work, traces);
    end();
    await stage.clock.advance(MOMENT_MS);
    await until('nothing is pending', async () => (await stage.pending('outbox')) === 0);
  });
});
