/** The log as it grows, and reading back through the log. */
import { expect } from 'chai';
import { firstValueFrom, lastValueFrom, take, tap, toArray } from 'rxjs';
import { searchEvents } from '../../application/console/eventSearch.js';
import { MOST_LIVE, sampled } from '../../application/console/liveBatches.js';
import { liveEvents } from '../../application/console/liveEvents.js';
import type { Position, RecordedEvent, Subscriber } from '../../engine/ports/eventStore.js';
import { lateStore } from '../support/doubles/lateStore.js';
import { memoryLog } from '../support/spec/memoryLog.js';

const SHOP = 's1';
const event = (position: number, type = 'OrderPlaced', workspaceId = SHOP): RecordedEvent => ({
  id: `e${position}`,
  type,
  data: {},
  stream: `order-${position % 7}`,
  revision: Math.floor(position / 7),
  position,
  meta: {
    at: new Date(Date.parse('2026-03-01T09:00:00Z') + position * 1000).toISOString(),
    actor: { type: 'system' },
    correlationId: `c${position % 3}`,
    workspaceId,
  },
});
const history = (count: number): RecordedEvent[] => Array.from({ length: count }, (_, i) => event(i));
const positions = ({ events }: { events: readonly RecordedEvent[] }): number[] =>
  events.map(({ position }) => position);

/** Returns a log that delivers to its subscribers the events that the test passes to `grow`. */
function growing(started: readonly RecordedEvent[]) {
  const log = memoryLog(started);
  const subscribers = new Map<number, Subscriber>();
  let count = 0;
  return {
    count: () => count,
    open: () => subscribers.size,
    grow: (...events: RecordedEvent[]) => {
      for (const one of subscribers.values()) void one.batch(events, events.at(-1)!.position);
    },
    log: {
      ...log,
      subscribe(_: Position, __: object, subscriber: Subscriber) {
        const id = count++;
        subscribers.set(id, subscriber);
        return { stop: async () => void subscribers.delete(id), ended: new Promise<void>(() => undefined) };
      },
    },
  };
}

