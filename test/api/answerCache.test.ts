/** Bounds of the answer cache. keptReads.long.test.ts covers its guarantees. */
import { expect } from 'chai';
import { AnswerCache } from '../../api/http/answerCache.js';
import { AnswerSources } from '../../api/http/answerSources.js';
import { ViewChanges } from '../../engine/projections/viewChanges.js';
import { ALPHA } from '../support/doubles/fakeServices.js';

const asking = {
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

describe('what is kept of answers', () => {
  const cacheOf = (): AnswerCache => new AnswerCache(new ViewChanges(() => []), { isBehind: () => false }, MOST);
  const keep = (cache: AnswerCache, url: string, text: string): Buffer | undefined =>
    cache.store(asking, url, new AnswerSources(cache.moment), text, `"${url}"`);

  it('is the ETag of what was asked for once, and the bytes of what was wanted again', () => {
    const cache = cacheOf();
    expect(keep(cache, '/a', '{}')).to.equal(undefined);
    const known = cache.find(asking, '/a')!;
    expect([known.etag, known.bytes]).to.deep.equal(['"/a"', undefined]);
    known.isRequested = true;
    expect(keep(cache, '/a', '{}')?.toString()).to.equal('{}');
    expect(cache.find(asking, '/a')?.bytes?.toString()).to.equal('{}');
  });

  it('goes, what was asked for least lately first, and never takes more than its bound', () => {
    const cache = cacheOf();
    const text = 'x'.repeat(20_000);
    for (let i = 0; i < 20; i++) {
      keep(cache, `/${i}`, text);
      cache.find(asking, `/${i}`)!.isRequested = true;
      keep(cache, `/${i}`, text);
      expect(cache.find(asking, '/0')?.bytes, 'asked for again').to.have.length(20_000);
    }
    const kept = Array.from({ length: 20 }, (_, i) => cache.find(asking, `/${i}`)?.bytes?.length ?? 0);
    expect(kept.reduce((sum, length) => sum + length))
      .to.be.lessThan(MOST)
      .and.greaterThan(MOST / 2);
    expect(kept.slice(-2)).to.deep.equal([20_000, 20_000]);
  });

  it('is not the bytes of a very large one', () => {
    const cache = cacheOf();
    const text = 'x'.repeat(300_000);
    keep(cache, '/large', text);
    cache.find(asking, '/large')!.isRequested = true;
    expect(keep(cache, '/large', text)).to.equal(undefined);
    expect(cache.find(asking, '/large')?.etag).to.equal('"/large"');
  });
});
