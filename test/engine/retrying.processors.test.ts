/** Tasks that wait for another attempt, and processors that are stopped, retried at the operator's request. */
import { expect } from 'chai';
import type { DomainEvent } from '../../domain/decider.js';
import { type AnyProcessor, defineProcessor, type Task } from '../../engine/processors/processor.js';
import { bringForward, waitingTasks } from '../../engine/processors/retries.js';
import { until } from '../support/doubles/fakeClock.js';
import { MOMENT_MS, type ProcessorStage, processorStage } from '../support/stages/processorStage.js';
import { skipStage } from '../support/stages/skipStage.js';

type Requested = DomainEvent<'WorkRequested', { id: string; inMs?: number }>;

const HOUR_MS = 3_600_000;

/** The world outside, which refuses everything while it is closed. */
interface Outside {
  open: boolean;
  readable: boolean;
  readonly attempts: string[];
}

const sender = (outside: Outside): AnyProcessor =>
  defineProcessor<Requested>({
    name: 'sender',
    categories: ['job'],
    on: {
      WorkRequested({ data: { id, inMs }, meta }) {
        if (id === 'poison' && !outside.readable) throw new Error('cannot read this');
        const dueAt = inMs === undefined ? {} : { dueAt: Date.parse(meta.at) + inMs };
        return [{ id, kind: 'send', lane: id, payload: {}, ...dueAt }];
      },
    },
    perform: {
      async send({ id, attempt }: Task, { clock }) {
        outside.attempts.push(`${id} ${attempt}`);
        return outside.open ? { done: true } : { again: { at: clock.now() + 12 * HOUR_MS } };
      },
    },
  });

const requested = (id: string, inMs?: number) => ({
  type: 'WorkRequested',
  data: { id, ...(inMs !== undefined && { inMs }) },
});

