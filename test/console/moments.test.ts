/** A store through time: version comparison, a product's past prices, and the price of a trial cart. */
import { expect } from 'chai';
import type { ProductContent } from '../../domain/catalog/catalogEvents.js';
import { derivedId } from '../../domain/ids.js';
import { definitionOf } from '../../domain/promotions/promotionDefinition.js';
import { ORDER, OTHER, OTHER_ORDER, SHOP, signedIn } from '../support/stages/consoleStage.js';

const content: ProductContent = {
  ...{ name: 'Shirt', description: '', imageUrls: [], priceCents: 2000, availability: 'in_stock', active: true },
  variants: [],
};
const areas = [{ id: 'a1', name: 'Hodan', feeCents: 150, active: true }];
const settings = {
  ...{ deliveryEnabled: true, pickupEnabled: true, pickupAddress: 'Road 12', requestLocation: false },
  ...{ notifyStatuses: [], areas },
};
const coupon = definitionOf({ name: 'Welcome', kind: 'coupon', code: 'WELCOME', percentOff: 10 });
const PROMOTION = '00000000-0000-4000-8000-0000000000c1';
const sale = definitionOf({
  ...{ name: 'Caps', kind: 'flash_sale', percentOff: 5, scope: 'products', productExternalIds: ['cap'] },
});
const SALE = '00000000-0000-4000-8000-0000000000c2';

