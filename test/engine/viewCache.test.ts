/** Documents that a new build caches in memory, and documents that it has to read again. */
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import { IdFilter } from '../../engine/projections/idFilter.js';
import { ViewCache } from '../../engine/projections/viewCache.js';

const ids = Array.from({ length: 2_000 }, (_, n) => derivedId('document', n));

/** Starts empty, writes all of `ids`, and evicts all but a few. */
function written(shared = false): ViewCache {
  const views = new ViewCache(true, shared);
  for (const [n, id] of ids.entries()) views.change(views.use(id)!, { keys: {}, body: { n } }, n);
  views.written(10);
  views.written(10);
  return views;
}

describe('views of a new build', () => {
  it('are looked up again if they were written and evicted', () => {
    const views = written();
    expect(views.size).to.equal(10);
    const known = ids.filter((id) => views.use(id) !== undefined);
    expect(known).to.have.length(10);
  });

  it('are rarely looked up if they were never written', () => {
    const views = written();
    const scannedUp = ids.filter((id) => views.use(`${id}-new`) === undefined);
    expect(scannedUp.length).to.be.below(20);
  });

  it('are all looked up if another owner may write, and after the record of writes is cleared', () => {
    expect(written(true).use('new')).to.equal(undefined);
    const views = written();
    views.clear();
    expect(views.use('new')).to.equal(undefined);
  });
});

describe('a filter of ids', () => {
  it('contains everything that was added', () => {
    const filter = new IdFilter();
    for (const id of ids) filter.add(id);
    expect(ids.filter((id) => !filter.mayHave(id))).to.deep.equal([]);
  });

  it('excludes most others, also those that differ in one letter', () => {
    const filter = new IdFilter();
    for (let n = 0; n < 200_000; n += 1) filter.add(`product-${n}`);
    let wrong = 0;
    for (let n = 200_000; n < 220_000; n += 1) if (filter.mayHave(`product-${n}`)) wrong += 1;
    expect(wrong).to.be.below(100);
  });
});
