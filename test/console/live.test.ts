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
  it('asks the log once for all who watch, and no longer than they do', async () => {
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

  it('tells only what is asked for', async () => {
    const source = growing([]);
    const live = liveEvents(source.log, 5);
    const watching = firstValueFrom(live.watch({ workspaceId: SHOP, types: ['OrderPaid'] }));
    await turn();
    source.grow(event(1), event(2, 'OrderPaid'), event(3, 'OrderPaid', 'another'));
    expect(positions(await watching)).to.deep.equal([2]);
  });

  it('goes on from a place without a gap or a double', async () => {
    const source = growing(history(10));
    const live = liveEvents(source.log, 5);
    const watching = lastValueFrom(live.watch({}, 6).pipe(take(2), toArray()));
    await turn();
    source.grow(event(9), event(10), event(11));
    const seen = (await watching).flatMap(positions);
    expect(seen).to.deep.equal([7, 8, 9, 10, 11]);
  });

  it('misses nothing that is appended while the places of both reads are asked for', async () => {
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

  it('misses nothing where it shares the catching up of a tab that came before', async () => {
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

  it('after a break tells the newest, how many others passed, and when that was', async () => {
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

  it('says nothing of a break after which all is told', async () => {
    const { log } = growing(history(500));
    const { events, missed } = await firstValueFrom(liveEvents(log, 5).watch({ types: ['OrderPlaced'] }, 449));
    expect([events.length, missed]).to.deep.equal([50, undefined]);
  });

  it('goes on from the end of the log after a break in which more passed than is looked through', async () => {
    const { log } = growing(history(60_000));
    const { events, missed, through } = await firstValueFrom(liveEvents(log, 5).watch({}, 99));
    expect([through, events.at(-1)!.position, events.length]).to.deep.equal([59_999, 59_999, 50]);
    expect(missed).to.include({ atLeast: true, from: event(100).meta.at });
    expect(missed!.count).to.be.within(500, 20_500);
  });

  it('looks once for all tabs that come again at once', async () => {
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

  it('tells a burst whole, and a sample of what goes on and on, and counts the rest', async () => {
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

  it('makes each batch once for all who ask the same', async () => {
    const source = growing([]);
    const live = liveEvents(source.log, 5);
    const watching = [1, 2].map(() => firstValueFrom(live.watch({ workspaceId: SHOP })));
    await turn();
    source.grow(event(1));
    const [one, other] = await Promise.all(watching);
    expect(one).to.equal(other);
  });

  it('keeps a sample of what comes too fast, and says how much it left out', () => {
    const { retained, left } = sampled(history(500));
    expect([retained.length, left, retained.at(-1)!.position]).to.deep.equal([MOST_LIVE, 500 - MOST_LIVE, 499]);
  });
});

describe('looking back', () => {
  const log = memoryLog(history(3000));
  it('finds the newest first, and goes on where it ended', async () => {
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

  it('finds what happened since a time', async () => {
    const from = Date.parse('2026-03-01T09:49:00Z');
    const { events, next } = await searchEvents(log, { from }, { limit: 200 });
    expect([events.length, next]).to.deep.equal([60, undefined]);
  });

  it('reads one stream backwards', async () => {
    const page = await searchEvents(log, { stream: 'order-3' }, { limit: 2 });
    expect(positions(page)).to.deep.equal([2999 - ((2999 - 3) % 7), 2999 - ((2999 - 3) % 7) - 7]);
  });

  it('goes through a bounded part of the log a request, and says where to go on', async () => {
    const long = memoryLog(history(60_000));
    const { events, next, seen } = await searchEvents(long, { actor: 'customer' }, { limit: 50 });
    expect(events).to.deep.equal([]);
    expect(next).to.be.above(0);
    expect(seen).to.be.below(45_000);
  });
});