describe('a store through time', () => {
  const on = signedIn();
  before(async () => {
    const { eventStore, clock, shown } = on.stage;
    const happens = (minutes: number, stream: string, type: string, data: object) =>
      eventStore.append(stream, 'any', [
        {
          ...{ id: derivedId(stream, minutes), type, data },
          meta: {
            at: new Date(clock.now() + minutes * 60_000).toISOString(),
            actor: { type: 'system', id: 'operator' },
            correlationId: derivedId('moment', minutes),
            workspaceId: SHOP,
          },
        },
      ]);
    const one = { externalId: 'shirt', retailerIds: ['shirt'] };
    await happens(10, `catalog-${SHOP}`, 'ProductAdded', { ...one, product: content });
    await happens(20, `delivery-${SHOP}`, 'DeliverySettingsSaved', settings);
    const revised = { changes: { priceCents: 1800 }, before: { priceCents: 2000 }, droppedRetailerIds: [] };
    await happens(30, `catalog-${SHOP}`, 'ProductRevised', { ...one, ...revised });
    await happens(40, `promotion-${PROMOTION}`, 'PromotionCreated', { definition: coupon });
    const cap = { ...content, name: 'Cap', priceCents: 1200, salePriceCents: 1000 };
    await happens(50, `catalog-${SHOP}`, 'ProductAdded', { externalId: 'cap', retailerIds: ['cap'], product: cap });
    await happens(51, `promotion-${SALE}`, 'PromotionCreated', { definition: sale });
    await shown();
  });
  const moments = (query: string, browser = on.shop) =>
    on.stage.read(browser, `/api/moments?workspace=${SHOP}&from=2026-03-01T08:15:00Z&to=2026-03-01T09:00:00Z&${query}`);

  it('shows a store at two times', async () => {
    const { kind, moments: found } = (await moments('kind=store')).body;
    const [first, second] = found;
    expect([kind, first.at, second.at]).to.deep.equal([
      'store',
      '2026-03-01T08:15:00.000Z',
      '2026-03-01T09:00:00.000Z',
    ]);
    expect([first.documents.store.name, first.documents.delivery]).to.deep.equal(['Asha’s shop', undefined]);
    expect(second.documents.delivery.areas).to.deep.equal(areas);
  });

  it('shows a product and an order at two times', async () => {
    const [first, second] = (await moments('kind=product&id=shirt')).body.moments;
    expect([first.documents.product.priceCents, second.documents.product.priceCents]).to.deep.equal([2000, 1800]);
    const early = `/api/moments?workspace=${SHOP}&kind=order&id=${ORDER}&from=2026-03-01T07:00:00Z&to=2026-03-01T08:00:00Z`;
    const [none, placed] = (await on.stage.read(on.shop, early)).body.moments;
    expect([none.documents, placed.documents.order.status]).to.deep.equal([{}, 'new']);
  });

  it('reports what cannot be compared', async () => {
    const codeOf = async (query: string) => (await moments(query)).body.code;
    expect(await codeOf('kind=king')).to.equal('validation_failed');
    expect(await codeOf('kind=order')).to.equal('validation_failed');
    expect(await codeOf('kind=order&id=nothing')).to.equal('not_found');
    const back = `/api/moments?workspace=${SHOP}&kind=store&from=2026-03-01T09:00:00Z&to=2026-03-01T08:00:00Z`;
    expect((await on.stage.read(on.shop, back)).body.code).to.equal('validation_failed');
  });

  it('shows past prices, event by event', async () => {
    const { body } = await on.stage.read(on.shop, `/api/product-steps?workspace=${SHOP}&product=shirt`);
    const prices = body.steps.map(({ document }: { document: { body: ProductContent } }) => document.body.priceCents);
    expect(prices).to.deep.equal([2000, 1800]);
    expect(body.steps[1].event).to.include({ type: 'ProductRevised', at: '2026-03-01T08:30:00.000Z' });
    const none = await on.stage.read(on.shop, `/api/product-steps?workspace=${SHOP}&product=hat`);
    expect(none.body.code).to.equal('not_found');
  });

  it('prices a cart as for a customer, and stores nothing', async () => {
    const head = await on.stage.eventStore.head();
    const quote = async (query: string) =>
      (await on.stage.read(on.operator, `/api/quote?workspace=${SHOP}&${query}`)).body;
    const plain = await quote('lines=shirt:2,hat:1');
    expect([plain.totals.totalCents, plain.lines.length]).to.deep.equal([3600, 1]);
    expect(plain.leftOut[0]).to.include({ retailerId: 'hat' });
    const full = await quote('lines=shirt:2&coupon=welcome&area=a1');
    expect(full.totals).to.deep.equal({
      ...{ subtotalCents: 3600, discountCents: 360, deliveryFeeCents: 150, totalCents: 3390 },
    });
    expect([full.deliveryArea, full.promotions[0].name]).to.deep.equal(['Hodan', 'Welcome']);
    // With the coupon the total is below the flash sale's price. The line shows the price without the sale.
    const [onSale, better] = [await quote('lines=cap:1'), await quote('lines=cap:1&coupon=welcome')];
    expect(onSale.lines[0]).to.include({ unitPriceCents: 950, withoutFlashSaleCents: 1000, listPriceCents: 1200 });
    expect(better.lines[0]).to.include({ unitPriceCents: 1000, listPriceCents: 1200 });
    expect(better.totals).to.include({ subtotalCents: 1000, discountCents: 100, totalCents: 900 });
    for (const wrong of ['', 'lines=shirt', 'lines=shirt:0', 'lines=shirt:2&at=later'])
      expect((await quote(wrong)).code, wrong).to.equal('validation_failed');
    expect(await on.stage.eventStore.head()).to.equal(head);
  });

  it('shows store members their store only, and records reads of an auditor', async () => {
    const times = 'from=2026-03-01T08:00:00Z&to=2026-03-01T09:00:00Z';
    for (const path of [
      `/api/moments?workspace=${OTHER}&kind=store&${times}`,
      `/api/moments?workspace=${OTHER}&kind=order&id=${OTHER_ORDER}&${times}`,
      `/api/moments?workspace=${SHOP}&kind=order&id=${OTHER_ORDER}&${times}`,
      `/api/product-steps?workspace=${OTHER}&product=shirt`,
      `/api/quote?workspace=${OTHER}&lines=shirt:1`,
    ])
      expect((await on.stage.read(on.shop, path)).body.code, path).to.equal('not_found');
    expect((await moments('kind=store', on.auditor)).status).to.equal(200);
    const reads = await on.stage.eventStore.readStream(`consoleReads-${on.auditor.sessionId}`);
    expect(reads.at(-1)!.data).to.include({ operation: 'console.getMoments' });
    expect((await on.stage.read(on.shop, '/api/status')).body.code).to.equal('permission_denied');
  });
});
