import { expect } from 'chai';
import fc from 'fast-check';
import { defineProcessor, type NewTask, type Outcome, type Task } from '../application/processors/processor.js';
import type { DomainEvent } from '../domain/decider.js';
import { until } from './support/fakeClock.js';
import { type ProcessorBench, processorBench } from './support/processorBench.js';

type Asked = DomainEvent<'WorkAsked', { tasks: NewTask[] }>;
const HOUR = 3_600_000;

const task = (id: string, lane = id, more: Partial<NewTask> = {}): NewTask => ({
  id,
  kind: 'work',
  lane,
  payload: {},
  ...more,
});
const asked = (...tasks: NewTask[]) => ({ type: 'WorkAsked', data: { tasks } });
const numbered = (count: number, lane?: string): NewTask[] =>
  Array.from({ length: count }, (_, i) => task(`${lane ?? 'task'}-${i}`, lane ?? `lane-${i % 50}`));

/** A processor that does with each task what `perform` says. */
const worker = (perform: (task: Task, signal: AbortSignal) => Promise<Outcome> | Outcome, concurrency = 64) =>
  defineProcessor<Asked>({
    name: 'worker',
    categories: ['job'],
    on: { WorkAsked: (event) => event.data.tasks },
    perform: { work: async (owed: Task<never>, { signal }) => perform(owed, signal) },
    concurrency,
  });

const done: Outcome = { done: true };
/** Done, once something was noted. */
const then = (_noted: unknown): Outcome => done;
const hang = (): Promise<never> => new Promise(() => undefined);

