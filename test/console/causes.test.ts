/** Causes of an event: the events in its chain of causes, earliest first. */
import { expect } from 'chai';
import { effectsOf } from '../../application/console/effects.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const id = (of: number): string => `00000000-0000-4000-8000-${String(of).padStart(12, '0')}`;
const event = (position: number, causationId?: string, workspaceId = 's1'): RecordedEvent => ({
  ...{ id: id(position), type: 'OrderNoted', data: {}, stream: `order-${position}`, revision: 0, position },
  meta: {
    ...{ at: '2026-03-01T09:00:00Z', actor: { type: 'system' }, correlationId: 'c1', workspaceId },
    ...(causationId !== undefined && { causationId }),
  },
});

describe('the causes of an event', () => {
  const effects = async (events: readonly RecordedEvent[], of: number) => {
    const nothing = { work: {} as never, reads: {} as never };
    const { causes, events: after } = await effectsOf({ log: memoryLog(events), ...nothing }, events[of]!, []);
    const positions = (all: readonly RecordedEvent[]) => all.map(({ position }) => position);
    return { before: positions(causes), after: positions(after) };
  };

  it('are followed from each event to the previous one, by its id or by a task', async () => {
    const events = [event(0), event(1), event(2, id(0)), event(3, `0000000003.${id(2)}`), event(4, id(3))];
    expect(await effects(events, 3)).to.deep.equal({ before: [0, 2], after: [4] });
    expect(await effects(events, 0)).to.deep.equal({ before: [], after: [1, 2, 3, 4] });
  });

  it('end at a command, another store or the event itself', async () => {
    expect((await effects([event(0), event(1, 'a command')], 1)).before).to.deep.equal([]);
    expect((await effects([event(0, undefined, 's2'), event(1, id(0))], 1)).before).to.deep.equal([]);
    expect((await effects([event(0, id(1)), event(1, id(0))], 1)).before).to.deep.equal([0]);
  });
});
