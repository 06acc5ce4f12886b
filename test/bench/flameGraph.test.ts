import { strict as assert } from 'node:assert';
import { folded } from '../../bench/profiling/cpuProfile.js';
import { flameGraph, ownTime } from '../../bench/profiling/flameGraph.js';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 1 },
  children,
});

/** Ten samples, a millisecond apart: two while it started, three idle, five of work. */
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
  const thread = folded(profile, 'main', 7, 4_000);

  it('counts work since the start alone, and says how busy the thread was', () => {
    assert.equal(thread.root.samples, 5);
    assert.equal(thread.busy, 5 / 8);
  });

  it('tells what a function did itself from what it called', () => {
    const own = Object.fromEntries(ownTime(thread).map(({ name, share }) => [name, share]));
    assert.equal(own['decide (engine/commandHandler/commands)'], 0.4);
    assert.equal(own['serve (api/http/exchange)'], 0.2);
  });

  it('is drawn as a picture that is whole without a script, with names that are not markup', () => {
    const svg = flameGraph(thread, 'upsertProduct');
    assert.match(svg, /<title>serve \(api\/http\/exchange\): 80\.0 %<\/title>/);
    assert.match(svg, /&lt;anonymous&gt;/);
    assert.doesNotMatch(svg, /<script|<anonymous/);
  });

  it('is no larger than what is kept beside the pages, however much was called', () => {
    const many = Array.from({ length: 400 }, (_, n) => n);
    const long = (n: number) => `${'aVeryLongNameOfAFunction'.repeat(5)}${n}`;
    const chains = many.map((n) => [2 + n * 10, ...many.slice(1, 10).map((depth) => 2 + n * 10 + depth)]);
    const nodes = [
      node(
        1,
        '(root)',
        '',
        chains.map(([first]) => first!),
      ),
      ...chains.flatMap((ids) =>
        ids.map((id, at) => node(id, long(id), 'file:///dist/a.js', ids.slice(at + 1, at + 2))),
      ),
    ];
    const samples = chains.map((ids) => ids.at(-1)!);
    const svg = flameGraph(folded({ nodes, samples, startTime: 0, timeDeltas: samples.map(() => 1_000) }, 'main'), 'x');
    assert.ok(svg.length < 200_000, String(svg.length));
    assert.match(svg, /<\/svg>\n$/);
  });

  it('of a thread that did nothing is a picture too', () => {
    assert.match(flameGraph(folded({ ...profile, samples: [] }, 'idle'), 'nothing'), /busy for 0 %/);
  });
});