describe('processor runtime', () => {
  let bench: ProcessorBench;
  beforeEach(async () => {
    bench = await processorBench();
  });
  afterEach(() => bench.close());

  it('performs what events lead to, a lane one after another, and then owes nothing', async () => {
    const seen: string[] = [];
    const inLane = new Set<string>();
    let together = 0;
    await bench.start(
      worker(async ({ id, lane }) => {
        if (inLane.has(lane)) together++;
        inLane.add(lane);
        await new Promise((resolve) => setImmediate(resolve));
        inLane.delete(lane);
        seen.push(id);
        return done;
      }),
    );
    await bench.append('job-1', [asked(...numbered(40, 'a')), asked(...numbered(40, 'b'))]);
    await until('80 tasks are done', async () => seen.length === 80 && (await bench.owed('worker')) === 0);
    expect(together).to.equal(0);
    expect(seen.filter((id) => id.startsWith('a'))).to.have.ordered.members(numbered(40, 'a').map(({ id }) => id));
  });

  it('after a crash repeats at most what had no written outcome, and loses nothing', async () => {
    const begun: string[] = [];
    const first = await bench.start(worker(({ id }) => (begun.push(id) <= 300 ? done : hang())));
    await bench.append('job-1', [asked(...numbered(200)), asked(...numbered(400, 'c'))]);
    await until('it is in the middle', () => begun.length > 300);
    first.crash();
    const owed = await bench.owed('worker');
    const again: string[] = [];
    await bench.start(worker(({ id }) => then(again.push(id))));
    await until('the rest is done', async () => (await bench.owed('worker')) === 0);
    expect(again).to.have.lengthOf(owed);
    expect(new Set([...begun, ...again]).size).to.equal(600);
    expect(new Set(again).size).to.equal(again.length);
  });

  it('keeps timers over a restart', async () => {
    const performed: number[] = [];
    const processor = worker(({ createdAt }) => then(performed.push(bench.clock.now() - createdAt)));
    const first = await bench.start(processor);
    await bench.append('job-1', [asked(task('timer', 'lane', { dueAt: bench.clock.now() + HOUR }))]);
    await until('the timer is noted', async () => (await bench.owed('worker')) === 1);
    await bench.clock.advance(HOUR / 2);
    await first.runtime.stop();
    await bench.start(processor);
    await bench.clock.advance(HOUR / 2 - 1);
    expect(performed).to.deep.equal([]);
    await bench.clock.advance(1);
    await until('the timer has run', async () => (await bench.owed('worker')) === 0);
    expect(performed).to.deep.equal([HOUR]);
  });

  it('performs timers in the order of their time, whatever the order of noting', async () => {
    const performed: string[] = [];
    await bench.start(worker(({ id }) => then(performed.push(id))));
    const at = (hours: number) => task(`${hours}h`, 'lane', { dueAt: bench.clock.now() + hours * HOUR });
    await bench.append('job-1', [asked(at(5), at(1)), asked(at(3), at(2), at(4))]);
    await until('all are noted', async () => (await bench.owed('worker')) === 5);
    await bench.clock.advance(6 * HOUR);
    await until('all have run', async () => (await bench.owed('worker')) === 0);
    expect(performed).to.deep.equal(['1h', '2h', '3h', '4h', '5h']);
  });

  it('lets no lane wait for one that hangs with thousands owed, and keeps memory bounded', async () => {
    const performed = new Set<string>();
    const processor = worker(({ id, lane }) => (lane === 'stuck' ? hang() : performed.add(id) && done));
    const first = await bench.start(processor);
    await bench.append('job-1', [asked(...numbered(5000, 'stuck')), asked(...numbered(500))]);
    await until('the others are done', () => performed.size === 500);
    expect(first.runtime.status()[0]!.held).to.be.at.most(2000 + 64 + 500);
    first.crash();
    performed.clear();
    const second = await bench.start(processor);
    await bench.append('job-1', [asked(...numbered(200).map(({ id, lane }) => task(`late-${id}`, lane)))]);
    await until('the others are done after a restart too', () => performed.size >= 200);
    expect(second.runtime.status()[0]).to.include({ inFlight: 1 });
    expect(await bench.owed('worker')).to.be.within(5000, 5100);
  });

  it('goes on when more lanes hang than its memory has room for tasks', async () => {
    const performed = new Set<string>();
    const stuck = Array.from({ length: 120 }, (_, lane) => numbered(40, `stuck${lane}`)).flat();
    const processor = worker(({ id, lane }) => (lane.startsWith('stuck') ? hang() : performed.add(id) && done), 200);
    const { runtime } = await bench.start(processor);
    await bench.append('job-1', [asked(...stuck.slice(0, 2400)), asked(...stuck.slice(2400)), asked(...numbered(300))]);
    await until('the others are done', () => performed.size === 300);
    expect(runtime.status()[0]!.held).to.be.at.most(2000 + 200 + 500);
  });

  it('repeats what throws with a growing delay, with the attempt counted', async () => {
    const times: number[] = [];
    const attempts: number[] = [];
    await bench.start(
      worker(({ attempt }) => {
        times.push(bench.clock.now());
        attempts.push(attempt);
        if (attempt <= 8) throw new Error('not yet');
        return done;
      }),
    );
    await bench.append('job-1', [asked(task('stubborn'))]);
    await until('it is done', async () => {
      await bench.clock.advance(500);
      return attempts.length === 9 && (await bench.owed('worker')) === 0;
    });
    expect(attempts).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    [1, 2, 4, 8, 16, 32, 60, 60].forEach((seconds, i) => {
      expect(times[i + 1]! - times[i]!).to.be.within(seconds * 800, seconds * 1200 + 500);
    });
    expect(bench.warnings.join()).to.contain('not yet').and.to.contain('stubborn');
  });

  it('writes what comes with an outcome, and the tasks that follow from it', async () => {
    await bench.work.open({ name: 'notes', keys: { by: 'text' }, indexes: [{ keys: ['by'] }] });
    const note = (id: string) => ({ id, keys: { by: 'me' }, body: {}, revision: 1 });
    const processor = defineProcessor<Asked>({
      name: 'worker',
      categories: ['job'],
      on: { WorkAsked: (event) => event.data.tasks },
      perform: {
        work: async ({ id, attempt }) =>
          attempt === 1
            ? { again: { at: bench.clock.now() }, also: { notes: { put: [note(`${id}-tried`)] } } }
            : { done: true, next: [{ ...task(`${id}-next`), kind: 'last' }], also: { notes: { put: [note(id)] } } },
        last: async ({ id }) => ({ done: true, also: { notes: { put: [note(id)] } } }),
      },
    });
    await bench.start(processor);
    await bench.append('job-1', [asked(task('one'))]);
    await until('the last note is written', async () => (await bench.work.get('notes', 'one-next')) !== undefined);
    const notes = await bench.work.find('notes', { where: { by: 'me' }, sort: ['by'], limit: 10 });
    expect(notes.map(({ id }) => id)).to.have.members(['one-tried', 'one', 'one-next']);
    await until('nothing is owed', async () => (await bench.owed('worker')) === 0);
  });

  it('stops at an event that it cannot handle, says so, performs what is owed, and goes on once it can', async () => {
    const performed: string[] = [];
    let broken = true;
    const processor = defineProcessor<Asked>({
      ...worker(({ id }) => then(performed.push(id))),
      on: {
        WorkAsked: ({ data }) => {
          if (broken && data.tasks[0]?.id === 'poison') throw new Error('cannot read this');
          return data.tasks;
        },
      },
    });
    const first = await bench.start(processor);
    await bench.append('job-1', [asked(task('before'))]);
    await until('the first is done', () => performed.length === 1);
    await bench.append('job-2', [asked(task('poison')), asked(task('after'))]);
    const failed = () => first.runtime.status()[0]!.state === 'failed';
    await until('it has stopped', async () => {
      await bench.clock.advance(5000);
      return failed();
    });
    const [status] = first.runtime.status();
    expect(status!.failure!.message).to.contain('cannot read this');
    expect(status!.failure!.event).to.include({ type: 'WorkAsked', stream: 'job-2', revision: 0 });
    expect(performed).to.deep.equal(['before']);
    await first.runtime.stop();
    broken = false;
    await bench.start(processor);
    await until('the rest is done', () => performed.length === 3);
    expect(performed).to.deep.equal(['before', 'poison', 'after']);
  });

  it('aborts what is in flight when it stops, and performs it again after the start', async () => {
    const attempts: number[] = [];
    let hanging = true;
    const processor = worker(async ({ attempt }, signal) => {
      attempts.push(attempt);
      if (!hanging) return done;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopping'))));
      return done;
    });
    const first = await bench.start(processor);
    await bench.append('job-1', [asked(task('slow'))]);
    await until('it is in flight', () => attempts.length === 1);
    await first.runtime.stop();
    hanging = false;
    await bench.start(processor);
    await until('it is done', async () => (await bench.owed('worker')) === 0);
    expect(attempts).to.deep.equal([1, 1]);
  });

  it('begins at the end of the log when told to, and later where it left off', async () => {
    const performed: string[] = [];
    const processor = { ...worker(({ id }) => then(performed.push(id))), from: 'now' as const };
    await bench.append('job-1', [asked(task('old'))]);
    const first = await bench.start(processor);
    await first.runtime.stop();
    await bench.append('job-1', [asked(task('while away'))]);
    await bench.start(processor);
    await bench.append('job-1', [asked(task('new'))]);
    await until('two are done', () => performed.length === 2);
    expect(performed).to.deep.equal(['while away', 'new']);
  });

  it('reconciles under random failures and crashes: each task succeeds, none after its success was written', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ lane: fc.integer({ min: 0, max: 4 }), failures: fc.integer({ min: 0, max: 3 }) }), {
          minLength: 1,
          maxLength: 60,
        }),
        fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 3 }),
        async (jobs, crashes) => {
          const own = await processorBench();
          try {
            const successes = new Map<string, number>();
            let begun = 0;
            const processor = worker(({ id, attempt }) => {
              begun++;
              if (attempt <= jobs[Number(id)]!.failures) throw new Error('by chance');
              successes.set(id, (successes.get(id) ?? 0) + 1);
              return done;
            });
            await own.append('job-1', [asked(...jobs.map(({ lane }, i) => task(String(i), `lane-${lane}`)))]);
            let most = 1;
            let running = await own.start(processor);
            for (const after of crashes) {
              const end = begun + after;
              for (let i = 0; i < 5 && begun < end; i++) await own.clock.advance(1500);
              running.crash();
              most++;
              running = await own.start(processor);
            }
            await until('nothing is owed', async () => {
              await own.clock.advance(20_000);
              return successes.size === jobs.length && (await own.owed('worker')) === 0;
            });
            for (const count of successes.values()) expect(count).to.be.at.most(most);
          } finally {
            await own.close();
          }
        },
      ),
      { numRuns: 15 },
    )).timeout(60_000);
});
