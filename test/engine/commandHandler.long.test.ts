import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Aggregate, DomainError, type DomainEvent, refuse } from '../../domain/decider.js';
import { derivedId } from '../../domain/ids.js';
import {
  type CommandHandlerOptions,
  createCommandHandler,
  type RunningCommandHandler,
} from '../../engine/commandHandler/commandHandler.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import { type EventData, type EventStore, StoreUnavailable } from '../../engine/ports/eventStore.js';
import type { SnapshotStore } from '../../engine/ports/snapshots.js';
import { openSnapshotFiles } from '../../infrastructure/snapshots/snapshotFiles.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { failureOf } from '../contracts/eventStoreKit.js';

/** A till with a fixed number of tickets. Its state is changed in place, as large states are. */
type TicketEvent = DomainEvent<'TicketSold', { number: number }>;
interface Till {
  sold: number[];
}
const MOST = 100_000;
const till: Aggregate<Till, TicketEvent> = {
  name: 'till',
  initial: () => ({ sold: [] }),
  evolve(state, { data }) {
    state.sold.push(data.number);
    return state;
  },
  weigh: (state) => 1000 + state.sold.length * 8,
};
const withSnapshots: Aggregate<Till, TicketEvent> = {
  ...till,
  snapshot: {
    version: 1,
    every: 10,
    *write(state) {
      for (let i = 0; i < state.sold.length; i += 4) yield { sold: state.sold.slice(i, i + 4) };
    },
    read() {
      const state: Till = { sold: [] };
      return {
        add: (chunk) => void state.sold.push(...(chunk as Till).sold),
        done: () => state,
      };
    },
  },
};

/** Sells the next ticket of the current state. */
const sell = (state: Till): TicketEvent[] => [{ type: 'TicketSold', data: { number: state.sold.length } }];
const sellMany =
  (count: number) =>
  (state: Till): TicketEvent[] =>
    Array.from({ length: count }, (_, i) => ({ type: 'TicketSold', data: { number: state.sold.length + i } }));
/** Sells ticket `number` once. A repeat changes nothing, and ticket 13 does not exist. */
const sellNumber =
  (number: number) =>
  (state: Till): TicketEvent[] => {
    if (number === 13) refuse('no_such_ticket', 'There is no ticket 13.');
    return state.sold.includes(number) ? [] : [{ type: 'TicketSold', data: { number } }];
  };

const by = (commandId: string): CommandContext => ({
  commandId,
  actor: { type: 'member', id: 'amina' },
  correlationId: 'request-7',
  causationId: 'cart-1',
  workspaceId: 'souk',
  partnerId: 'bazaar',
});
const clock = { now: () => Date.UTC(2025, 2, 1, 10) };

type Append = EventStore['append'];
/** Replaces `append` of a store. All other calls go to the real store. */
const withAppend = (store: EventStore, append: (real: Append) => Append): EventStore => ({
  ...store,
  append: append(store.append),
});