describe('a processor with a retry request', () => {
  let stage: ProcessorStage;
  let outside: Outside;
  beforeEach(async () => {
    stage = await processorStage();
    outside = { open: false, readable: false, attempts: [] };
  });
  afterEach(() => stage.close());

  /** Retries as an operator does. Returns the number of tasks that were brought forward. */
  async function retry(expected: { task?: string; since?: number; eventId?: string } = {}): Promise<number> {
    const now = stage.clock.now();
    const { eventId, ...which } = expected;
    const tasks = await bringForward(stage.work, { processor: 'sender', ...which, now });
    const data = { name: 'sender', tasks, dueAt: new Date(now).toISOString(), ...(eventId && { eventId }) };
    await stage.append('processor-sender', [{ type: 'ProcessorRetried', data }]);
    return tasks;
  }

  /** Creates two tasks that failed and wait for half a day, and a timer of an hour. */
  async function waiting(): Promise<void> {
    await stage.start(sender(outside));
    await stage.append('job-1', [requested('a'), requested('timer', HOUR_MS)]);
    await until('the first was tried', () => outside.attempts.length === 1);
    await stage.clock.advance(1000);
    await stage.append('job-1', [requested('b')]);
    await until('the second was tried', () => outside.attempts.length === 2);
    await until('all are stored', async () => (await stage.pending('sender')) === 3);
    await until('both wait', async () => {
      await stage.clock.advance(100);
      return (await waitingTasks(stage.work, 'sender', 10)).filter(({ attempt }) => attempt === 2).length === 2;
    });
  }

  it('performs tasks that waited for a retry at once, but no timers', async () => {
    await waiting();
    outside.open = true;
    expect(await retry()).to.equal(2);
    await until('both are done', async () => (await stage.pending('sender')) === 1);
    expect(outside.attempts).to.have.members(['a 1', 'b 1', 'a 2', 'b 2']);
    const [timer] = await waitingTasks(stage.work, 'sender', 10);
    expect(timer).to.include({ id: 'timer', kind: 'send', attempt: 1, failures: 0 });
    expect(await retry(), 'nothing waits any more').to.equal(0);
  });

  it('performs a single task, also a timer before its time', async () => {
    await waiting();
    outside.open = true;
    expect(await retry({ task: 'b' })).to.equal(1);
    await until('it is done', async () => (await stage.pending('sender')) === 2);
    expect(await retry({ task: 'timer' })).to.equal(1);
    await until('it is done', async () => (await stage.pending('sender')) === 1);
    expect(outside.attempts).to.deep.equal(['a 1', 'b 1', 'b 2', 'timer 1']);
    expect(await retry({ task: 'timer' }), 'done').to.equal(0);
    expect(await retry({ task: 'unknown' })).to.equal(0);
  });

  it('performs tasks added since a given time', async () => {
    await waiting();
    outside.open = true;
    const { createdAt } = (await waitingTasks(stage.work, 'sender', 10)).find(({ id }) => id === 'b')!;
    expect(await retry({ since: createdAt })).to.equal(1);
    await until('it is done', async () => (await stage.pending('sender')) === 2);
    expect(outside.attempts).to.deep.equal(['a 1', 'b 1', 'b 2']);
  });

  it('continues on schedule after another failure', async () => {
    await waiting();
    expect(await retry({ task: 'a' })).to.equal(1);
    await until('it was tried', () => outside.attempts.length === 3);
    await until('it waits again', async () =>
      (await waitingTasks(stage.work, 'sender', 10)).some(({ id, attempt }) => id === 'a' && attempt === 3),
    );
    outside.open = true;
    await stage.clock.advance(13 * HOUR_MS);
    await until('all is done', async () => (await stage.pending('sender')) === 0);
    expect(outside.attempts.filter((one) => one.startsWith('a'))).to.deep.equal(['a 1', 'a 2', 'a 3']);
  });

  it('retries the event it stopped at, and stops again while it cannot be read', async () => {
    const { runtime } = await stage.start(sender(outside));
    outside.open = true;
    const [eventId] = await stage.append('job-1', [requested('poison'), requested('c')]);
    const pass = (what: string, holds: () => boolean) =>
      until(what, async () => {
        await stage.clock.advance(5000);
        return holds();
      });
    const failed = () => stage.warnings.filter((one) => one.startsWith('processor stopped')).length;
    await pass('it stands', () => failed() === 1);
    await retry({ eventId: eventId! });
    await pass('it stands again', () => failed() === 2);
    outside.readable = true;
    await retry({ eventId: eventId! });
    await pass('all is done', () => outside.attempts.length === 2);
    expect(outside.attempts).to.deep.equal(['poison 1', 'c 1']);
    expect(runtime.status()[0]).to.include({ state: 'running' }).and.not.to.have.property('failure');
  });

  it('does not skip: a later stop names the event, which can then be skipped', async () => {
    const { runtime } = await stage.start(sender(outside));
    const [eventId] = await stage.append('job-1', [requested('poison'), requested('c')]);
    const isCurrent = () => runtime.status()[0]!.failure?.event.id === eventId;
    const pass = (what: string, holds: () => boolean) =>
      until(what, async () => {
        await stage.clock.advance(5000);
        return holds();
      });
    await pass('it stands', isCurrent);
    await retry({ eventId: eventId! });
    await pass('it stands again', isCurrent);
    expect(await skipStage(stage.eventStore).processor(stage.work, 'sender')).to.equal(1);
    await pass('it goes on', () => outside.attempts.length === 1);
    expect(outside.attempts).to.deep.equal(['c 1']);
  });

  it('reports its recent throughput', async () => {
    const { runtime } = await stage.start(sender(outside));
    outside.open = true;
    expect(runtime.status()[0]!.effectsPerSecond).to.equal(0);
    await stage.append('job-1', [requested('a'), requested('b'), requested('c'), requested('d')]);
    await until('all are done', () => outside.attempts.length === 4);
    await stage.clock.advance(2000);
    expect(runtime.status()[0]!.effectsPerSecond).to.equal(2);
    await stage.clock.advance(6000);
    expect(runtime.status()[0]!.effectsPerSecond).to.equal(0);
  });

  it('retries within a minute what waits for a clock that was ahead, and leaves timers alone', async () => {
    await stage.clock.set(3 * HOUR_MS);
    await stage.start(sender(outside));
    await stage.append('job-1', [requested('late'), requested('timer', HOUR_MS)]);
    await until('it was tried', () => outside.attempts.length === 1);
    await stage.clock.advance(MOMENT_MS);
    outside.open = true;
    await stage.clock.set(-3 * HOUR_MS);
    await stage.clock.advance(HOUR_MS / 60);
    await until('it was tried again', () => outside.attempts.length === 2);
    expect(outside.attempts).to.deep.equal(['late 1', 'late 2']);
  });
});
