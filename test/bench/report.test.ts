import { strict as assert } from 'node:assert';
import type { Load } from '../../bench/support/load.js';
import { atLeast, besideBare, costTable, medians, table } from '../../bench/support/report.js';

const loadOf = (perSecond: number, server: number): Load => ({
  ...{ perSecond, p50Ms: 1, p99Ms: 2, failures: 0 },
  cost: { server, generator: 40 },
});
const bare = { express: loadOf(8_000, 110), plain: loadOf(20_000, 40) };

describe('the report of a measurement', () => {
  it('names what is asked beside what was reached, against bare Express', () => {
    const lines = table([besideBare('getOrder', loadOf(16_000, 55), bare, 2.5)]).split('\n');
    assert.equal(lines[2], '| getOrder | 16,000 requests/s | 8,000 requests/s | 2.00 | 2.5 × bare Express | **no** |');
  });

  it('tells what a request cost who answers and who asks, and the same of node:http', () => {
    const lines = costTable([besideBare('getOrder', loadOf(16_000, 55), bare, 2.5)]).split('\n');
    assert.equal(lines.at(-1), '| getOrder | 55 + 40 | 110 + 40 | 0.50 | 40 + 40 | 20,000 requests/s | 0.80 |');
  });

  it('has no such table where nothing stands beside bare servers', () => {
    assert.equal(costTable([atLeast('checkouts', 500, 'checkouts/s', 490)]), '');
  });

  it('takes of several runs each figure from the run in which it was the median, with what belongs to that run', () => {
    const runs = [9_000, 30_000, 12_000].map((perSecond, run) => [
      besideBare('getOrder', loadOf(perSecond, run), bare, 2.5),
      atLeast('checkouts', [3, 1, 2][run]!, 'checkouts/s', 2),
    ]);
    const [getOrder, checkouts] = medians(runs);
    assert.deepEqual([getOrder!.figure, getOrder!.cost!.ours.server], [12_000, 2]);
    assert.equal(checkouts!.figure, 2);
  });
});
