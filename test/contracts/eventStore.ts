/** The contract of every event store. Works on a store that already contains other events. */
import { expect } from 'chai';
import {
  type Appended,
  type EventData,
  type EventStore,
  PayloadTooLarge,
  type RecordedEvent,
  WrongExpectedRevision,
} from '../../engine/ports/eventStore.js';
import { failureOf, freshNames, meta } from './eventStoreKit.js';
import { eventStoreSubscriptions } from './eventStoreSubscriptions.js';

export interface OpenedStore {
  readonly store: EventStore;
  /** Closes the store and reopens it on the same data. Absent if the engine's test cannot do that. */
  reopen?(): Promise<EventStore>;
  close(): Promise<void>;
}

const labels = (events: readonly RecordedEvent[]): unknown[] =>
  events.map((event) => (event.data as { label?: unknown }).label);

export function eventStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`event store: ${name}`, () => {
    let opened: OpenedStore;
    let store: EventStore;
    const { stream, event, category } = freshNames();
    const events = (from: string, count: number) => Array.from({ length: count }, (_, i) => event(`${from}${i}`));

    before(async () => {
      opened = await open();
      store = opened.store;
    });
    after(() => opened.close());

    const wrong = async (promise: Promise<unknown>, actual: number) => {
      const error = await failureOf(promise);
      expect(error).to.be.instanceOf(WrongExpectedRevision);
      expect((error as WrongExpectedRevision).actual).to.equal(actual);
    };

    describe('append', () => {
      it('numbers events from 0 per stream, and upwards in the store', async () => {
        const s = stream();
        const first = await store.append(s, 'noStream', events('n', 3));
        const second = await store.append(s, 2, [event('n3')]);
        expect([first.revision, second.revision]).to.deep.equal([2, 3]);
        expect(second.position).to.be.greaterThan(first.position);
        expect(await store.head()).to.be.at.least(second.position);
        const read = await store.readStream(s);
        expect(read.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3]);
        expect(read[3]!.position).to.equal(second.position);
      });

      it('returns what was written', async () => {
        const s = stream();
        const data = { text: 'سوق · 市場 · 🛒 · \u2028 · \u0000 · "', deep: [{ a: null, b: [1.5, -2, true] }] };
        const written = { ...event('all', data, 'ProductRevised'), meta: { ...meta, workspaceId: 'w', schema: 2 } };
        const { position } = await store.append(s, 'any', [written]);
        expect(await store.readStream(s)).to.deep.equal([{ ...written, stream: s, revision: 0, position }]);
      });

      it('stores a lone surrogate without damage to other events', async () => {
        const s = stream();
        await store.append(s, 'noStream', [event('lone', { text: '\ud83d' }), event('next', { text: 'ok' })]);
        expect((await store.readStream(s))[1]!.data).to.deep.equal({ text: 'ok' });
      });

      it('rejects a wrong expected revision, and names the actual one', async () => {
        const s = stream();
        await wrong(store.append(s, 0, [event('w')]), -1);
        await store.append(s, 'noStream', events('w', 2));
        await wrong(store.append(s, 'noStream', [event('other')]), 1);
        await wrong(store.append(s, 0, [event('other')]), 1);
        await wrong(store.append(s, 7, [event('other')]), 1);
        expect(await store.readStream(s)).to.have.length(2);
      });

      it('appends with any expectation', async () => {
        const s = stream();
        await store.append(s, 'any', [event('any0')]);
        expect((await store.append(s, 'any', [event('any1')])).revision).to.equal(1);
      });

      it('accepts 500 events at once, with one result', async () => {
        const s = stream();
        expect((await store.append(s, 'noStream', events('many', 500))).revision).to.equal(499);
        expect(labels(await store.readStream(s))).to.deep.equal(events('many', 500).map((_, i) => `many${i}`));
      });

      it('rejects more than 500 events, none, and ids that are not UUIDs', async () => {
        const s = stream();
        expect(await failureOf(store.append(s, 'any', events('x', 501)))).to.be.instanceOf(Error);
        expect(await failureOf(store.append(s, 'any', []))).to.be.instanceOf(Error);
        expect(await failureOf(store.append(s, 'any', [{ ...event('y'), id: 'nonsense' }]))).to.be.instanceOf(Error);
        expect(await store.readStream(s)).to.deep.equal([]);
      });

      it('rejects data beyond one mebibyte, for one event or together, counted in bytes', async () => {
        const s = stream();
        const big = (label: string, chars: number, char = 'x') => event(label, { text: char.repeat(chars) });
        expect(await failureOf(store.append(s, 'any', [big('one', 1_100_000)]))).to.be.instanceOf(PayloadTooLarge);
        expect(await failureOf(store.append(s, 'any', [big('wide', 600_000, 'ß')]))).to.be.instanceOf(PayloadTooLarge);
        const halves = [big('half', 600_000), big('half2', 600_000)];
        expect(await failureOf(store.append(s, 'any', halves))).to.be.instanceOf(PayloadTooLarge);
        expect(await store.readStream(s)).to.deep.equal([]);
        await store.append(s, 'noStream', [big('fits', 1_000_000)]);
        expect(await store.readStream(s)).to.have.length(1);
      });

      it('accepts exactly one of 100 appends at one revision', async () => {
        const s = stream();
        const all = events('race', 100).map((one) => store.append(s, 'noStream', [one]));
        const settled = await Promise.allSettled(all);
        expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
        expect(await store.readStream(s)).to.have.length(1);
      });

      it('accepts a chain of appends sent before the first is answered', async () => {
        const s = stream();
        const answers = await Promise.all(
          events('chain', 50).map((one, index) => store.append(s, index === 0 ? 'noStream' : index - 1, [one])),
        );
        expect(answers.map(({ revision }) => revision)).to.deep.equal(answers.map((_, index) => index));
        const positions = answers.map(({ position }) => position);
        expect(positions).to.deep.equal([...positions].sort((a, b) => a - b));
        expect(labels(await store.readStream(s))).to.deep.equal(answers.map((_, index) => `chain${index}`));
      });

      it('fails an invalid append alone among many', async () => {
        const [a, b] = [stream(), stream()];
        const [first, failed, third] = await Promise.allSettled([
          store.append(a, 'noStream', [event('alone0')]),
          store.append(b, 5, [event('alone1')]),
          store.append(a, 0, [event('alone2')]),
        ]);
        expect([first.status, failed.status, third.status]).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      });
    });

    /** The answer equals the first one. It is marked as a repeat if the engine can detect repeats. */
    function repeats({ repeated, ...again }: Appended, first: Appended): void {
      expect(again).to.deep.equal(first);
      if (store.reportsRepeats) expect(repeated).to.equal(true);
    }

    describe('a repeated append', () => {
      it('returns the first result: at no stream, at an exact revision, anywhere', async () => {
        const s = stream();
        const [a, b, c] = [events('ra', 2), events('rb', 2), events('rc', 2)];
        const first = await store.append(s, 'noStream', a);
        const second = await store.append(s, 1, b);
        const third = await store.append(s, 'any', c);
        repeats(await store.append(s, 'noStream', a), first);
        repeats(await store.append(s, 1, b), second);
        repeats(await store.append(s, 'any', c), third);
        repeats(await store.append(s, 'any', a), first);
        expect(await store.readStream(s)).to.have.length(6);
      });

      it('is recognised by its ids alone', async () => {
        const s = stream();
        await store.append(s, 'noStream', [event('id', { label: 'first' })]);
        await store.append(s, 'noStream', [event('id', { label: 'second' }, 'Other')]);
        expect(labels(await store.readStream(s))).to.deep.equal(['first']);
      });

      it('is recognised among concurrent ones', async () => {
        const s = stream();
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => store.append(s, 'noStream', events('same', 2))),
        );
        expect(new Set(answers.map(({ revision }) => revision))).to.deep.equal(new Set([1]));
        expect(await store.readStream(s)).to.have.length(2);
      });

      it('may be the beginning of the stored events, or their end at its revision', async () => {
        const s = stream();
        const [a, b, c] = events('sub', 3) as [EventData, EventData, EventData];
        await store.append(s, 'noStream', [a, b, c]);
        expect((await store.append(s, 'noStream', [a, b])).revision).to.equal(1);
        expect((await store.append(s, 0, [b, c])).revision).to.equal(2);
        expect((await store.append(s, 'any', [a, c])).revision).to.equal(2);
        expect(await store.readStream(s)).to.have.length(3);
      });

      it('is rejected if one part is known and another new', async () => {
        const s = stream();
        const [a, b, c] = events('part', 3) as [EventData, EventData, EventData];
        await store.append(s, 'noStream', [a, b]);
        await wrong(store.append(s, 'noStream', [a, b, c]), 1);
        await wrong(store.append(s, 'any', [b, c]), 1);
        await wrong(store.append(s, 'noStream', [b, a]), 1);
        expect(await store.readStream(s)).to.have.length(2);
      });

      it('is appended again if it expects the current revision, or begins with a new id', async () => {
        const s = stream();
        const [a, b] = events('again', 2) as [EventData, EventData];
        await store.append(s, 'noStream', [a]);
        expect((await store.append(s, 0, [a])).revision).to.equal(1);
        expect((await store.append(s, 'any', [b, a])).revision).to.equal(3);
        expect(labels(await store.readStream(s))).to.deep.equal(['again0', 'again0', 'again1', 'again0']);
      });

      it('is found at the first place of its id', async () => {
        const s = stream();
        const twice = [event('twice'), event('twice')];
        expect((await store.append(s, 'any', twice)).revision).to.equal(1);
        expect((await store.append(s, 'any', twice)).revision).to.equal(0);
        expect((await store.append(s, 'noStream', twice)).revision).to.equal(1);
      });

      it('is recognised within one stream only', async () => {
        const [s, t] = [stream(), stream()];
        await store.append(s, 'any', events('two', 1));
        await store.append(t, 'any', events('two', 1));
        expect(await store.readStream(t)).to.have.length(1);
      });
    });

    describe('read a stream', () => {
      const s = stream();
      before(() => store.append(s, 'noStream', events('r', 10)));
      const read = async (options?: Parameters<EventStore['readStream']>[1]) =>
        (await store.readStream(s, options)).map(({ revision }) => revision);

      it('forwards from the beginning or from a revision', async () => {
        expect(await read({ limit: 3 })).to.deep.equal([0, 1, 2]);
        expect(await read({ from: 7 })).to.deep.equal([7, 8, 9]);
        expect(await read({ from: 10 })).to.deep.equal([]);
      });

      it('backwards from the end or from a revision', async () => {
        expect(await read({ direction: 'backwards', limit: 2 })).to.deep.equal([9, 8]);
        expect(await read({ direction: 'backwards', from: 2 })).to.deep.equal([2, 1, 0]);
      });

      it('returns nothing for a missing stream', async () => {
        expect(await store.readStream(stream())).to.deep.equal([]);
        expect(await store.readStream(stream(), { direction: 'backwards' })).to.deep.equal([]);
      });

      it('returns more than a page', async () => {
        const long = stream();
        for (let i = 0; i < 5; i += 1)
          await store.append(long, i === 0 ? 'noStream' : i * 500 - 1, events(`long${i}-`, 500));
        const all = await store.readStream(long);
        expect(all.map(({ revision }) => revision)).to.deep.equal(all.map((_, index) => index));
        expect(all).to.have.length(2500);
        expect(await store.readStream(long, { direction: 'backwards', limit: 2400 })).to.have.length(2400);
      });
    });

    describe('read all', () => {
      /** Every page from `after` to the end. */
      const readAll = async (after: number, options: Parameters<EventStore['readAll']>[1]) => {
        const found: RecordedEvent[] = [];
        for (let through = after; ; ) {
          const page = await store.readAll(through, options);
          expect(page.through).to.be.at.least(through);
          found.push(...page.events);
          through = page.through;
          if (page.end) return { found, through };
        }
      };

      it('returns everything once, in order of position', async () => {
        const after = await store.head();
        await Promise.all(events('o', 20).map((one, i) => store.append(stream(i % 2 ? 'a' : 'b'), 'any', [one])));
        const { found, through } = await readAll(after, { limit: 3 });
        const positions = found.map(({ position }) => position);
        expect(positions).to.deep.equal([...new Set(positions)].sort((a, b) => a - b));
        expect(new Set(labels(found).filter((l) => String(l).startsWith('o')))).to.have.property('size', 20);
        expect(through).to.be.at.least(positions.at(-1)!);
      });

      it('filters by category and by type, and reports how far it has scanned', async () => {
        const after = await store.head();
        await store.append(stream('cart'), 'any', [
          event('f1', { label: 'f1' }, 'A'),
          event('f2', { label: 'f2' }, 'B'),
        ]);
        await store.append(stream('cartItem'), 'any', [event('f3', { label: 'f3' }, 'A')]);
        const { position } = await store.append(stream('list'), 'any', [event('f4', { label: 'f4' }, 'A')]);
        const pick = async (filter: object) => {
          const { found, through } = await readAll(after, { filter });
          expect(through).to.be.at.least(position);
          return labels(found);
        };
        const [cart, list] = [category('cart'), category('list')];
        expect(await pick({ categories: [cart] })).to.deep.equal(['f1', 'f2']);
        expect(await pick({ categories: [cart, list], types: ['A'] })).to.deep.equal(['f1', 'f4']);
        expect(await pick({ categories: [category('nowhere')] })).to.deep.equal([]);
        expect(await pick({ types: [`${cart}Never`] })).to.deep.equal([]);
      });

      it('estimates the number of events between two positions', async () => {
        const after = await store.head();
        for (let i = 0; i < 8; i++) await store.append(stream(`s${i}`), 'noStream', events(`s${i}-`, 25));
        const spacing = (await store.spacing?.()) ?? 1;
        expect(((await store.head()) - after) / spacing).to.be.within(100, 400);
      });

      it('returns the end after the last event', async () => {
        const head = await store.head();
        expect(await store.readAll(head)).to.deep.equal({ events: [], through: head, end: true });
      });
    });

    it('recognises repeated appends after reopening', async function () {
      if (opened.reopen === undefined) return this.skip();
      const s = stream();
      const first = await store.append(s, 'noStream', events('re', 2));
      const second = await store.append(s, 1, events('re-', 2));
      store = await opened.reopen();
      repeats(await store.append(s, 'noStream', events('re', 2)), first);
      repeats(await store.append(s, 1, events('re-', 2)), second);
      await wrong(store.append(s, 'noStream', [event('re-new')]), 3);
      expect((await store.append(s, 3, [event('re-more')])).position).to.be.greaterThan(second.position);
    });

    eventStoreSubscriptions(() => store);
  });
}
