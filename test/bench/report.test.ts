import { strict as assert } from 'node:assert';
import type { Load } from '../../bench/support/load.js';
import { untilShown } from '../../bench/support/polling.js';
import { atLeast, atMost, comparedWithBare, costTable, medians, p99Within, table } from '../../bench/support/report.js';
import { runCases } from '../../bench/support/runCases.js';

const loadOf = (perSecond: number, server: number): Load => ({
  ...{ perSecond, p50Ms: 1, p99Ms: 2, failures: 0 },
  cost: { server, generator: 40 },
});
const bare = { express: loadOf(8_000, 110), plain: loadOf(20_000, 40) };

describe('the report of a measurement', () => {
  it('shows the requirement next to the result, compared with bare Express', () => {
    const lines = table([comparedWithBare('getOrder', loadOf(16_000, 55), bare, 2.5)]).split('\n');
    assert.equal(lines[2], '| getOrder | 16,000 requests/s | 8,000 requests/s | 2.00 | 2.5 × bare Express | **no** |');
  });

  it('shows the CPU cost per request of server and client, and of node:http', () => {
    const lines = costTable([comparedWithBare('getOrder', loadOf(16_000, 55), bare, 2.5)]).split('\n');
    assert.equal(lines.at(-1), '| getOrder | 55 + 40 | 110 + 40 | 0.50 | 40 + 40 | 20,000 requests/s | 0.80 |');
  });

  it('has no cost table without bare servers', () => {
    assert.equal(costTable([atLeast('checkouts', 500, 'checkouts/s', 490)]), '');
  });

  it('uses for each figure of several runs the median run, with the related values', () => {
    const runs = [9_000, 30_000, 12_000].map((perSecond, run) => [
      comparedWithBare('getOrder', loadOf(perSecond, run), bare, 2.5),
      atLeast('checkouts', [3, 1, 2][run]!, 'checkouts/s', 2),
    ]);
    const [getOrder, checkouts] = medians(runs);
    assert.deepEqual([getOrder!.figure, getOrder!.cost!.ours.server], [12_000, 2]);
    assert.equal(checkouts!.figure, 2);
  });

  it('counts a wait beyond its limit as that limit, and does not report the requirement as met', () => {
    const late = p99Within('order readable, p99', [...Array.from({ length: 999 }, () => 20), 30_014], 30_000, 100);
    assert.deepEqual([late.figure, late.reached], [20, false], 'the p99 hides it');
    const all = p99Within('order readable, p99', [30_014, 30_020], 30_000, 100);
    assert.deepEqual([all.figure, all.reached], [30_000, false]);
    assert.equal(p99Within('order readable, p99', [20, 99], 30_000, 100).reached, true);
  });

  it('prints the rows of each case when it ends, names a failing one, and still measures the others', async () => {
    const reported: string[] = [];
    const { figures, failed } = await runCases(
      [
        { name: 'carts', measure: async () => [atLeast('carts', 500, 'orders/s', 490)] },
        { name: 'broken', measure: async () => Promise.reject(new Error('no answer')) },
        { name: 'waits', measure: async () => [atMost('waits', 20, 'ms', 100)] },
      ],
      1,
      (text) => reported.push(text),
    );
    assert.deepEqual(
      figures.map(({ name }) => name),
      ['carts', 'waits'],
    );
    assert.deepEqual(failed, [{ name: 'broken', error: 'no answer' }]);
    const rows = reported.findIndex((text) => text.includes('| carts | 500 orders/s |'));
    assert.ok(rows >= 0 && rows < reported.indexOf('broken …\n'), reported.join(''));
  });

  it('keeps the successful runs of a case', async () => {
    let run = 0;
    const measure = async () => {
      run += 1;
      if (run === 2) throw new Error('no answer');
      return [atLeast('carts', run * 100, 'orders/s', 490)];
    };
    const { figures, failed } = await runCases([{ name: 'carts', measure }], 3, () => undefined);
    assert.deepEqual([figures.map(({ figure }) => figure), failed.length], [[300], 1]);
  });

  it('polls less often the longer it waits, and ends at its limit', async () => {
    let polls = 0;
    const wait = { started: performance.now(), everyMs: 1, limitMs: 400 };
    const ms = await untilShown(wait, async () => {
      polls += 1;
      return false;
    });
    // Polling every millisecond takes up to 400 polls. Polling ten times, then at growing intervals, takes about 50.
    assert.ok(ms >= 400 && polls < 80, `${ms} ms, ${polls} looks`);
    const shown = await untilShown({ ...wait, started: performance.now() }, async () => true);
    assert.ok(shown < 400, `${shown} ms`);
  });
});
