import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainEvent } from '../../domain/decider.js';
import { defineProcessor, type NewTask, type Outcome, type Task } from '../../engine/processors/processor.js';
import { ViewBeingBuilt } from '../../engine/projections/documentReads.js';
import { settle, until } from '../support/doubles/fakeClock.js';
import { type ProcessorStage, processorStage } from '../support/stages/processorStage.js';

type Requested = DomainEvent<'WorkRequested', { tasks: NewTask[] }>;
const HOUR = 3_600_000;

const task = (id: string, lane = id, more: Partial<NewTask> = {}): NewTask => ({
  id,
  kind: 'work',
  lane,
  payload: {},
  ...more,
});
const requested = (...tasks: NewTask[]) => ({ type: 'WorkRequested', data: { tasks } });
const numbered = (count: number, lane?: string): NewTask[] =>
  Array.from({ length: count }, (_, i) => task(`${lane ?? 'task'}-${i}`, lane ?? `lane-${i % 50}`));

/** A processor that handles each task with `perform`. */
const worker = (perform: (task: Task, signal: AbortSignal) => Promise<Outcome> | Outcome, concurrency = 64) =>
  defineProcessor<Requested>({
    name: 'worker',
    categories: ['job'],
    on: { WorkRequested: (event) => event.data.tasks },
    perform: { work: async (pending: Task<never>, { signal }) => perform(pending, signal) },
    concurrency,
  });

const done: Outcome = { done: true };
/** Returns `done`, after its argument has recorded something. */
const then = (_noted: unknown): Outcome => done;
const hang = (): Promise<never> => new Promise(() => undefined);

const HOWS = ['done', 'slow', 'again', 'later', 'waits', 'next', 'also'] as const;
type Job = { lane: number; how: (typeof HOWS)[number] };
/** One line per event: the outcome of each of its tasks, followed by the lane. */
const TANGLED = `slow0 next0

slow0 again3 again2 later3 later1
also2 later1 next1 later2 later3

done1 slow2
slow3 next2 next1 slow3
later0
`;
const historyOf = (text: string): Job[][] =>
  text
    .split('\n')
    .map((line) => line.split(' ').filter((one) => one !== ''))
    .map((line) => line.map((one) => ({ lane: Number(one.at(-1)), how: one.slice(0, -1) as Job['how'] })));

