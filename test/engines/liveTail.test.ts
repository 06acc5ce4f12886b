/** The newest events of the embedded log, as this thread wrote them. */
import { expect } from 'chai';
import { LiveTail, type WrittenHere } from '../../infrastructure/sqlite/eventStore/liveTail.js';

const META = '{"at":"2025-03-01T10:00:00.000Z","actor":{"type":"system"},"correlationId":"r"}';
const written = (position: number, types: readonly string[], data: readonly string[]): WrittenHere => ({
  stream: 'order-1',
  ids: types.map((_, index) => `00000000-0000-4000-8000-00000000000${position - types.length + 1 + index}`),
  ...{ types, data, meta: [META], revision: position, position },
});

describe('the newest events of the log', () => {
  const tail = new LiveTail(-1, () => {
    throw new Error('nothing need be read');
  });

  it('are parsed once if somebody needs them, and skipped otherwise', () => {
    // What nobody looks at need not even be JSON.
    tail.written(written(2, ['OrderPlaced', 'OrderNoted', 'OrderPlaced'], ['{"n":0}', 'not JSON', '{"n":2}']));
    const read = () => tail.read(-1, 2, { types: ['OrderPlaced'] }, 10)!;
    const { events, through, end, last } = read();
    expect(events.map(({ data, revision, position }) => [data, revision, position])).to.deep.equal([
      [{ n: 0 }, 0, 0],
      [{ n: 2 }, 2, 2],
    ]);
    expect([through, end, last?.revision]).to.deep.equal([2, true, 2]);
    expect(events[0]!.meta).to.equal(events[1]!.meta).and.to.deep.equal(JSON.parse(META));
    expect(read().events[0]).to.equal(events[0]);
  });

  it('report the end of the log, also if nobody needs the last event', () => {
    tail.written(written(3, ['OrderNoted'], ['not JSON']));
    const { events, through, last } = tail.read(2, 3, { categories: ['conversation'] }, 10)!;
    expect([events, through]).to.deep.equal([[], 3]);
    expect(last).to.deep.equal({
      ...{ stream: 'order-1', id: '00000000-0000-4000-8000-000000000003', revision: 3, position: 3 },
    });
  });
});
