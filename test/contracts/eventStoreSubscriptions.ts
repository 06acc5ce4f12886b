/** The part of the event store's contract that is about following it. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import {
  BEFORE_ALL,
  type EventMark,
  type EventStore,
  type RecordedEvent,
  type Subscriber,
} from '../../engine/ports/eventStore.js';
import { until } from '../support/doubles/fakeClock.js';
import { failureOf, freshNames, meta } from './eventStoreKit.js';

const labels = (events: readonly RecordedEvent[]) => events.map((event) => (event.data as { label: string }).label);

/** Collects what a subscription delivers. */
function collector() {
  const seen: RecordedEvent[] = [];
  const at = { through: BEFORE_ALL, caughtUp: 0, batches: 0, last: undefined as EventMark | undefined };
  const subscriber: Subscriber = {
    batch(events, through, last) {
      expect(through, 'through moves').to.be.greaterThan(at.through);
      if (last !== undefined) expect(last.position).to.be.within(events.at(-1)?.position ?? BEFORE_ALL, through);
      at.last = last;
      seen.push(...events);
      at.through = through;
      at.batches += 1;
    },
    caughtUp() {
      at.caughtUp += 1;
    },
  };
  return { seen, at, subscriber };
}

export function eventStoreSubscriptions(current: () => EventStore): void {
  describe('subscribe', () => {
    const { stream, event, category } = freshNames();
    const append = (label: string, to = stream('live'), type = 'Made') =>
      current().append(to, 'any', [event(label, { label }, type)]);
    const live = { categories: [category('live')] };

    it('catches up, reports it once, and follows', async () => {
      const after = await current().head();
      await append('c1');
      await append('c2');
      const { seen, at, subscriber } = collector();
      const subscription = current().subscribe(after, live, subscriber);
      await until('caught up', () => at.caughtUp === 1);
      expect(labels(seen)).to.deep.equal(['c1', 'c2']);
      await append('c3');
      await until('live event', () => seen.length === 3);
      await subscription.stop();
      await subscription.ended;
      await append('c4');
      expect(labels(seen)).to.deep.equal(['c1', 'c2', 'c3']);
      expect(at.caughtUp).to.equal(1);
    });

    it('reports once it follows the newest event at its position, for any recipient', async () => {
      const { seen, at, subscriber } = collector();
      const subscription = current().subscribe(await current().head(), live, subscriber);
      await append('l1');
      await until('live event', () => seen.length === 1);
      const other = stream('other');
      const { position } = await append('l2', other);
      await until('the other event was skipped', () => at.through >= position && at.last !== undefined);
      const [event] = await current().readStream(other);
      expect(at.last).to.deep.equal({ stream: other, revision: 0, id: event!.id, position });
      await subscription.stop();
    });

    it('may report skipped events separately, in order with the batches, and loses and repeats nothing', async () => {
      const one = stream('live');
      const { seen, at, subscriber } = collector();
      const apart: Subscriber = {
        ...subscriber,
        passed(through, last) {
          expect(through, 'through moves').to.be.greaterThan(at.through);
          if (last !== undefined) expect(last.position).to.be.at.most(through);
          at.through = through;
        },
      };
      const subscription = current().subscribe(await current().head(), live, apart);
      await until('caught up', () => at.caughtUp === 1);
      const mine: string[] = [];
      for (let i = 0; i < 60; i += 1) {
        const isMine = i % 4 === 0;
        if (isMine) mine.push(`apart${i}`);
        await append(`apart${i}`, isMine ? one : stream('other'));
      }
      const head = await current().head();
      await until('all skipped', () => at.through >= head);
      expect(labels(seen)).to.deep.equal(mine);
      await append('apart', one);
      await until('live event', () => seen.length === mine.length + 1);
      await subscription.stop();
    });

    it('loses and repeats nothing while a writer writes', async () => {
      const after = await current().head();
      const one = stream('live');
      const write = async (count: number, name: string) => {
        for (let i = 0; i < count; i += 1) await append(`${name}${i}`, i % 3 ? one : stream('other'));
      };
      await write(150, 'before');
      const { seen, at, subscriber } = collector();
      const writing = write(300, 'during');
      const subscription = current().subscribe(after, {}, subscriber, { batch: 7 });
      await writing;
      const head = await current().head();
      await until('all seen', () => at.through >= head);
      await subscription.stop();
      const mine = labels(seen).filter((label) => /^(before|during)/.test(label));
      expect(mine).to.deep.equal([
        ...Array.from({ length: 150 }, (_, i) => `before${i}`),
        ...Array.from({ length: 300 }, (_, i) => `during${i}`),
      ]);
    });

    it('delivers one batch at a time, within the size limit, and waits for the handler', async () => {
      const after = await current().head();
      const to = stream('slow');
      const many = Array.from({ length: 40 }, (_, i) => event(`slow${i}`, { label: `slow${i}` }));
      await current().append(to, 'any', many);
      const seen: string[] = [];
      let inside = 0;
      let most = 0;
      let largest = 0;
      const subscription = current().subscribe(
        after,
        { categories: [category('slow')] },
        {
          async batch(events) {
            inside += 1;
            most = Math.max(most, inside);
            largest = Math.max(largest, events.length);
            await wait(1);
            seen.push(...labels(events));
            inside -= 1;
          },
        },
        { batch: 8 },
      );
      await until('all', () => seen.length === 40);
      await subscription.stop();
      expect([most, largest]).to.deep.equal([1, 8]);
      expect(seen).to.deep.equal(labels(many as unknown as RecordedEvent[]));
    });

    it('moves `through` past filtered events, also live', async () => {
      const { seen, at, subscriber } = collector();
      const subscription = current().subscribe(await current().head(), live, subscriber);
      await until('caught up', () => at.caughtUp === 1);
      const { position } = await append('aside', stream('aside'));
      await until('through', () => at.through >= position);
      expect(seen).to.deep.equal([]);
      await subscription.stop();
    });

    it('evaluates a changing filter at delivery, skips nothing wanted, and still reports progress', async () => {
      const { seen, at, subscriber } = collector();
      const expected = new Set(['w1']);
      const of = (label: string, workspaceId?: string) =>
        current().append(`${category('live')}-${label}-1`, 'any', [
          { ...event(label), meta: { ...meta, ...(workspaceId !== undefined && { workspaceId }) } },
        ]);
      const options = { accepts: (key: string) => expected.has(key), gatherMs: 5 };
      const subscription = current().subscribe(await current().head(), live, subscriber, options);
      await until('caught up', () => at.caughtUp === 1);
      await of('mine', 'w1');
      const aside = await of('others', 'w2');
      await until('skipped', () => at.through >= aside.position);
      // From now on its own, by the store and by the stream's name.
      expected.add('w2').add('named-1');
      await of('joined', 'w2');
      const { position } = await of('named');
      await until('all', () => at.through >= position);
      const found = labels(seen).filter((label) => label !== 'others');
      expect(found).to.deep.equal(['mine', 'joined', 'named']);
      await subscription.stop();
    });

    it('filters by type', async () => {
      const { seen, at, subscriber } = collector();
      const subscription = current().subscribe(await current().head(), { ...live, types: ['Kept'] }, subscriber);
      await append('t1', stream('live'), 'Left');
      await append('t2', stream('live'), 'Kept');
      const { position } = await append('t3', stream('aside'), 'Kept');
      await until('through', () => at.through >= position);
      await subscription.stop();
      expect(labels(seen)).to.deep.equal(['t2']);
    });

    it('is quiet while nothing happens', async () => {
      const { at, subscriber } = collector();
      const subscription = current().subscribe(await current().head(), live, subscriber);
      await until('caught up', () => at.caughtUp === 1);
      const before = at.batches;
      await wait(50);
      expect(at.batches).to.equal(before);
      await subscription.stop();
    });

    it('stops only after the running handler has returned', async () => {
      const after = await current().head();
      await append('s1');
      let release = (): void => {};
      let entered = false;
      let left = false;
      const subscription = current().subscribe(after, live, {
        async batch() {
          entered = true;
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          left = true;
        },
      });
      await until('entered', () => entered);
      const stopping = subscription.stop().then(() => left);
      release();
      expect(await stopping).to.equal(true);
      await subscription.ended;
    });

    it('ends with the handler’s error, and leaves other subscriptions alone', async () => {
      const after = await current().head();
      const { seen, subscriber } = collector();
      const healthy = current().subscribe(after, live, subscriber);
      const failing = current().subscribe(after, live, {
        batch: () => {
          throw new Error('poison');
        },
      });
      await append('p1');
      expect(await failureOf(failing.ended)).to.have.property('message', 'poison');
      await failing.stop();
      await append('p2');
      await until('both', () => seen.length === 2);
      await healthy.stop();
    });

    it('can be stopped before it has delivered anything', async () => {
      const { seen, subscriber } = collector();
      const subscription = current().subscribe(BEFORE_ALL, {}, subscriber);
      await subscription.stop();
      await subscription.ended;
      expect(seen).to.deep.equal([]);
    });
  });
}
