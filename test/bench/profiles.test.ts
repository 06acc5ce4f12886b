import { strict as assert } from 'node:assert';
import { profileSince, workOf } from '../../bench/profiling/profiles.js';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 1 },
  children,
});

/** Ten samples, one millisecond apart: two during the start, three idle, and five of work. */
const profile = {
  nodes: [
    node(1, '(root)', '', [2, 3, 6]),
    node(2, '(idle)', ''),
    node(3, 'serve', 'file:///suuq/dist/api/http/exchange.js', [4, 5]),
    node(4, 'decide', 'file:///suuq/dist/engine/commandHandler/commands.js'),
    node(5, '<anonymous>', 'node:events'),
    node(6, '(garbage collector)', ''),
  ],
  samples: [3, 3, 2, 2, 2, 3, 4, 4, 5, 6],
  startTime: 1_000,
  timeDeltas: Array.from({ length: 10 }, () => 1_000),
};

describe('the profile of a measurement', () => {
  it('contains only the samples since the start', () => {
    const since = profileSince(profile, 4_000);
    assert.deepEqual(since.samples, [2, 2, 2, 3, 4, 4, 5, 6]);
    assert.equal(since.startTime, 3_000);
    assert.equal(since.timeDeltas.length, 8);
    assert.deepEqual(profileSince(profile, 0), profile);
    assert.deepEqual(profileSince(profile, 99_000).samples, []);
  });

  it('counts the samples in which the thread worked', () => {
    assert.equal(workOf(profileSince(profile, 4_000)), 5);
    assert.equal(workOf({ ...profile, samples: [] }), 0);
  });
});
