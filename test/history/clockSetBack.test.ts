/** Time ranges in a log with clock jumps: events on both sides of a jump are found. */
import { expect } from 'chai';
import { searchEvents } from '../../application/console/eventSearch.js';
import { positionBefore } from '../../application/history/historySteps.js';
import { subjectOf } from '../../application/history/historySubjects.js';
import { statesAt } from '../../application/history/pastStates.js';
import { type TimelineQuestion, timelineOf } from '../../application/history/timeline.js';
import type { HistoryIndex, TimeSpan } from '../../application/ports/historyIndex.js';
import { isSelected } from '../../upkeep/analysis/eventFeeder.js';
import { eventPages } from '../../upkeep/streams/eventPages.js';
import { type Given, minute, recorded } from '../support/spec/givenEvents.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const SHOP = '5f0c7a9e-1111-4000-8000-000000000001';
const AHEAD = '2036-01-01T00:00:00.000Z';
const COUNT = 78;
/** Times of renames, one per minute. The clock is years ahead at event 30 and an hour behind from event 50. */
const at = (n: number): string => (n === 30 ? AHEAD : minute(n < 50 ? n : n - 60));
const owner = { email: 'asha@example.com', name: 'Asha' };
const created = { name: '0', owner, country: 'SO', timezone: 'Africa/Mogadishu', locale: 'so', planKey: 'p' };
const given = Array.from({ length: COUNT }, (_, n): Given => {
  const named = n === 0 ? { type: 'StoreCreated', data: created } : { type: 'StoreRenamed', data: { name: `${n}` } };
  return { ...named, meta: { at: at(n), workspaceId: SHOP } };
});
const log = memoryLog(recorded(['store'], given, { stream: `store-${SHOP}` }));
const positions = (events: readonly { readonly position: number }[]): number[] => events.map((one) => one.position);
const within = ({ from = '', to = '9' }: { from?: string; to?: string }): number[] =>
  given.flatMap((_, n) => (at(n) >= from && at(n) < to ? [n] : []));

const RANGES = [{ to: minute(10) }, { from: minute(5), to: minute(40) }, { from: minute(20) }, { to: minute(60) }];
const ms = ({ from, to }: { from?: string; to?: string }): TimelineQuestion => ({
  ...(from !== undefined && { from: Date.parse(from) }),
  ...(to !== undefined && { to: Date.parse(to) }),
});

/** Time spans of ten events each, as the index stores them. */
const spans: readonly TimeSpan[] = Array.from({ length: 7 }, (_, n) => {
  const times = given.slice(n * 10, n * 10 + 10).map((__, i) => Date.parse(at(n * 10 + i)));
  return { through: n * 10 + 9, least: Math.min(...times), greatest: Math.max(...times) };
});
const index: HistoryIndex = {
  made: () => ({ through: 69, mark: { position: 69, id: log.events[69]!.id.replaceAll('-', '') }, secret: 'none' }),
  positions: () => [],
  spans: (after) => spans.filter(({ through }) => through > after),
};
const people = { everyone: async () => [], secret: async () => 'another' };
let reads = 0;
const indexed = {
  ...log,
  readAll: (...requested: Parameters<typeof log.readAll>) => {
    reads += 1;
    return log.readAll(...requested);
  },
  index: { index, people },
};

for (const [name, of] of [
  ['without an index', log],
  ['by the index', indexed],
] as const)
  describe(`a log whose clock was ahead and was set back, ${name}`, () => {
    for (const range of RANGES)
      it(`returns all of ${JSON.stringify(range)}`, async () => {
        const subject = await subjectOf({ log: of, reads: undefined as never }, { kind: 'store', id: SHOP });
        const page = await timelineOf(of, subject, ms(range), { limit: 100, withinMs: 5_000 });
        expect(positions(page.events), 'history').to.deep.equal(within(range));
        const found = await searchEvents(of, ms(range), { limit: 100 });
        expect(positions(found.events).toReversed(), 'search').to.deep.equal(within(range));
        const tailed: number[] = [];
        const requested = { ...ms(range), live: false };
        for await (const events of eventPages(of, requested, new AbortController().signal))
          tailed.push(...positions(events));
        expect(tailed, 'tail').to.deep.equal(within(range));
        const first = range.from === undefined ? -1 : await positionBefore(of, Date.parse(range.from));
        const expected = log.events.filter(
          (event) => event.position > first && isSelected({ ...event, data: '' }, ms(range)),
        );
        expect(positions(expected), 'query and export').to.deep.equal(within(range));
      });
  });

describe('a past state in a log whose clock was ahead and was set back', () => {
  it('includes the last event that happened by then', async () => {
    const subject = await subjectOf({ log, reads: undefined as never }, { kind: 'store', id: SHOP });
    const [early, late, ahead] = await statesAt(log, subject, [at(10), at(60), AHEAD].map(Date.parse), {
      ...{ withinMs: 5_000, now: Date.parse(AHEAD) },
    });
    const name = (of: object | undefined): unknown => (of as { name?: string } | undefined)?.name;
    // From event 50 the clock is an hour behind, so event 70 also has minute 10.
    expect([early, late, ahead].map(name)).to.deep.equal(['70', '60', `${COUNT - 1}`]);
  });
});

describe('the times in an index', () => {
  it('avoid reading events outside a range', async () => {
    expect(await positionBefore(indexed, Date.parse(minute(25)))).to.equal(19);
    reads = 0;
    const { events } = await searchEvents(indexed, { from: Date.parse(AHEAD) }, { limit: 10 });
    expect(positions(events)).to.deep.equal([30]);
    expect(reads).to.be.below(6);
  });
});
