/** The history as streams: reading, resuming, and the documented examples. */
import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import { fraudAlarms } from '../../examples/fraudByVelocity.js';
import { hourlyRevenue } from '../../examples/hourlyRevenue.js';
import { bestSellersBoard } from '../../examples/liveBestSellers.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { type OpenStreams, openStreams, Pulled } from '../../upkeep/streams/index.js';
import { appendTo, LAMPS, orderId, placed, SCARVES, SOLD, writeShops } from '../support/stages/shopHistory.js';

describe('streams of the history', () => {
  let folder = temporaryFolder('suuq-streams-');
  let streams: OpenStreams;
  beforeEach(async () => {
    folder = temporaryFolder('suuq-streams-');
    mkdirSync(folder.path, { recursive: true });
    await writeShops(folder.path);
    streams = await openStreams({ data: folder.path, env: {} });
  });
  afterEach(async () => {
    await streams.close();
    folder.remove();
  });
  const late = (n: number) =>
    placed({ store: LAMPS, at: `2026-03-01T09:0${n}:00.000Z`, cents: 900, name: 'Lamp' }, 4 + n);

  it('tell what happened, from the beginning or from a place on, and end where the log ended', async () => {
    const past = (requested = {}) => lastValueFrom(streams.events$({ live: false, ...requested }).pipe(toArray()));
    expect((await past()).map(({ position }) => position)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect((await past({ after: 4 })).map(({ position }) => position)).to.deep.equal([5, 6]);
    expect((await past({ types: ['OrderPlaced'], store: LAMPS })).map(({ position }) => position)).to.deep.equal([4]);
    const january = { from: Date.parse('2026-01-10T09:00:00Z'), to: Date.parse('2026-02-01T00:00:00Z') };
    expect((await past(january)).map(({ position }) => position)).to.deep.equal([2, 3, 4]);
  });

  it('go on with what comes', async () => {
    const seen = lastValueFrom(streams.events$({ after: 5 }).pipe(take(3), toArray()));
    await appendTo(folder.path, [late(0), late(1)]);
    expect((await seen).map(({ position }) => position)).to.deep.equal([6, 7, 8]);
  });

  it('are taken in turn by who awaits each of them', async () => {
    const seen: number[] = [];
    for await (const { position } of streams.events$()) {
      seen.push(position);
      if (position === 6) break;
    }
    expect(seen).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
  });

  it('show orders as each event leaves them, also from the middle of their story on', async () => {
    const [change] = await lastValueFrom(streams.orders$({ after: 5, live: false }).pipe(toArray()));
    expect(change!.order).to.include({ id: orderId(3), status: 'cancelled', totalCents: 4000 });
    expect(change!.position).to.equal(6);
  });

  it('refuse a projection that is not there', () => {
    expect(() => streams.projection$('order')).to.throw('Did you mean orders?');
  });

  it('end with their closing, also where nobody takes them any more', async () => {
    const values = streams.events$()[Symbol.asyncIterator]();
    await values.next();
    await streams.close();
  });

  it('make a board of best sellers', async () => {
    const boards = await lastValueFrom(bestSellersBoard(streams, { live: false }).pipe(toArray()));
    expect(boards).to.have.lengthOf(SOLD.length);
    expect(boards[1]).to.deep.equal([{ name: 'Scarf', quantity: 2 }]);
    expect(boards.at(-1)).to.deep.equal([
      { name: 'Scarf', quantity: 4 },
      { name: 'Lamp', quantity: 2 },
    ]);
  });

  it('raise an alarm at the fourth order of a number within ten minutes', async () => {
    const alarm = firstValueFrom(fraudAlarms(streams));
    await appendTo(folder.path, [0, 1, 2, 3].map(late));
    expect(await alarm).to.deep.equal({ phone: '+252615550101', orderIds: [4, 5, 6, 7].map(orderId), position: 10 });
  });

  it('count what was sold in each hour', async () => {
    const hours = await lastValueFrom(hourlyRevenue(streams, { store: SCARVES }).pipe(toArray()));
    expect(hours).to.deep.equal([
      { hour: '2026-01-10T09', orders: 1, cents: 1000 },
      { hour: '2026-01-31T23', orders: 1, cents: 2000 },
      { hour: '2026-02-01T00', orders: 1, cents: 4000 },
    ]);
  });
});

describe('a stream that is pulled', () => {
  /** Creates a stream with pages of ten and counts the pages read. */
  function counted(pages: number) {
    const state = { read: 0, ended: false };
    const pulled = new Pulled<number>(async function* () {
      try {
        for (; state.read < pages; ) {
          state.read += 1;
          yield Array.from({ length: 10 }, (_, i) => i);
        }
      } finally {
        state.ended = true;
      }
    });
    return { state, pulled };
  }

  it('reads a page when the one before was taken', async () => {
    const { state, pulled } = counted(5);
    const ahead: number[] = [];
    let taken = 0;
    for await (const _ of pulled) {
      taken += 1;
      ahead.push(state.read * 10 - taken);
    }
    expect(Math.max(...ahead)).to.be.below(10);
    expect(taken).to.equal(50);
  });

  it('does awaited work for so many at a time, and takes no more than that', async () => {
    const { state, pulled } = counted(5);
    let [at, most] = [0, 0];
    const work = async (value: number) => {
      at += 1;
      most = Math.max(most, at);
      expect(state.read).to.be.below(6);
      await new Promise((resolve) => setImmediate(resolve));
      at -= 1;
      return value;
    };
    const done = await lastValueFrom(pulled.concurrently(work, 3).pipe(toArray()));
    expect([done.length, most]).to.deep.equal([50, 3]);
  });

  it('is read no further by who has seen enough', async () => {
    const { state, pulled } = counted(5);
    await lastValueFrom(pulled.pipe(take(12)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(state).to.deep.equal({ read: 2, ended: true });
  });

  it('gives an error on', async () => {
    const failing = new Pulled<number>(async function* () {
      yield [1];
      throw new Error('the disk is gone');
    });
    const reported = await lastValueFrom(failing).catch((error: Error) => error.message);
    expect(reported).to.equal('the disk is gone');
  });
});
