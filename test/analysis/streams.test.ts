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

describe('event streams', () => {
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

  it('emit events, from the beginning or from a position, and end at the end of the log', async () => {
    const past = (requested = {}) => lastValueFrom(streams.events$({ live: false, ...requested }).pipe(toArray()));
    expect((await past()).map(({ position }) => position)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect((await past({ after: 4 })).map(({ position }) => position)).to.deep.equal([5, 6]);
    expect((await past({ types: ['OrderPlaced'], store: LAMPS })).map(({ position }) => position)).to.deep.equal([4]);
    const january = { from: Date.parse('2026-01-10T09:00:00Z'), to: Date.parse('2026-02-01T00:00:00Z') };
    expect((await past(january)).map(({ position }) => position)).to.deep.equal([2, 3, 4]);
  });

  it('continue with new events', async () => {
    const seen = lastValueFrom(streams.events$({ after: 5 }).pipe(take(3), toArray()));
    await appendTo(folder.path, [late(0), late(1)]);
    expect((await seen).map(({ position }) => position)).to.deep.equal([6, 7, 8]);
  });

  it('work with for await', async () => {
    const seen: number[] = [];
    for await (const { position } of streams.events$()) {
      seen.push(position);
      if (position === 6) break;
    }
    expect(seen).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
  });

  it('show orders after each event, also from the middle of their history', async () => {
    const [change] = await lastValueFrom(streams.orders$({ after: 5, live: false }).pipe(toArray()));
    expect(change!.order).to.include({ id: orderId(3), status: 'cancelled', totalCents: 4000 });
    expect(change!.position).to.equal(6);
  });

  it('reject an unknown projection', () => {
    expect(() => streams.projection$('order')).to.throw('Did you mean orders?');
  });

  it('end when closed, also without a consumer', async () => {
    const values = streams.events$()[Symbol.asyncIterator]();
    await values.next();
    await streams.close();
  });

  it('make a list of best sellers', async () => {
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

  it('count sales per hour', async () => {
    const hours = await lastValueFrom(hourlyRevenue(streams, { store: SCARVES }).pipe(toArray()));
    expect(hours).to.deep.equal([
      { hour: '2026-01-10T09', orders: 1, cents: 1000 },
      { hour: '2026-01-31T23', orders: 1, cents: 2000 },
      { hour: '2026-02-01T00', orders: 1, cents: 4000 },
    ]);
  });
});

describe('a pull-based stream', () => {
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

  it('reads a page after the previous one was consumed', async () => {
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

  it('limits concurrent asynchronous work', async () => {
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

  it('stops reading when its consumer does', async () => {
    const { state, pulled } = counted(5);
    await lastValueFrom(pulled.pipe(take(12)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(state).to.deep.equal({ read: 2, ended: true });
  });

  it('passes on an error', async () => {
    const failing = new Pulled<number>(async function* () {
      yield [1];
      throw new Error('the disk is gone');
    });
    const reported = await lastValueFrom(failing).catch((error: Error) => error.message);
    expect(reported).to.equal('the disk is gone');
  });
});
