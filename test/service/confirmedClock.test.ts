import { expect } from 'chai';
import { StoreUnavailable } from '../../engine/ports/eventStore.js';
import { confirmedClock } from '../../service/composition/confirmedClock.js';
import { failing } from '../support/doubles/blockedCalls.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const meta = { at: '2020-03-01T09:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'c' };
const event = { id: 'e', type: 'OrderPaid', data: {}, stream: 'order-1', revision: 0, position: 0, meta };

describe('the clock at a start', () => {
  it('is compared with the newest event also if the event store did not answer at first', async () => {
    const work = { find: () => Promise.reject(new StoreUnavailable('no answer in time')) };
    let failures = 1;
    const log = failing(memoryLog([event]), 'head', () => {
      failures -= 1;
      return failures < 0 ? undefined : new StoreUnavailable('no answer in time');
    });
    const again = <T>(step: () => Promise<T>): Promise<T> => step().catch(step);
    const lines: string[] = [];
    const warn = (_: object, line: string): void => void lines.push(line);
    const clock = await confirmedClock({ log, work: work as never }, { warn: warn as never }, again);
    expect(clock.evidence!.report()).to.match(/days ahead of the newest event/);
    expect(lines).to.deep.equal([clock.evidence!.report()]);
  });
});
