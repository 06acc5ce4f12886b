import { expect } from 'chai';
import { ProviderError } from '../../application/ports/catalogProvider.js';
import { catalogStatus } from '../../projections/catalogStatus.js';
import { until } from '../support/doubles/fakeClock.js';
import { type FakeProvider, fakeProvider } from '../support/doubles/fakeProvider.js';
import { CATALOG, type CatalogStage, catalogStage, SHOP } from '../support/stages/catalogStage.js';

const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `p${from + i}`);

describe('catalog push', () => {
  let stage: CatalogStage;
  let provider: FakeProvider;
  beforeEach(async () => {
    stage = await catalogStage();
    provider = fakeProvider();
  });
  afterEach(async () => {
    await stage.close();
    expect(provider.overlaps, 'items in two unfinished batches at once').to.deep.equal([]);
  });

  const reach = (status: string | undefined, ...ids: string[]) =>
    until(`${ids.slice(0, 5)} to be ${status}`, async () =>
      (await stage.statuses(...ids)).every((one) => one === status),
    );
  const inCatalog = (id = CATALOG): string[] => [...provider.items(id).keys()].sort();
  const connected = async () => {
    await stage.connectNumber();
    await stage.startPush(provider);
  };
  const storeStatus = async () => {
    await stage.waitForViews(await stage.events.head());
    return (await stage.reads.get(catalogStatus, SHOP))?.body;
  };

  it('sends products to the catalog, and shows the provider’s verdicts', async () => {
    await connected();
    provider.review = ({ retailerId }) =>
      retailerId === 'dress-l'
        ? { status: 'rejected', reasons: ['The image shows text.'] }
        : { status: 'approved', reasons: [] };
    await stage.put(
      {
        externalId: 'shirt',
        name: 'Shirt',
        description: 'Cool.',
        stock: 0,
        salePriceCents: 8_00,
        saleEndsAt: '2027-01-01T00:00:00Z',
      },
      {
        externalId: 'dress',
        variants: [
          { externalId: 'dress-m', size: 'M' },
          { externalId: 'dress-l', size: 'L', priceCents: 12_00 },
        ],
      },
    );
    await reach('approved', 'shirt');
    await reach('rejected', 'dress');
    const { sync, variants } = (await stage.product('dress'))!;
    expect(sync.reason).to.equal('The image shows text.');
    expect(variants.map((variant) => variant.sync.status)).to.deep.equal(['approved', 'rejected']);
    expect(Date.parse(sync.lastSyncedAt!)).to.be.greaterThan(0);
    expect(provider.items(CATALOG).get('shirt')).to.deep.equal({
      retailerId: 'shirt',
      title: 'Shirt',
      description: 'Cool.',
      availability: 'out_of_stock',
      priceCents: 10_00,
      salePriceCents: 8_00,
      saleEndsAt: '2027-01-01T00:00:00.000Z',
      link: `https://shop.example.com/p/${SHOP}/shirt`,
      imageUrls: ['https://cdn.example.com/1.jpg'],
      brand: 'Asha’s shop',
    });
    expect(provider.items(CATALOG).get('dress-l')).to.include({ groupId: 'dress', size: 'L', priceCents: 12_00 });
    expect(await storeStatus()).to.deep.equal({ status: 'active', metaCatalogId: CATALOG });
    await until('nothing is pending', async () => (await stage.pending()) === 0);
  });

  it('keeps items queued until a number is connected, then sends all of them', async () => {
    await stage.startPush(provider);
    await stage.put(...names(30).map((externalId) => ({ externalId })));
    await until('the push has found no number', async () => (await stage.pending()) === 0);
    expect(new Set(await stage.statuses(...names(30)))).to.deep.equal(new Set(['queued']));
    await stage.put({ externalId: 'later' });
    await stage.connectNumber();
    await reach('approved', ...names(30), 'later');
    expect(inCatalog()).to.deep.equal([...names(30), 'later'].sort());
    await stage.put({ externalId: 'after' });
    await reach('approved', 'after');
  });

  it('removes items that are deleted, switched off or no longer a variant', async () => {
    await connected();
    const variants = [{ externalId: 'c-1' }, { externalId: 'c-2' }];
    await stage.put({ externalId: 'a' }, { externalId: 'b' }, { externalId: 'c', variants });
    await reach('approved', 'a', 'b', 'c');
    await stage.remove('a');
    await stage.put({ externalId: 'b', active: false }, { externalId: 'c', variants: variants.slice(1) });
    await until('they are removed', () => inCatalog().join() === 'c-2');
    await reach('approved', 'c');
    expect(await stage.statuses('a', 'b')).to.deep.equal([undefined, 'inactive']);
    await stage.put({ externalId: 'a' }, { externalId: 'b' });
    await until('they are back', () => inCatalog().join() === 'a,b,c-2');
  });

  it('keeps an item queued that changed after its push, and pushes it when the batch is finished', async () => {
    await connected();
    provider.finishing = false;
    await stage.put({ externalId: 'a' });
    await reach('in_review', 'a');
    await stage.put({ externalId: 'a', priceCents: 11_00 }, { externalId: 'b' });
    await reach('in_review', 'b');
    expect(await stage.statuses('a')).to.deep.equal(['queued']);
    await stage.put({ externalId: 'a', priceCents: 12_00 });
    provider.finishing = true;
    await reach('approved', 'a', 'b');
    expect(provider.items(CATALOG).get('a')!.priceCents).to.equal(12_00);
  });

  it('retries after temporary errors of the provider', async () => {
    await connected();
    provider.faults.push(
      new ProviderError('timeout', 'No answer.', true),
      new ProviderError('80014', 'Slow down.', true, 3000),
    );
    await stage.put({ externalId: 'a' });
    await reach('approved', 'a');
    expect(provider.faults).to.have.length(0);
  });

  it('shows why a push failed permanently, and retries when the number is connected again', async () => {
    await connected();
    provider.faults.push(new ProviderError('190', 'The token is invalid.', false));
    await stage.put({ externalId: 'a' });
    await reach('failed', 'a');
    expect((await stage.product('a'))!.sync.reason).to.equal('The token is invalid.');
    expect(await storeStatus()).to.deep.equal({
      status: 'failed',
      metaCatalogId: CATALOG,
      errorCode: '190',
      errorMessage: 'The token is invalid.',
    });
    await stage.connectNumber();
    await reach('approved', 'a');
    expect(await storeStatus()).to.deep.equal({ status: 'active', metaCatalogId: CATALOG });
  });

  it('pushes everything to a new catalog', async () => {
    await connected();
    await stage.put({ externalId: 'a' }, { externalId: 'off', active: false }, { externalId: 'b' });
    await reach('approved', 'a', 'b');
    await stage.connectNumber('catalog-2');
    await until('they are in the new catalog', () => inCatalog('catalog-2').join() === 'a,b');
    await reach('approved', 'a', 'b');
  });

  it('treats a response that accepts no item as a failure after three attempts', async () => {
    await connected();
    provider.faults.push({ problems: [] }, { problems: [] });
    await stage.put({ externalId: 'a' });
    await reach('approved', 'a');
    provider.faults.push({ problems: [] }, { problems: [] }, { problems: [] });
    await stage.put({ externalId: 'b' });
    await reach('failed', 'b');
    expect((await stage.product('b'))!.sync.reason).to.equal('The catalog provider accepted nothing.');
  });

  it('shows an item that was not saved as failed, and leaves the others unchanged', async () => {
    await connected();
    provider.unsaved = ({ retailerId }) => (retailerId === 'b' ? 'The image cannot be fetched.' : undefined);
    await stage.put({ externalId: 'a' }, { externalId: 'b' });
    await reach('approved', 'a');
    await reach('failed', 'b');
    expect((await stage.product('b'))!.sync.reason).to.equal('The image cannot be fetched.');
    provider.faults.push({ problems: [{ retailerId: 'c', message: 'No price.' }] });
    await stage.put({ externalId: 'c' }, { externalId: 'd' });
    await reach('approved', 'd');
    expect((await stage.product('c'))!.sync).to.deep.equal({ status: 'failed', reason: 'No price.' });
  });

  it('pushes the items of a batch again if the provider has lost the batch', async () => {
    await connected();
    provider.finishing = false;
    provider.forgotten.add('batch-1');
    await stage.put({ externalId: 'a' });
    await until('it is pushed again', () => provider.calls.length === 2);
    provider.finishing = true;
    await reach('approved', 'a');
  });

  it('requests reviews until there is a verdict, at most 200 items per call', async () => {
    await connected();
    let verdict = false;
    provider.review = () => ({ status: verdict ? 'approved' : 'pending', reasons: [] });
    await stage.put(...names(450).map((externalId) => ({ externalId })));
    await until('reviews are requested repeatedly', () => provider.requests.length >= 9);
    expect(Math.max(...provider.requests.map((ids) => ids.length))).to.equal(200);
    expect(new Set(await stage.statuses(...names(450)))).to.deep.equal(new Set(['in_review']));
    verdict = true;
    await reach('approved', ...names(450));
    await until('nothing is pending', async () => (await stage.pending()) === 0);
  });

  it('sends a large upload in groups, with few tasks', async () => {
    await connected();
    let mostPending = 0;
    for (let from = 0; from < 6000; from += 500) {
      await stage.put(...names(500, from).map((externalId) => ({ externalId })));
      mostPending = Math.max(mostPending, await stage.pending());
    }
    await until('all are in the catalog', () => provider.items(CATALOG).size === 6000);
    expect(Math.max(...provider.calls.map(({ requests }) => requests.length))).to.equal(1000);
    expect(mostPending).to.be.at.most(40);
    await reach('approved', 'p0', 'p2999', 'p5999');
  });

  it('loses nothing when the process ends at any moment, and never leaves older content in the catalog', async () => {
    await stage.connectNumber();
    let running = await stage.startPush(provider);
    for (let round = 0; round < 12; round++) {
      const price = 10_00 + round;
      await stage.put(...names(120, round * 10).map((externalId) => ({ externalId, priceCents: price })));
      if (round % 4 === 3) await stage.remove(`p${round * 10}`);
      const last = `p${round * 10 + 119}`;
      const calls = provider.calls.length + provider.requests.length;
      // Ends at the first, second, third… call after the change, or when all is done: before or after each step of the way.
      await until('it is in progress', async () => {
        const made = provider.calls.length + provider.requests.length - calls;
        return made > round % 5 || (await stage.product(last))?.sync.status === 'approved';
      });
      running.crash();
      running = await stage.startPush(provider);
    }
    const left = names(230).filter((id) => !['p30', 'p70', 'p110'].includes(id));
    await until(
      'the catalog matches the store',
      async () => inCatalog().length === left.length && (await stage.pending()) === 0,
    );
    await reach('approved', ...left);
    for (const id of left)
      expect(provider.items(CATALOG).get(id)!.priceCents, id).to.equal((await stage.product(id))!.priceCents);
  });
});