/** Returns a log that grows by appends. Subscribers receive the events after their position. */
function followed(started: readonly RecordedEvent[]) {
  const log = memoryLog(started);
  const subscribers = new Set<(events: readonly RecordedEvent[]) => void>();
  return {
    ...log,
    async append(...given: Parameters<typeof log.append>) {
      const appended = await log.append(...given);
      for (const report of subscribers) report(log.events.slice(-given[2].length));
      return appended;
    },
    subscribe(after: Position, _: object, { batch }: Subscriber) {
      const report = (events: readonly RecordedEvent[]): void => void batch(events, events.at(-1)!.position);
      const before = log.events.filter(({ position }) => position > after);
      if (before.length > 0) report(before);
      subscribers.add(report);
      return { stop: async () => void subscribers.delete(report), ended: new Promise<void>(() => undefined) };
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the live tail', () => {
  it('reads the log once for all watchers, and stops with the last', async () => {
    const source = growing(history(3));
    const live = liveEvents(source.log, 5);
    const watching = [1, 2, 3].map(() => firstValueFrom(live.watch({})));
    await turn();
    expect([source.count(), source.open()]).to.deep.equal([1, 1]);
    source.grow(event(3), event(4));
    expect((await Promise.all(watching)).map(positions)).to.deep.equal([
      [3, 4],
      [3, 4],
      [3, 4],
    ]);
    expect(source.open()).to.equal(0);
  });

  it('returns only what is requested', async () => {
    const source = growing([]);
    const live = liveEvents(source.log, 5);
    const watching = firstValueFrom(live.watch({ workspaceId: SHOP, types: ['OrderPaid'] }));
    await turn();
    source.grow(event(1), event(2, 'OrderPaid'), event(3, 'OrderPaid', 'another'));
    expect(positions(await watching)).to.deep.equal([2]);
  });

  it('continues from a position without gaps or duplicates', async () => {
    const source = growing(history(10));
    const live = liveEvents(source.log, 5);
    const watching = lastValueFrom(live.watch({}, 6).pipe(take(2), toArray()));
    await turn();
    source.grow(event(9), event(10), event(11));
    const seen = (await watching).flatMap(positions);
    expect(seen).to.deep.equal([7, 8, 9, 10, 11]);
  });

  it('misses no event appended while the positions of both reads are determined', async () => {
    const late = lateStore(followed(history(3)));
    const ofLive = late.hold('head');
    const watching = firstValueFrom(liveEvents(late.store, 5).watch({}, 2));
    const head = await ofLive;
    await turn();
    const { id, type, data, meta } = event(3);
    await late.store.append('order-3', 'any', [{ id, type, data, meta }]);
    await head.answer();
    await turn();
    const next = event(4);
    await late.store.append('order-4', 'any', [{ id: next.id, type, data, meta: next.meta }]);
    expect(positions(await watching)[0]).to.equal(3);
  });

  it('misses no event when it shares the catch-up of an earlier tab', async () => {
    const late = lateStore(followed(history(3)));
    const live = liveEvents(late.store, 5);
    const others = firstValueFrom(live.watch({}));
    await turn();
    const read = late.hold('readAll');
    const first = firstValueFrom(live.watch({}, 1));
    const page = await read;
    await page.takeEffect();
    const { id, type, data, meta } = event(3);
    await late.store.append('order-3', 'any', [{ id, type, data, meta }]);
    expect(positions(await others)).to.deep.equal([3]);
    const second = firstValueFrom(live.watch({}, 1));
    await turn();
    await page.answer();
    expect(positions(await first)).to.deep.equal([2]);
    expect(positions(await second)).to.deep.equal([2, 3]);
  });

  it('returns after an interruption the newest events, the number of the missed ones, and their time', async () => {
    const { log } = growing(history(500));
    const caughtUp = await firstValueFrom(liveEvents(log, 5).watch({}, 99));
    expect(positions(caughtUp)).to.deep.equal(Array.from({ length: 50 }, (_, i) => 450 + i));
    const [from, last] = [event(100).meta.at, Date.parse(event(449).meta.at)];
    expect(caughtUp.missed).to.deep.equal({
      ...{ count: 350, atLeast: false, from },
      to: new Date(last + 1).toISOString(),
    });
    expect([caughtUp.left, caughtUp.through]).to.deep.equal([0, 499]);
    const found = await searchEvents(log, { from: Date.parse(from), to: last + 1 }, { limit: 500 });
    expect(positions(found), 'the range holds what is not told').to.deep.equal(
      Array.from({ length: 350 }, (_, i) => 449 - i),
    );
  });

  it('reports no interruption if all events are returned', async () => {
    const { log } = growing(history(500));
    const { events, missed } = await firstValueFrom(liveEvents(log, 5).watch({ types: ['OrderPlaced'] }, 449));
    expect([events.length, missed]).to.deep.equal([50, undefined]);
  });

  it('continues from the end of the log if more was missed than is scanned', async () => {
    const { log } = growing(history(60_000));
    const { events, missed, through } = await firstValueFrom(liveEvents(log, 5).watch({}, 99));
    expect([through, events.at(-1)!.position, events.length]).to.deep.equal([59_999, 59_999, 50]);
    expect(missed).to.include({ atLeast: true, from: event(100).meta.at });
    expect(missed!.count).to.be.within(500, 20_500);
  });

  it('reads once for all tabs that reconnect together', async () => {
    const source = growing(history(500));
    let read = 0;
    const log = {
      ...source.log,
      readAll: (...requested: Parameters<typeof source.log.readAll>) => {
        read += 1;
        return source.log.readAll(...requested);
      },
    };
    const live = liveEvents(log, 5);
    await Promise.all(Array.from({ length: 20 }, () => firstValueFrom(live.watch({}, 99))));
    expect(read).to.equal(1);
  });

  it('returns a burst completely, a sample of continuous load, and counts the rest', async () => {
    const source = growing([]);
    const live = liveEvents(source.log, 5);
    let position = 0;
    const grow = () => source.grow(...Array.from({ length: 100 }, () => event(position++)));
    const watching = lastValueFrom(
      live.watch({}).pipe(
        tap(() => queueMicrotask(grow)),
        take(4),
        toArray(),
      ),
    );
    await turn();
    grow();
    const batches = await watching;
    expect(batches.map(({ events, left }) => [events.length, left])).to.deep.equal([
      [50, 50],
      [15, 85],
      [15, 85],
      [15, 85],
    ]);
    expect(batches.map(({ through }) => through)).to.deep.equal([99, 199, 299, 399]);
  });

  it('builds each batch once for all equal requests', async () => {
    const source = growing([]);
    const live = liveEvents(source.log, 5);
    const watching = [1, 2].map(() => firstValueFrom(live.watch({ workspaceId: SHOP })));
    await turn();
    source.grow(event(1));
    const [one, other] = await Promise.all(watching);
    expect(one).to.equal(other);
  });

  it('samples a fast stream, and reports how much it left out', () => {
    const { retained, left } = sampled(history(500));
    expect([retained.length, left, retained.at(-1)!.position]).to.deep.equal([MOST_LIVE, 500 - MOST_LIVE, 499]);
  });
});

describe('event search', () => {
  const log = memoryLog(history(3000));
  it('returns the newest first, and continues where it ended', async () => {
    const seen: number[] = [];
    let before: number | undefined;
    do {
      const page = await searchEvents(log, { correlationId: 'c1' }, { limit: 300, before });
      seen.push(...positions(page));
      before = page.next;
    } while (before !== undefined);
    expect(seen).to.deep.equal(
      history(3000)
        .filter(({ meta }) => meta.correlationId === 'c1')
        .map(({ position }) => position)
        .reverse(),
    );
  });

  it('returns events since a given time', async () => {
    const from = Date.parse('2026-03-01T09:49:00Z');
    const { events, next } = await searchEvents(log, { from }, { limit: 200 });
    expect([events.length, next]).to.deep.equal([60, undefined]);
  });

  it('reads one stream backwards', async () => {
    const page = await searchEvents(log, { stream: 'order-3' }, { limit: 2 });
    expect(positions(page)).to.deep.equal([2999 - ((2999 - 3) % 7), 2999 - ((2999 - 3) % 7) - 7]);
  });

  it('scans a limited part of the log per request, and returns where to continue', async () => {
    const long = memoryLog(history(60_000));
    const { events, next, seen } = await searchEvents(long, { actor: 'customer' }, { limit: 50 });
    expect(events).to.deep.equal([]);
    expect(next).to.be.above(0);
    expect(seen).to.be.below(45_000);
  });
});
