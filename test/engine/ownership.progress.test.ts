import { expect } from 'chai';
import { BEFORE_ALL, type Position, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { createSharedProgress, type SharedProgress } from '../../engine/projections/sharedProgress.js';
import { type FakeClock, fakeClock, settle } from '../support/doubles/fakeClock.js';

describe('progress shared by instances', () => {
  let clock: FakeClock;
  let positions: Map<string, Position>;
  let aliases: Map<string, string>;
  let queries: { readonly names: readonly string[]; readonly at: number }[];
  let resolved: number;
  /** Delays or fails the next queries. */
  let obstacle: () => Promise<void>;
  let progress: SharedProgress;

  beforeEach(() => {
    clock = fakeClock(0);
    positions = new Map([
      ['orders_v1', 5],
      ['stock_v1', 5],
    ]);
    aliases = new Map([
      ['orders', 'orders_v1'],
      ['stock', 'stock_v1'],
    ]);
    queries = [];
    resolved = 0;
    obstacle = async () => undefined;
    progress = createSharedProgress({
      clock,
      views: {
        async checkpoints(names) {
          queries.push({ names, at: clock.now() });
          await obstacle();
          return new Map(names.map((name) => [name, positions.get(name) ?? BEFORE_ALL]));
        },
        async resolve(name) {
          resolved++;
          return aliases.get(name) ?? name;
        },
      },
    });
  });
  afterEach(() => progress.close());

  /** Result of a wait so far. It is empty while the wait is pending. */
  const outcome = (wait: Promise<boolean>): { value?: boolean } => {
    const found: { value?: boolean } = {};
    void wait.then((value) => {
      found.value = value;
    });
    return found;
  };

  it('is queried at once on the first wait, and not while nobody waits', async () => {
    await clock.advance(10_000);
    expect(queries).to.deep.equal([]);
    expect(await progress.waitFor(['orders', 'stock'], 5, 1000)).to.equal(true);
    expect(queries).to.deep.equal([{ names: ['orders_v1', 'stock_v1'], at: 10_000 }]);
    await clock.advance(10_000);
    expect(queries).to.have.length(1);
    expect(await progress.waitFor(['orders'], 4, 1000)).to.equal(true);
    expect(queries, 'what is known is not asked again').to.have.length(1);
  });

  it('is queried once for all waits, at growing intervals', async () => {
    const waits = [4, 6, 7, 7].map((position) => outcome(progress.waitFor(['orders', 'stock'], position, 60_000)));
    await clock.advance(1000);
    expect(waits.map(({ value }) => value)).to.deep.equal([true, undefined, undefined, undefined]);
    const pauses = queries.slice(1).map(({ at }, i) => at - queries[i]!.at);
    expect(pauses[0]).to.equal(4);
    expect(pauses.at(-1)).to.equal(50);
    expect(pauses).to.deep.equal([...pauses].sort((a, b) => a - b));
    expect(queries.length).to.be.within(20, 35);
    positions.set('orders_v1', 7);
    positions.set('stock_v1', 6);
    await clock.advance(100);
    expect(waits.map(({ value }) => value)).to.deep.equal([true, true, undefined, undefined]);
    expect(queries.at(-1)!.names).to.deep.equal(['stock_v1']);
  });

  it('never has two queries in progress', async () => {
    let under = 0;
    let most = 0;
    obstacle = async () => {
      most = Math.max(most, ++under);
      await settle(3);
      under--;
    };
    const waits = Array.from({ length: 50 }, (_, i) => outcome(progress.waitFor(['orders'], 6 + i, 60_000)));
    await clock.advance(100);
    positions.set('orders_v1', 100);
    await clock.advance(100);
    await settle(20);
    expect(waits.every(({ value }) => value)).to.equal(true);
    expect(most).to.equal(1);
  });

  it('follows a name to another collection during a wait', async () => {
    const wait = outcome(progress.waitFor(['orders'], 9, 60_000));
    await clock.advance(500);
    const before = resolved;
    // The new build has overtaken the serving build, which is then removed.
    aliases.set('orders', 'orders_v1_r1');
    positions.set('orders_v1_r1', 9);
    positions.delete('orders_v1');
    await clock.advance(200);
    expect(wait.value).to.equal(true);
    expect(resolved - before).to.be.at.most(3);
  });

  it('ends waits at once, without a query, for what this instance runs', async () => {
    progress.moved({ orders: 6 });
    const wait = outcome(progress.waitFor(['orders'], 7, 60_000));
    await clock.advance(20);
    progress.moved({ orders: 7 });
    await settle();
    expect(wait.value).to.equal(true);
    expect(queries).to.deep.equal([]);
    const other = outcome(progress.waitFor(['orders'], 8, 60_000));
    // Another instance has taken it over since.
    positions.set('orders_v1', 8);
    await clock.advance(100);
    expect(other.value).to.equal(true);
  });

  it('survives an unavailable engine, and ends waits by their timeout', async () => {
    obstacle = () => Promise.reject(new StoreUnavailable('away'));
    const short = progress.waitFor(['orders'], 6, 30);
    const long = outcome(progress.waitFor(['orders'], 6, 60_000));
    await clock.advance(1000);
    expect(await short).to.equal(false);
    obstacle = async () => undefined;
    positions.set('orders_v1', 6);
    await clock.advance(50);
    expect(long.value).to.equal(true);
  });
});
