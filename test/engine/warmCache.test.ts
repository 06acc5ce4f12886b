import { expect } from 'chai';
import { HEAVY, WarmCache } from '../../engine/commandHandler/warmCache.js';
import { IDLE_MS } from '../../engine/idle.js';

describe('warm cache', () => {
  const of = (weight: number) => ({ weight });
  const stored = (cache: WarmCache<{ weight: number }>, ...keys: string[]) =>
    keys.filter((key) => cache.get(key) !== undefined);

  it('keeps the most recently used within its bytes, and always the newest', () => {
    const cache = new WarmCache(100);
    for (const key of ['a', 'b', 'c']) cache.put(key, of(30));
    cache.get('a');
    cache.put('d', of(30));
    expect(stored(cache, 'a', 'b', 'c', 'd')).to.deep.equal(['a', 'c', 'd']);
    cache.put('e', of(101));
    expect(stored(cache, 'a', 'c', 'd', 'e')).to.deep.equal(['e']);
    cache.put('f', of(0.5));
    expect(stored(cache, 'e', 'f')).to.deep.equal(['f']);
  });

  it('evicts others for an entry that has grown, but not for one already evicted', () => {
    const cache = new WarmCache(100);
    const growing = of(30);
    cache.put('a', of(30));
    cache.put('b', growing);
    growing.weight = 80;
    cache.reweigh('b', growing);
    expect(stored(cache, 'a', 'b')).to.deep.equal(['b']);
    cache.reweigh('b', of(1));
    cache.remove('b', of(80));
    cache.reweigh('c', growing);
    expect(stored(cache, 'b', 'c')).to.deep.equal(['b']);
    cache.remove('b', growing);
    expect(stored(cache, 'b')).to.deep.equal([]);
  });

  it('drops entries unused for minutes, except those that are slow to reload', () => {
    let now = 1_000;
    const cache = new WarmCache<{ weight: number }>(10 * HEAVY, { isSteady: true, now: () => now });
    cache.put('used', of(30));
    cache.put('idle', of(30));
    cache.put('heavy', of(HEAVY));
    now += IDLE_MS - 1;
    cache.get('used');
    now += 2;
    expect(stored(cache, 'used', 'idle', 'heavy')).to.deep.equal(['used', 'heavy']);
    now += IDLE_MS + 1;
    cache.put('new', of(10 * HEAVY - HEAVY - 30));
    // Where 'used' was still there, 'heavy' would have had to make room.
    expect(stored(cache, 'used', 'heavy', 'new')).to.deep.equal(['heavy', 'new']);
  });
});
