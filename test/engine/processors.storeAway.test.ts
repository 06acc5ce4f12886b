/** A store that does not answer is never the fault of the event, the endpoint or the user: processors wait for it and count nothing. */
import { expect } from 'chai';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { defineProcessor, type Task } from '../../engine/processors/processor.js';
import { until } from '../support/doubles/fakeClock.js';
import { type ProcessorStage, processorStage } from '../support/stages/processorStage.js';

type Noted = { type: 'Noted'; data: { label: string } };

const MINUTE = 60_000;

describe('a processor whose stores are unavailable', () => {
  let stage: ProcessorStage;
  let isAway: boolean;
  let attempts: number[];
  beforeEach(async () => {
    stage = await processorStage();
    isAway = true;
    attempts = [];
  });
  afterEach(() => stage.close());

  const answer = async (): Promise<void> => {
    // As a driver wraps what it met.
    if (isAway) throw new Error('cannot read', { cause: new StoreUnavailable('no answer in time') });
  };
  const processor = (reads: 'event' | 'task', refuses = false) =>
    defineProcessor<Noted>({
      name: 'telling',
      categories: ['note'],
      on: {
        async Noted({ id }) {
          if (reads === 'event') await answer();
          return [{ id, kind: 'report', lane: 'one', payload: {} }];
        },
      },
      perform: {
        async report({ attempt }: Task<never>) {
          if (reads === 'task') await answer();
          attempts.push(attempt);
          if (refuses && attempt === 1) throw new Error('503 from the endpoint');
          return { done: true };
        },
      },
    });
  const append = () => stage.append('note-1', [{ type: 'Noted', data: { label: 'one' } }]);

  it('does not stop at an event, however long that lasts, reports it, and continues by itself', async () => {
    const { runtime } = await stage.start(processor('event'));
    const startedAt = stage.clock.now();
    await append();
    await until('it waits', () => runtime.status()[0]?.waitingSince !== undefined);
    await stage.clock.advance(10 * MINUTE);
    const status = runtime.status()[0]!;
    expect(status).to.include({ state: 'running', waitingSince: startedAt, lastTrouble: 'cannot read' });
    isAway = false;
    await stage.clock.advance(MINUTE + 15_000);
    await until('it is performed', () => attempts.length === 1);
    expect(runtime.status()[0]).not.to.have.property('waitingSince');
  });

  it('counts no attempt of a task, also across a restart', async () => {
    const first = await stage.start(processor('task', true));
    await append();
    await until('it waits', () => first.runtime.status()[0]?.waitingSince !== undefined);
    await stage.clock.advance(3 * MINUTE);
    first.crash();
    const { runtime } = await stage.start(processor('task', true));
    await stage.clock.advance(3 * MINUTE);
    expect(runtime.status()[0]!.state).to.equal('running');
    isAway = false;
    await stage.clock.advance(3 * MINUTE);
    await until('it is done', async () => (await stage.pending('telling')) === 0);
    expect(attempts, 'the endpoint counts its own failure').to.deep.equal([1, 2]);
  });
});