describe('processor runtime', () => {
  let stage: ProcessorStage;
  beforeEach(async () => {
    stage = await processorStage();
  });
  afterEach(() => stage.close());

  it('performs the tasks of events, each lane in order, until nothing is pending', async () => {
    const seen: string[] = [];
    const inLane = new Set<string>();
    let together = 0;
    await stage.start(
      worker(async ({ id, lane }) => {
        if (inLane.has(lane)) together++;
        inLane.add(lane);
        await new Promise((resolve) => setImmediate(resolve));
        inLane.delete(lane);
        seen.push(id);
        return done;
      }),
    );
    await stage.append('job-1', [requested(...numbered(40, 'a')), requested(...numbered(40, 'b'))]);
    await until('80 tasks are done', async () => seen.length === 80 && (await stage.pending('worker')) === 0);
    expect(together).to.equal(0);
    expect(seen.filter((id) => id.startsWith('a'))).to.have.ordered.members(numbered(40, 'a').map(({ id }) => id));
  });

  it('repeats after a crash at most tasks without a stored outcome, and loses none', async () => {
    const started: string[] = [];
    const first = await stage.start(worker(({ id }) => (started.push(id) <= 300 ? done : hang())));
    await stage.append('job-1', [requested(...numbered(200)), requested(...numbered(400, 'c'))]);
    await until('it is in the middle', () => started.length > 300);
    first.crash();
    const pending = await stage.pending('worker');
    const again: string[] = [];
    await stage.start(worker(({ id }) => then(again.push(id))));
    await until('the others are done', async () => (await stage.pending('worker')) === 0);
    expect(again).to.have.lengthOf(pending);
    expect(new Set([...started, ...again]).size).to.equal(600);
    expect(new Set(again).size).to.equal(again.length);
  });

  it('does not store tasks that finish at once, and stores others a moment later, with the checkpoint', async () => {
    const written: string[] = [];
    const { write } = stage.work;
    stage.work.write = async (batches, ...checkpoints) => {
      written.push(...(batches.tasks_worker?.put ?? []).map(({ id }) => id));
      await write(batches, ...checkpoints);
    };
    const performed = new Set<string>();
    let release: (outcome: Outcome) => void = () => undefined;
    const slow = new Promise<Outcome>((resolve) => {
      release = resolve;
    });
    const { runtime } = await stage.start(worker(({ id }) => (performed.add(id) && id === 'slow' ? slow : done)));
    const at = () => runtime.status()[0]!.position;
    await stage.append('job-1', [requested(...numbered(100))]);
    await until('they are done', () => performed.size === 100 && at() === 0);
    await stage.clock.advance(600);
    expect(await stage.work.checkpoint('processor_worker')).to.equal(0);
    await stage.append('job-1', [requested(task('slow')), requested(...numbered(200).slice(100))]);
    await until('all but one are done', () => performed.size === 201);
    expect(at(), 'it is behind what is owed').to.equal(0);
    expect(await stage.work.checkpoint('processor_worker')).to.equal(0);
    expect(written).to.deep.equal([]);
    await stage.clock.advance(600);
    expect(written).to.deep.equal(['slow']);
    expect(at()).to.equal(2);
    expect(await stage.work.checkpoint('processor_worker')).to.equal(2);
    expect(await stage.pending('worker')).to.equal(1);
    release(done);
    await until('nothing is pending', async () => (await stage.pending('worker')) === 0);
  });

  it('keeps the order of a lane, whether its tasks are stored or not', async () => {
    const seen: string[] = [];
    await stage.start(
      worker(({ id, lane }) => {
        seen.push(id);
        return id.endsWith('3') ? { done: true, next: [task(`${id}x`, lane)] } : done;
      }),
    );
    const ids = Array.from({ length: 300 }, (_, i) => String(i).padStart(3, '0'));
    for (let from = 0; from < 300; from += 60)
      await stage.append(
        'job-1',
        ['a', 'b', 'c'].map((lane) => requested(...ids.slice(from, from + 60).map((id) => task(lane + id, lane)))),
      );
    await until('all are done', () => seen.length === 990);
    for (const lane of ['a', 'b', 'c'])
      expect(seen.filter((id) => id.startsWith(lane) && !id.endsWith('x'))).to.deep.equal(ids.map((id) => lane + id));
  });

  it('keeps timers across a restart', async () => {
    const performed: number[] = [];
    const processor = worker(({ createdAt }) => then(performed.push(stage.clock.now() - createdAt)));
    const first = await stage.start(processor);
    await stage.append('job-1', [requested(task('timer', 'lane', { dueAt: stage.clock.now() + HOUR }))]);
    await stage.clock.advance(600);
    await until('the timer is stored', async () => (await stage.pending('worker')) === 1);
    await stage.clock.advance(HOUR / 2);
    await first.runtime.stop();
    await stage.start(processor);
    await stage.clock.advance(HOUR / 2 - 601);
    expect(performed).to.deep.equal([]);
    await stage.clock.advance(1);
    await until('the timer has run', async () => (await stage.pending('worker')) === 0);
    expect(performed).to.deep.equal([HOUR]);
  });

  it('stores waiting tasks with a delay, and performs them on time across a restart', async () => {
    const writes: number[] = [];
    const { write } = stage.work;
    stage.work.write = async (batches, ...checkpoints) => {
      writes.push(batches.tasks_worker?.put?.length ?? 0);
      await write(batches, ...checkpoints);
    };
    const [started, performed]: [string[], number[]] = [[], []];
    const at = stage.clock.now() + HOUR;
    const processor = worker(({ id, attempt }) => {
      started.push(id);
      if (attempt === 1) return { again: { at, payload: { place: id }, unbegun: true } };
      return then(performed.push(stage.clock.now()));
    });
    const first = await stage.start(processor);
    await stage.append(
      'job-1',
      numbered(40).map((one) => requested(one)),
    );
    await until('all wait', () => started.length === 40);
    await settle();
    expect(writes, 'nothing is written yet').to.deep.equal([]);
    await stage.clock.advance(1_000);
    await until('they are written', async () => (await stage.pending('worker')) === 40);
    expect(writes.filter((count) => count > 0)).to.deep.equal([40]);
    await first.runtime.stop();
    await stage.start(processor);
    await stage.clock.advance(HOUR);
    await until('nothing is pending', async () => (await stage.pending('worker')) === 0);
    expect([performed.length, new Set(performed)]).to.deep.equal([40, new Set([at])]);
  });

  it('performs timers in the order of their times, however they were added', async () => {
    const performed: string[] = [];
    await stage.start(worker(({ id }) => then(performed.push(id))));
    const at = (hours: number) => task(`${hours}h`, 'lane', { dueAt: stage.clock.now() + hours * HOUR });
    await stage.append('job-1', [requested(at(5), at(1)), requested(at(3), at(2), at(4))]);
    await stage.clock.advance(600);
    await until('all are stored', async () => (await stage.pending('worker')) === 5);
    await stage.clock.advance(6 * HOUR);
    await until('all have run', async () => (await stage.pending('worker')) === 0);
    expect(performed).to.deep.equal(['1h', '2h', '3h', '4h', '5h']);
  });

  it('delays no lane for a hanging one with thousands of tasks, and limits memory', async () => {
    const performed = new Set<string>();
    const processor = worker(({ id, lane }) => (lane === 'stuck' ? hang() : performed.add(id) && done));
    const first = await stage.start(processor);
    await stage.append('job-1', [requested(...numbered(5000, 'stuck')), requested(...numbered(500))]);
    await until('the others are done', () => performed.size === 500);
    expect(first.runtime.status()[0]!.inMemory).to.be.at.most(2000 + 64 + 500);
    first.crash();
    performed.clear();
    const second = await stage.start(processor);
    await stage.append('job-1', [requested(...numbered(200).map(({ id, lane }) => task(`late-${id}`, lane)))]);
    await until('the others are done after a restart too', () => performed.size >= 200);
    await until('only the one that hangs is in flight', () => second.runtime.status()[0]!.inFlight === 1);
    await until('the outcomes are written', async () => (await stage.pending('worker')) <= 5100);
    expect(await stage.pending('worker')).to.be.at.least(5000);
  });

  it('starts pending tasks after a restart before all have been scanned', async () => {
    const LANES = 4000;
    const first = await stage.start(worker(hang));
    await stage.append('job-1', [requested(...numbered(LANES).map(({ id }) => task(id)))]);
    await until('all are stored', async () => (await stage.pending('worker')) === LANES);
    first.crash();
    const known: number[] = [];
    const second = await stage.start(
      worker(async () => {
        // Takes at least one turn of the event loop, like any effect.
        await new Promise((resolve) => setImmediate(resolve));
        known.push(second.runtime.status()[0]!.lanes);
        return done;
      }),
    );
    await until('the first is done', () => known.length > 0);
    expect(known[0]).to.be.below(LANES / 2);
    await until('all are done', async () => (await stage.pending('worker')) === 0);
    expect(known).to.have.lengthOf(LANES);
  });

  it('continues when more lanes hang than memory has room for', async () => {
    const performed = new Set<string>();
    const stuck = Array.from({ length: 120 }, (_, lane) => numbered(40, `stuck${lane}`)).flat();
    const processor = worker(({ id, lane }) => (lane.startsWith('stuck') ? hang() : performed.add(id) && done), 200);
    const { runtime } = await stage.start(processor);
    await stage.append('job-1', [
      requested(...stuck.slice(0, 2400)),
      requested(...stuck.slice(2400)),
      requested(...numbered(300)),
    ]);
    await until('the others are done', () => performed.size === 300);
    expect(runtime.status()[0]!.inMemory).to.be.at.most(2000 + 200 + 500);
  });

  it('retries failing tasks with growing delays and a counted attempt', async () => {
    const times: number[] = [];
    const attempts: number[] = [];
    await stage.start(
      worker(({ attempt }) => {
        times.push(stage.clock.now());
        attempts.push(attempt);
        if (attempt <= 8) throw new Error('not yet');
        return done;
      }),
    );
    await stage.append('job-1', [requested(task('stubborn'))]);
    await until('it is done', async () => {
      await stage.clock.advance(500);
      return attempts.length === 9 && (await stage.pending('worker')) === 0;
    });
    expect(attempts).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    [1, 2, 4, 8, 16, 32, 60, 60].forEach((seconds, i) => {
      expect(times[i + 1]! - times[i]!).to.be.within(seconds * 800, seconds * 1200 + 500);
    });
    expect(stage.warnings.join()).to.contain('not yet').and.to.contain('stubborn');
  });

  it('stores the events of an outcome and its follow-up tasks', async () => {
    await stage.work.open({ name: 'notes', keys: { by: 'text' }, indexes: [{ keys: ['by'] }] });
    const note = (id: string) => ({ id, keys: { by: 'me' }, body: {}, revision: 1 });
    const processor = defineProcessor<Requested>({
      name: 'worker',
      categories: ['job'],
      on: { WorkRequested: (event) => event.data.tasks },
      perform: {
        work: async ({ id, attempt }) =>
          attempt === 1
            ? { again: { at: stage.clock.now() }, also: { notes: { put: [note(`${id}-tried`)] } } }
            : { done: true, next: [{ ...task(`${id}-next`), kind: 'last' }], also: { notes: { put: [note(id)] } } },
        last: async ({ id }) => ({ done: true, also: { notes: { put: [note(id)] } } }),
      },
    });
    await stage.start(processor);
    await stage.append('job-1', [requested(task('one'))]);
    await until('the last note is written', async () => (await stage.work.get('notes', 'one-next')) !== undefined);
    const notes = await stage.work.find('notes', { where: { by: 'me' }, sort: ['by'], limit: 10 });
    expect(notes.map(({ id }) => id)).to.have.members(['one-tried', 'one', 'one-next']);
    await until('nothing is pending', async () => (await stage.pending('worker')) === 0);
  });

  it('stops with a report at an event that it cannot handle, performs pending tasks, and continues once it can', async () => {
    const performed: string[] = [];
    let broken = true;
    const processor = defineProcessor<Requested>({
      ...worker(({ id }) => then(performed.push(id))),
      on: {
        WorkRequested: ({ data }) => {
          if (broken && data.tasks[0]?.id === 'poison') throw new Error('cannot read this');
          return data.tasks;
        },
      },
    });
    const first = await stage.start(processor);
    await stage.append('job-1', [requested(task('before'))]);
    await until('the first is done', () => performed.length === 1);
    await stage.append('job-2', [requested(task('poison')), requested(task('after'))]);
    const failed = () => first.runtime.status()[0]!.state === 'failed';
    await until('it has stopped', async () => {
      await stage.clock.advance(5000);
      return failed();
    });
    const [status] = first.runtime.status();
    expect(status!.failure!.message).to.contain('cannot read this');
    expect(status!.failure!.event).to.include({ type: 'WorkRequested', stream: 'job-2', revision: 0 });
    expect(performed).to.deep.equal(['before']);
    await first.runtime.stop();
    broken = false;
    await stage.start(processor);
    await until('the rest is done', () => performed.length === 3);
    expect(performed).to.deep.equal(['before', 'poison', 'after']);
  });

  it('aborts running tasks on stop, and performs them again after the start', async () => {
    const attempts: number[] = [];
    let hanging = true;
    const processor = worker(async ({ attempt }, signal) => {
      attempts.push(attempt);
      if (!hanging) return done;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopping'))));
      return done;
    });
    const first = await stage.start(processor);
    await stage.append('job-1', [requested(task('slow'))]);
    await until('it is in flight', () => attempts.length === 1);
    await first.runtime.stop();
    hanging = false;
    await stage.start(processor);
    await until('it is done', async () => (await stage.pending('worker')) === 0);
    expect(attempts).to.deep.equal([1, 1]);
  });

  it('waits for a view that is being built, with one log line, and counts no failure', async () => {
    let built = false;
    const attempts: string[] = [];
    const read = (where: string): void => {
      attempts.push(where);
      if (!built) throw new ViewBeingBuilt('baskets', 45, new Error('unknown_collection'));
    };
    const reading = defineProcessor<Requested>({
      name: 'worker',
      categories: ['job'],
      on: {
        WorkRequested: ({ data }) => {
          if (data.tasks.length > 1) read('on');
          return data.tasks;
        },
      },
      perform: { work: async ({ id }) => then(read(id)) },
    });
    const { runtime } = await stage.start(reading);
    await stage.append('job-1', [requested(task('a')), requested(task('b'), task('c'))]);
    await until('it has tried both', () => attempts.includes('a') && attempts.includes('on'));
    // Longer than five attempts to read an unreadable event would take.
    for (let i = 0; i < 40; i += 1) await stage.clock.advance(1000);
    expect(runtime.status()[0]).to.deep.include({ state: 'running' });
    expect(runtime.status()[0]).to.not.have.property('failure');
    expect(stage.warnings).to.deep.equal([]);
    built = true;
    await stage.clock.advance(2000);
    await until(
      'all is done',
      async () => (await stage.pending('worker')) === 0 && runtime.status()[0]!.position === 1,
    );
    expect(attempts.filter((one) => one !== 'on').slice(-3)).to.have.members(['a', 'b', 'c']);
  });

  it('starts when its input is available, and can be stopped before', async () => {
    const begin: (() => void)[] = [];
    const seen: string[] = [];
    const ready = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        begin.push(resolve);
        signal.addEventListener('abort', () => resolve());
      });
    const stopped = await stage.start(
      worker(({ id }) => then(seen.push(id))),
      ready,
    );
    await stage.append('job-1', [requested(task('a'))]);
    await stopped.runtime.stop();
    const { runtime } = await stage.start(
      worker(({ id }) => then(seen.push(id))),
      ready,
    );
    expect(runtime.status()[0]!.state).to.equal('running');
    await settle();
    expect(seen).to.deep.equal([]);
    begin[1]!();
    await until('it is done', () => seen.length === 1);
  });

  it('starts at the end of the log if configured, and later continues from its checkpoint', async () => {
    const performed: string[] = [];
    const processor = { ...worker(({ id }) => then(performed.push(id))), from: 'now' as const };
    await stage.append('job-1', [requested(task('old'))]);
    const first = await stage.start(processor);
    await first.runtime.stop();
    await stage.append('job-1', [requested(task('while away'))]);
    await stage.start(processor);
    await stage.append('job-1', [requested(task('new'))]);
    await until('two are done', () => performed.length === 2);
    expect(performed).to.deep.equal(['while away', 'new']);
  });

  it('stores no task of an event after the checkpoint, wherever it stops, and loses none', () => {
    const jobs = fc.array(
      fc.array(
        fc.record({
          lane: fc.integer({ min: 0, max: 3 }),
          how: fc.constantFrom(...HOWS),
        }),
        { maxLength: 5 },
      ),
      { minLength: 1, maxLength: 12 },
    );
    const waits = new Map([
      ['again', 0],
      ['later', 200],
      ['waits', 5_200],
    ]);
    const outcomes = new Map<string, (id: string, lane: string) => Outcome>([
      ['next', (id, lane) => ({ done: true, next: [task(`${id}.n`, lane)] })],
      ['also', (id) => ({ done: true, also: { notes: { put: [{ id, keys: {}, body: {}, revision: 1 }] } } })],
    ]);
    const spans = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 4 });
    return fc.assert(
      fc.asyncProperty(jobs, spans, async (events, crashes) => {
        const own = await processorStage();
        try {
          await own.work.open({ name: 'notes', keys: {}, indexes: [] });
          const done = new Set<string>();
          const how = new Map(events.flatMap((some, i) => some.map((one, j) => [`${i}.${j}`, one.how])));
          const perform = async ({ id, lane, attempt }: Task): Promise<Outcome> => {
            const kind = how.get(id) ?? 'done';
            if (kind === 'slow') await new Promise<void>((resolve) => own.clock.at(own.clock.now() + 150, resolve));
            const wait = attempt > 2 ? undefined : waits.get(kind);
            if (wait !== undefined)
              return { again: { at: own.clock.now() + wait, ...(kind === 'waits' && { unbegun: true }) } };
            done.add(id);
            return outcomes.get(kind)?.(id, lane) ?? { done: true };
          };
          const all = [...how].flatMap(([id, kind]) => (kind === 'next' ? [id, `${id}.n`] : [id]));
          let running = await own.start(worker(perform, 3));
          for (const [i, some] of events.entries())
            await own.append('job-1', [requested(...some.map(({ lane }, j) => task(`${i}.${j}`, `lane-${lane}`)))]);
          for (const span of crashes) {
            await own.clock.advance(span);
            const stored = await own.work.find('tasks_worker', { limit: 1000 });
            const checkpoint = await own.work.checkpoint('processor_worker');
            for (const { id } of stored) expect(Number(id.split('.')[0]), id).to.be.at.most(checkpoint);
            running.crash();
            running = await own.start(worker(perform, 3));
          }
          await until('all is done', async () => {
            await own.clock.advance(300);
            return all.every((id) => done.has(id)) && (await own.pending('worker')) === 0;
          });
          await running.runtime.stop();
          expect(await own.work.checkpoint('processor_worker')).to.equal(events.length - 1);
          expect(await own.work.count('notes', {}, 100)).to.equal(
            [...how.values()].filter((one) => one === 'also').length,
          );
        } finally {
          await own.close();
        }
      }),
      // In this example a task with a follow-up and a task that is due later ended in one write.
      { numRuns: 12, examples: [[historyOf(TANGLED), [188]]] },
    );
  });

  it('performs each task once under random failures and crashes, and none after its success was stored', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ lane: fc.integer({ min: 0, max: 4 }), failures: fc.integer({ min: 0, max: 3 }) }), {
          minLength: 1,
          maxLength: 60,
        }),
        fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 3 }),
        async (jobs, crashes) => {
          const own = await processorStage();
          try {
            const successes = new Map<string, number>();
            let started = 0;
            const processor = worker(({ id, attempt }) => {
              started++;
              if (attempt <= jobs[Number(id)]!.failures) throw new Error('by chance');
              successes.set(id, (successes.get(id) ?? 0) + 1);
              return done;
            });
            await own.append('job-1', [requested(...jobs.map(({ lane }, i) => task(String(i), `lane-${lane}`)))]);
            let most = 1;
            let running = await own.start(processor);
            for (const after of crashes) {
              const end = started + after;
              for (let i = 0; i < 5 && started < end; i++) await own.clock.advance(1500);
              running.crash();
              most++;
              running = await own.start(processor);
            }
            await until('nothing is pending', async () => {
              await own.clock.advance(20_000);
              return successes.size === jobs.length && (await own.pending('worker')) === 0;
            });
            for (const count of successes.values()) expect(count).to.be.at.most(most);
          } finally {
            await own.close();
          }
        },
      ),
      { numRuns: 15 },
    ));
});
