import { expect } from 'chai';
import { silentLog } from '../../engine/ports/log.js';
import type { ProjectionStatus } from '../../engine/projections/status.js';
import { watchBuilding } from '../../service/composition/viewsBuilding.js';
import { fakeClock, settle } from '../support/doubles/fakeClock.js';

const view = (name: string, position: number, more: Partial<ProjectionStatus> = {}): ProjectionStatus => ({
  name,
  version: 1,
  position,
  head: 199,
  eventsPerSecond: 0,
  state: 'rebuilding',
  lag: 199 - position,
  ...more,
});
const served = (name: string) => view(name, 199, { state: 'live', served: 199 });

describe('views that are built for the first time', () => {
  let status: ProjectionStatus[];
  let fails = false;
  const clock = fakeClock();
  const watch = () =>
    watchBuilding({
      projections: {
        status: async () => {
          if (fails) throw new Error('the projections are restarting');
          return status;
        },
      },
      clock,
      log: silentLog,
    });
  /** Records whether the wait has ended. */
  const waiter = (watched: ReturnType<typeof watch>, signal = new AbortController().signal) => {
    const state = { went: false };
    void watched.untilBuilt(signal).then(() => {
      state.went = true;
    });
    return state;
  };

  it('are reported by the slowest, and awaited until all can be read', async () => {
    status = [served('keys'), view('orders', 99), view('products', 149)];
    const watched = watch();
    const waits = waiter(watched);
    await settle();
    expect(watched.now()).to.deep.equal({ names: ['orders', 'products'], of: 3, percent: 50 });
    expect([watched.percentOf('orders'), watched.percentOf('products'), watched.percentOf('never')]).to.deep.equal([
      50, 75, 50,
    ]);
    status = [served('keys'), view('orders', 199), served('products')];
    fails = true;
    await clock.advance(600);
    fails = false;
    await clock.advance(600);
    expect(watched.now()).to.deep.equal({ names: ['orders'], of: 3, percent: 99 });
    expect(waits.went).to.equal(false);
    status = [served('keys'), served('orders'), served('products')];
    await clock.advance(600);
    expect(watched.now()).to.equal(undefined);
    expect(waits.went).to.equal(true);
    expect(waiter(watched)).to.deep.equal({ went: false });
    await watched.untilBuilt(new AbortController().signal);
  });

  it('are not awaited when they have stopped, nor longer than a minute without progress', async () => {
    status = [view('orders', 99), view('products', 99, { state: 'stopped' })];
    const watched = watch();
    const waits = waiter(watched);
    for (let position = 100; position < 104; position += 1) {
      status = [view('orders', position), status[1]!];
      await clock.advance(50_000);
    }
    expect(waits.went).to.equal(false);
    await clock.advance(61_000);
    expect(waits.went, 'nothing moves').to.equal(true);
    expect(watched.now()).to.deep.include({ names: ['orders', 'products'] });
    status = [served('orders'), status[1]!];
    const later = waiter(watched);
    await clock.advance(600);
    expect(later.went, 'what is left has stopped').to.equal(true);
    watched.stop();
  });

  it('delay no shutdown', async () => {
    status = [view('orders', 99)];
    const watched = watch();
    const stopping = new AbortController();
    const waits = waiter(watched, stopping.signal);
    await settle();
    stopping.abort();
    await settle();
    expect(waits.went).to.equal(true);
    watched.stop();
  });
});
