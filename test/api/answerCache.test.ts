/** Bounds of the answer cache. cachedReads.long.test.ts covers its guarantees. */
import { expect } from 'chai';
import { AnswerCache } from '../../api/http/answerCache.js';
import { AnswerSources } from '../../api/http/answerSources.js';
import { ViewChanges } from '../../engine/projections/viewChanges.js';
import { ALPHA } from '../support/doubles/fakeServices.js';

const request = {
  workspace: {
    workspaceId: ALPHA,
    name: 'Store',
    status: 'active',
    country: 'SO',
    timezone: 'Africa/Mogadishu',
    locale: 'en',
    features: { has: () => true, limit: () => undefined },
  },
} as const;
const MOST = 100_000;

describe('cached responses', () => {
  const cacheOf = (): AnswerCache => new AnswerCache(new ViewChanges(() => []), { isBehind: () => false }, MOST);
  const store = (cache: AnswerCache, url: string, text: string): Buffer | undefined =>
    cache.store(request, url, new AnswerSources(cache.moment), text, `"${url}"`);

  it('contain the ETag after one request, and the bytes after the second', () => {
    const cache = cacheOf();
    expect(store(cache, '/a', '{}')).to.equal(undefined);
    const known = cache.find(request, '/a')!;
    expect([known.etag, known.bytes]).to.deep.equal(['"/a"', undefined]);
    known.isRequested = true;
    expect(store(cache, '/a', '{}')?.toString()).to.equal('{}');
    expect(cache.find(request, '/a')?.bytes?.toString()).to.equal('{}');
  });

  it('are evicted least recently requested first, within the size limit', () => {
    const cache = cacheOf();
    const text = 'x'.repeat(20_000);
    for (let i = 0; i < 20; i++) {
      store(cache, `/${i}`, text);
      cache.find(request, `/${i}`)!.isRequested = true;
      store(cache, `/${i}`, text);
      expect(cache.find(request, '/0')?.bytes, 'asked for again').to.have.length(20_000);
    }
    const retained = Array.from({ length: 20 }, (_, i) => cache.find(request, `/${i}`)?.bytes?.length ?? 0);
    expect(retained.reduce((sum, length) => sum + length))
      .to.be.lessThan(MOST)
      .and.greaterThan(MOST / 2);
    expect(retained.slice(-2)).to.deep.equal([20_000, 20_000]);
  });

  it('do not contain the bytes of a very large response', () => {
    const cache = cacheOf();
    const text = 'x'.repeat(300_000);
    store(cache, '/large', text);
    cache.find(request, '/large')!.isRequested = true;
    expect(store(cache, '/large', text)).to.equal(undefined);
    expect(cache.find(request, '/large')?.etag).to.equal('"/large"');
  });
});