describe('command handler', () => {
  let folder: string;
  let store: EventStore;
  let snapshots: SnapshotStore;
  let handlers: RunningCommandHandler[] = [];
  const handler = (options: Partial<CommandHandlerOptions> = {}) => {
    const made = createCommandHandler({ eventStore: store, snapshots, clock, ...options });
    handlers.push(made);
    return made;
  };
  const numbers = async (id: string) =>
    (await store.readStream(`till-${id}`)).map(({ data }) => (data as { number: number }).number);
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suuq-commands-'));
    store = await openEmbeddedEventStore(folder);
    snapshots = await openSnapshotFiles(folder);
  });
  afterEach(async () => {
    await Promise.all(handlers.map((made) => made.idle()));
    handlers = [];
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('decides, appends, and stores the actor, time and cause', async () => {
    const commands = handler();
    const decided = await commands.decide(by('c1'), till, 'a', sellMany(2));
    const [first, second] = await store.readStream('till-a');
    expect(decided).to.deep.equal({ events: sellMany(2)({ sold: [] }), revision: 1, position: second!.position });
    expect(first!.id).to.equal(derivedId('c1', 'till-a', 0));
    expect(first!.meta).to.deep.equal({
      at: '2025-03-01T10:00:00.000Z',
      actor: { type: 'member', id: 'amina' },
      correlationId: 'request-7',
      causationId: 'cart-1',
      workspaceId: 'souk',
      partnerId: 'bazaar',
    });
    expect(await commands.query(till, 'a', ({ sold }, revision) => [sold.length, revision])).to.deep.equal([2, 1]);
  });

  it('appends nothing if the rule forbids it or nothing changes', async () => {
    const commands = handler();
    await commands.decide(by('c1'), till, 'a', sellNumber(7));
    const [sold] = await store.readStream('till-a');
    const unchanged = { events: [], revision: 0, position: sold!.position };
    expect(await commands.decide(by('c2'), till, 'a', sellNumber(7))).to.deep.equal(unchanged);
    expect(await commands.decide(by('c2'), till, 'none', () => [])).to.deep.equal({ events: [], revision: -1 });
    expect(await failureOf(commands.decide(by('c3'), till, 'a', sellNumber(13)))).to.have.property(
      'code',
      'no_such_ticket',
    );
    expect(await commands.decide(by('c4'), till, 'new', () => [])).to.deep.equal({ events: [], revision: -1 });
    expect(await numbers('a')).to.deep.equal([7]);
  });

  it('treats more than 500 events of one decision as a defect', async () => {
    const commands = handler();
    expect(await failureOf(commands.decide(by('c1'), till, 'a', sellMany(501)))).to.be.instanceOf(RangeError);
    await commands.decide(by('c2'), till, 'a', sell);
    expect(await numbers('a')).to.deep.equal([0]);
  });

  it('decides many commands at once, each based on the previous ones, in few appends', async () => {
    let appends = 0;
    const counting = withAppend(store, (real) => (...append) => {
      appends += 1;
      return real(...append);
    });
    const commands = handler({ eventStore: counting });
    const decided = await Promise.all(upTo(1200).map((i) => commands.decide(by(`c${i}`), till, 'a', sell)));
    expect(await numbers('a')).to.deep.equal(upTo(1200));
    expect(decided.map(({ revision }) => revision)).to.deep.equal(upTo(1200));
    expect(appends).to.be.at.most(5);
  });

  it('lets two handlers write to one stream, always based on a state that existed', async () => {
    const conflicts: string[] = [];
    const observer = { conflict: (aggregate: string) => void conflicts.push(aggregate) };
    const [left, right] = [handler({ observer }), handler({ observer })];
    const work = async (commands: typeof left, name: string) => {
      for (let i = 0; i < 30; i += 1)
        await Promise.all(upTo(4).map((j) => commands.decide(by(`${name}${i}-${j}`), till, 'a', sell)));
    };
    await Promise.all([work(left, 'left'), work(right, 'right')]);
    expect(await numbers('a')).to.deep.equal(upTo(240));
    expect(conflicts).to.include('till');
  });

  it('decides again what was based on a failed append', async () => {
    const rival = handler();
    const commands = handler();
    await commands.decide(by('c0'), till, 'a', sell);
    await rival.decide(by('rival'), till, 'a', sellNumber(50));
    // All three use the state without the rival's ticket. Only the first command keeps the second from selling.
    const [sold, repeated, scanned] = await Promise.all([
      commands.decide(by('c1'), till, 'a', sellNumber(50)),
      commands.decide(by('c2'), till, 'a', sellNumber(50)),
      commands.query(till, 'a', ({ sold: all }) => [...all]),
    ]);
    expect([sold.events, repeated.events]).to.deep.equal([[], []]);
    expect(scanned).to.deep.equal([0, 50]);
    expect(await numbers('a')).to.deep.equal([0, 50]);
  });

  it('returns for unchanged results the position a view needs, also of a change in progress', async () => {
    const commands = handler();
    const [sold, repeated] = await Promise.all([
      commands.decide(by('c1'), till, 'a', sellNumber(5)),
      commands.decide(by('c2'), till, 'a', sellNumber(5)),
    ]);
    await commands.decide(by('c3'), till, 'b', sellNumber(1));
    expect(repeated).to.deep.equal({ events: [], revision: 0, position: sold.position });
    const opened = await handler().decide(by('c4'), till, 'a', sellNumber(5));
    expect(opened).to.deep.equal(repeated);
  });

  it('does not report a rejection before the events it is based on are written', async () => {
    let fail = true;
    const failing = withAppend(store, (real) => async (...append) => {
      if (!fail) return real(...append);
      fail = false;
      await store.append('till-a', 'noStream', [event(derivedId('rival'), 99)]);
      return real(...append);
    });
    const commands = handler({ eventStore: failing });
    const onlyFirst = (state: Till) =>
      state.sold.length > 0 ? refuse('sold_out', `${state.sold}`) : sellNumber(1)(state);
    const [first, second] = await Promise.all([
      failureOf(commands.decide(by('c1'), till, 'a', onlyFirst)),
      failureOf(commands.decide(by('c2'), till, 'a', onlyFirst)),
    ]);
    expect([(first as Error).message, (second as Error).message]).to.deep.equal(['99', '99']);
    expect(await numbers('a')).to.deep.equal([99]);
  });

  it('gives up a command after too many conflicts', async () => {
    const rival = withAppend(store, (real) => async (stream, expected, events) => {
      await store.append(stream, 'any', [event(derivedId('rival', await store.head()), MOST)]);
      return real(stream, expected, events);
    });
    const error = await failureOf(handler({ eventStore: rival }).decide(by('c1'), till, 'a', sell));
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'concurrent_change');
  });

  describe('when the outcome of an append is unknown', () => {
    it('retries with the same ids and is not written twice', async () => {
      let lost = 0;
      const losing = withAppend(store, (real) => async (...append) => {
        const appended = await real(...append);
        if (lost++ % 2 === 0) throw new StoreUnavailable('the answer was lost');
        return appended;
      });
      const commands = handler({ eventStore: losing });
      const decided = await Promise.all(upTo(5).map((i) => commands.decide(by(`c${i}`), till, 'a', sell)));
      expect(await numbers('a')).to.deep.equal(upTo(5));
      expect(decided.at(-1)!.revision).to.equal(4);
    });

    it('recognises its own events behind a conflict', async () => {
      let tries = 0;
      const forgetful = withAppend(store, (real) => async (stream, expected, events) => {
        tries += 1;
        if (tries > 1) return real(stream, 41, events);
        await real(stream, expected, events);
        throw new StoreUnavailable('the answer was lost');
      });
      const decided = await handler({ eventStore: forgetful }).decide(by('c1'), till, 'a', sell);
      expect(decided.revision).to.equal(0);
      expect(await numbers('a')).to.deep.equal([0]);
    });

    it('fails after three attempts, and starts fresh with the next command', async () => {
      let tries = 0;
      const down = withAppend(store, (real) => async (...append) => {
        tries += 1;
        if (tries <= 3) throw new StoreUnavailable('down');
        return real(...append);
      });
      const commands = handler({ eventStore: down });
      const failed = upTo(3).map((i) => failureOf(commands.decide(by(`c${i}`), till, 'a', sell)));
      for (const error of await Promise.all(failed)) expect(error).to.be.instanceOf(StoreUnavailable);
      expect(tries).to.equal(3);
      await commands.decide(by('c9'), till, 'a', sell);
      expect(await numbers('a')).to.deep.equal([0]);
    });
  });

  it('sends commands separately that are too large together', async () => {
    const large = (state: Till): TicketEvent[] => [
      { type: 'TicketSold', data: { number: state.sold.length, ...{ note: 'x'.repeat(400_000) } } },
    ];
    const commands = handler();
    await Promise.all(upTo(5).map((i) => commands.decide(by(`c${i}`), till, 'a', large)));
    expect(await numbers('a')).to.deep.equal(upTo(5));
  });

  it("reads other processes' changes in a shared store before it rejects a command or answers a query", async () => {
    const [here, there] = [handler({ sharedStore: true }), handler()];
    await here.decide(by('c1'), till, 'a', sell);
    await there.decide(by('c2'), till, 'a', sell);
    expect(await here.query(till, 'a', ({ sold }) => sold.length)).to.equal(2);
    await there.decide(by('c3'), till, 'a', sell);
    const position = await store.head();
    expect(await here.decide(by('c4'), till, 'a', () => [])).to.deep.equal({ events: [], revision: 2, position });
  });

  describe('cached states', () => {
    let loads: string[];
    const counting = (): EventStore => {
      loads = [];
      return {
        ...store,
        readStream: (stream, options) => {
          loads.push(stream);
          return store.readStream(stream, options);
        },
      };
    };

    it('are loaded once for concurrent callers, and again only after eviction', async () => {
      for (const id of ['a', 'b', 'c']) await handler().decide(by(`c-${id}`), till, id, sell);
      const commands = handler({ eventStore: counting(), cacheBytes: 3_500 });
      const request = (id: string) => commands.query(till, id, ({ sold }) => sold.length);
      await Promise.all(upTo(10).map(() => request('a')));
      await request('b');
      await request('a');
      expect(loads).to.deep.equal(['till-a', 'till-b']);
      await request('c');
      await request('a');
      expect(loads).to.deep.equal(['till-a', 'till-b', 'till-c']);
      await request('b');
      expect(loads).to.deep.equal(['till-a', 'till-b', 'till-c', 'till-b']);
    });

    it('include the size of their first events', async () => {
      const heavy = { ...till, weigh: ({ sold }: Till) => sold.length * 1_000 };
      const commands = handler({ eventStore: counting(), cacheBytes: 3_500 });
      // States weigh nothing when they are loaded and 1,500 each afterwards, so two fit into the cache.
      for (const id of ['a', 'b', 'c']) await commands.decide(by(`c-${id}`), heavy, id, sell);
      for (const id of ['b', 'c', 'a']) await commands.query(heavy, id, ({ sold }) => sold.length);
      expect(loads).to.deep.equal(['till-a', 'till-b', 'till-c', 'till-a']);
    });
  });

  describe('snapshots', () => {
    /** Revisions from which the handler has read. */
    const readingFrom = () => {
      const from: number[] = [];
      const eventStore: EventStore = {
        ...store,
        readStream: (stream, options) => {
          from.push(options?.from ?? 0);
          return store.readStream(stream, options);
        },
      };
      return { from, eventStore };
    };
    const sellTimes = async (count: number) => {
      const commands = handler();
      for (let i = 0; i < count; i += 1) await commands.decide(by(`c${i}`), withSnapshots, 'a', sell);
      await commands.idle();
    };
    const stateOf = (eventStore: EventStore, aggregate = withSnapshots) =>
      handler({ eventStore }).query(aggregate, 'a', ({ sold }) => [...sold]);

    it('are written periodically, and states start from them', async () => {
      await sellTimes(25);
      const { from, eventStore } = readingFrom();
      expect(await stateOf(eventStore)).to.deep.equal(upTo(25));
      expect(from).to.not.include(0);
      const retained = (await snapshots.load('till-a'))!;
      expect(retained.revision).to.be.at.least(9);
      expect((await store.readStream('till-a', { from: retained.revision }))[0]!.id).to.equal(retained.event);
    });

    it('of a state that supports it contain nothing unconfirmed or later', async () => {
      const holding: Aggregate<Till, TicketEvent> = {
        ...withSnapshots,
        snapshot: {
          ...withSnapshots.snapshot!,
          hold: ({ sold }) => withSnapshots.snapshot!.write({ sold: [...sold] }),
        },
      };
      const { from, eventStore } = readingFrom();
      let append = (): Promise<void> => Promise.resolve();
      const slow: EventStore = {
        ...eventStore,
        append: async (...requested) => {
          await append();
          return store.append(...requested);
        },
      };
      const commands = handler({ eventStore: slow });
      for (let i = 0; i < 10; i += 1) await commands.decide(by(`c${i}`), holding, 'a', sell);
      // The snapshot's state already includes the eleventh ticket, which the store does not have yet.
      let saved = false;
      let go = (): void => undefined;
      append = () =>
        new Promise((resolve) => {
          go = resolve;
        });
      const eleventh = commands.decide(by('c10'), holding, 'a', sell);
      void commands.idle().then(() => {
        saved = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect([saved, await snapshots.load('till-a')]).to.deep.equal([false, undefined]);
      append = () => Promise.resolve();
      go();
      await eleventh;
      await Promise.all([commands.decide(by('c11'), holding, 'a', sell), commands.idle()]);
      const retained = (await snapshots.load('till-a'))!;
      expect(retained.revision).to.equal(10);
      expect((await store.readStream('till-a', { from: 10 }))[0]!.id).to.equal(retained.event);
      expect(await stateOf(store, holding)).to.deep.equal(upTo(12));
      expect(from, 'its stream is read once, when it is loaded').to.deep.equal([0]);
    });

    it('are not written for unconfirmed events', async () => {
      const holding: Aggregate<Till, TicketEvent> = {
        ...withSnapshots,
        snapshot: {
          ...withSnapshots.snapshot!,
          hold: ({ sold }) => withSnapshots.snapshot!.write({ sold: [...sold] }),
        },
      };
      let broken = false;
      const failing: EventStore = {
        ...store,
        append: async (...requested) => {
          if (!broken) return store.append(...requested);
          await new Promise((resolve) => setTimeout(resolve, 30));
          throw new TypeError('broken');
        },
      };
      const commands = handler({ eventStore: failing });
      for (let i = 0; i < 10; i += 1) await commands.decide(by(`c${i}`), holding, 'a', sell);
      broken = true;
      expect(await failureOf(commands.decide(by('c10'), holding, 'a', sell))).to.be.instanceOf(TypeError);
      await commands.idle();
      expect((await snapshots.load('till-a'))!.revision).to.equal(9);
      expect(await stateOf(store)).to.deep.equal(upTo(10));
    });

    it('store the position of their last event', async () => {
      await sellTimes(10);
      const { revision } = (await snapshots.load('till-a'))!;
      const last = (await store.readStream('till-a')).at(-1)!;
      expect(revision).to.equal(last.revision);
      const decided = await handler().decide(by('again'), withSnapshots, 'a', () => []);
      expect(decided).to.deep.equal({ events: [], revision, position: last.position });
    });

    it('are ignored when another version wrote their shape', async () => {
      await sellTimes(12);
      const { from, eventStore } = readingFrom();
      const newer = { ...withSnapshots, snapshot: { ...withSnapshots.snapshot!, version: 2 } };
      expect(await stateOf(eventStore, newer)).to.deep.equal(upTo(12));
      expect(from[0]).to.equal(0);
    });

    it('are ignored when they are ahead of their stream', async () => {
      await sellTimes(3);
      await snapshots.save('till-a', { revision: 10, version: 1 }, [{ sold: [77] }]);
      expect(await stateOf(store)).to.deep.equal(upTo(3));
    });

    it('are ignored when their event is not in the stream, and accepted without an event', async () => {
      await sellTimes(3);
      const [last] = await store.readStream('till-a', { from: 2 });
      const at = { revision: 2, version: 1 };
      await snapshots.save('till-a', { ...at, event: 'of another log' }, [{ sold: [77] }]);
      expect(await stateOf(store)).to.deep.equal(upTo(3));
      await snapshots.save('till-a', { ...at, event: last!.id }, [{ sold: [77] }]);
      expect(await stateOf(store)).to.deep.equal([77]);
      await snapshots.save('till-a', at, [{ sold: [78] }]);
      expect(await stateOf(store)).to.deep.equal([78]);
    });

    it('that are incomplete are not loaded; the previous one is used', async () => {
      await snapshots.save('till-a', { revision: 1, version: 1 }, [{ sold: [0, 1] }]);
      const broken = function* () {
        yield { sold: [5] };
        throw new Error('interrupted');
      };
      expect(await failureOf(snapshots.save('till-a', { revision: 9, version: 1 }, broken()))).to.have.property(
        'message',
        'interrupted',
      );
      expect((await snapshots.load('till-a'))!.revision).to.equal(1);
      expect(await readdir(join(folder, 'snapshots'))).to.have.length(1);
    });

    it('store large chunks and any character', async () => {
      const chunks = [{ text: 'سوق\u2028\n' }, { text: 'x'.repeat(700_000) }, { text: 'ß'.repeat(300_000) }, {}];
      await snapshots.save('till-a', { revision: 1, version: 3 }, chunks);
      const loaded = (await snapshots.load('till-a'))!;
      expect([loaded.revision, loaded.version]).to.deep.equal([1, 3]);
      const read: object[] = [];
      for await (const chunk of loaded.chunks) read.push(chunk);
      expect(read).to.deep.equal(chunks);
      expect(await snapshots.load('till-b')).to.equal(undefined);
    });
  });

  it('answers other calls while a stream of 50,000 events is loaded', async () => {
    let sold = 0;
    for (let i = 0; i < 100; i += 1) {
      const events = Array.from({ length: 500 }, () => event(derivedId('long', sold), sold++));
      await store.append('till-long', i === 0 ? 'noStream' : i * 500 - 1, events);
    }
    const commands = handler();
    let loaded = false;
    const began = performance.now();
    const loading = commands
      .query(till, 'long', (state) => state.sold.length)
      .then((length) => {
        loaded = true;
        return length;
      });
    let answered = 0;
    let slowest = 0;
    while (!loaded) {
      const since = performance.now();
      await commands.decide(by(`c${answered}`), till, 'other', sell);
      slowest = Math.max(slowest, performance.now() - since);
      if (!loaded) answered += 1;
    }
    expect(await loading).to.equal(50_000);
    expect(answered).to.be.at.least(10);
    // No command waits for the whole load, however slow the machine is.
    expect(slowest).to.be.below((performance.now() - began) / 2);
  });
});

function event(id: string, number: number): EventData {
  const meta = { at: '2025-03-01T10:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'seed' };
  return { id, type: 'TicketSold', data: { number }, meta };
}
