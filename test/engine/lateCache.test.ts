/** The memory of what was used last keeps its promises while it grows. */
import { expect } from 'chai';
import { LateCache } from '../../engine/lateCache.js';

describe('a cache that allocates memory as it fills', () => {
  const filled = (max: number, count: number): LateCache<string> => {
    const cache = new LateCache<string>({ max });
    for (let n = 0; n < count; n++) cache.set(`k${n}`, `v${n}`);
    return cache;
  };

  it('holds its maximum and evicts the least recently used, before and after it has grown', () => {
    for (const [max, count] of [
      [3, 5],
      [1_000, 1_001],
      [2_500, 2_600],
    ] as const) {
      const cache = filled(max, count);
      expect(cache.size).to.equal(max);
      expect([cache.get(`k${count - max - 1}`), cache.get(`k${count - max}`)]).to.deep.equal([
        undefined,
        `v${count - max}`,
      ]);
    }
  });

  it('keeps the order of use when it grows', () => {
    const cache = filled(2_000, 1_000);
    cache.get('k0');
    for (let n = 1_000; n < 2_001; n++) cache.set(`k${n}`, `v${n}`);
    expect([cache.has('k0'), cache.has('k1'), cache.has('k2')]).to.deep.equal([true, false, true]);
  });

  it('grows only for new entries', () => {
    const cache = filled(1_500, 1_000);
    cache.set('k999', 'again');
    expect([cache.size, cache.get('k999')]).to.deep.equal([1_000, 'again']);
  });

  it('keeps the given lifetime of each entry, also when it grows', () => {
    let now = 1;
    const cache = new LateCache<string>({
      max: 2_000,
      ttl: 100,
      ttlResolution: 0,
      perf: { isSteady: true, now: () => now },
    });
    cache.set('brief', 'x', { ttl: 20 });
    now = 11;
    cache.set('begun before', 'x', { start: 1 });
    for (let n = 0; n < 1_500; n++) cache.set(`k${n}`, 'x');
    const counting = (): boolean[] => ['brief', 'begun before', 'k1499'].map((name) => cache.has(name));
    expect(counting()).to.deep.equal([true, true, true]);
    now = 22;
    expect(counting()).to.deep.equal([false, true, true]);
    now = 102;
    expect(counting()).to.deep.equal([false, false, true]);
    now = 112;
    expect(counting()).to.deep.equal([false, false, false]);
  });

  it('drops expired entries without a lookup', () => {
    let now = 1;
    const cache = new LateCache<string>({
      max: 2_000,
      ttl: 20_000,
      idle: true,
      perf: { isSteady: true, now: () => now },
    });
    for (let n = 0; n < 1_500; n++) cache.set(`k${n}`, 'x');
    for (let n = 0; n < 3; n++) {
      now += 15_000;
      cache.get('k7');
    }
    cache.set('new', 'x');
    expect([cache.size, cache.get('k7')]).to.deep.equal([2, 'x']);
  });

  it('renews the lifetime of an entry on use, also if stored before it grew', () => {
    let now = 1;
    const cache = new LateCache<string>({
      max: 2_000,
      ttl: 20_000,
      idle: true,
      perf: { isSteady: true, now: () => now },
    });
    for (let n = 0; n < 1_000; n++) cache.set(`k${n}`, 'x');
    now += 15_000;
    cache.set('one more', 'x');
    cache.get('k7');
    now += 15_000;
    expect([cache.get('k7'), cache.get('k8')]).to.deep.equal(['x', undefined]);
  });
});
