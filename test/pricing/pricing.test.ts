import { expect } from 'chai';
import { noteOf } from '../../domain/pricing/leftOutItems.js';
import { deliveryFeeCents, MAX_LINES, priceCart, priceNow, type SellableItem } from '../../domain/pricing/pricing.js';

const NOW = Date.parse('2026-03-01T09:00:00Z');
const MAX_CENTS = 100_000_000_000;

const shirt: SellableItem = {
  retailerId: 'SHIRT-M',
  productExternalId: 'SHIRT',
  name: 'Linen shirt',
  size: 'M',
  priceCents: 12_00,
  availability: 'in_stock',
  active: true,
};
const scarf: SellableItem = {
  retailerId: 'SCARF',
  productExternalId: 'SCARF',
  name: 'Scarf',
  priceCents: 5_50,
  availability: 'in_stock',
  stock: 3,
  active: true,
};
const shelf = (...items: SellableItem[]) => new Map(items.map((item) => [item.retailerId, item]));
const priced = (item: SellableItem, quantity: number) =>
  priceCart([{ retailerId: item.retailerId, quantity }], shelf(item), NOW);

describe('pricing a cart', () => {
  it('adds up the catalog prices', () => {
    const cart = [
      { retailerId: 'SHIRT-M', quantity: 2 },
      { retailerId: 'SCARF', quantity: 1 },
    ];
    const { lines, leftOut, totals } = priceCart(cart, shelf(shirt, scarf), NOW);
    expect(lines[0]).to.deep.equal({
      productExternalId: 'SHIRT',
      retailerId: 'SHIRT-M',
      name: 'Linen shirt',
      size: 'M',
      quantity: 2,
      unitPriceCents: 12_00,
    });
    expect(totals).to.deep.equal({
      subtotalCents: 29_50,
      discountCents: 0,
      deliveryFeeCents: 0,
      totalCents: 29_50,
    });
    expect(leftOut).to.deep.equal([]);
    expect(noteOf(leftOut)).to.equal(undefined);
  });

  it('counts a repeated item once, without letting an invalid quantity reduce it', () => {
    const cart = [1, 1, -5, 0, 0.5, Number.NaN].map((quantity) => ({ retailerId: 'SCARF', quantity }));
    expect(priceCart(cart, shelf(scarf), NOW).lines).to.have.lengthOf(1);
    expect(priceCart(cart, shelf(scarf), NOW).lines[0]?.quantity).to.equal(2);
  });

  const cases: [string, SellableItem, number, string][] = [
    ['inactive', { ...shirt, active: false }, 1, 'it is not for sale at present'],
    ['out of stock by availability', { ...shirt, availability: 'out_of_stock' }, 1, 'it is out of stock'],
    ['out of stock by count', { ...shirt, stock: 0 }, 1, 'it is out of stock'],
    ['100 units', shirt, 100, 'more than 99 were asked for'],
    ['more than there are', scarf, 4, 'more were asked for than the 3 in stock'],
    ['no units', shirt, 0, 'its quantity is not a whole number'],
  ];
  for (const [what, item, quantity, reason] of cases)
    it(`leaves out, with a reason: ${what}`, () => {
      const { lines, leftOut, totals } = priced(item, quantity);
      expect(lines).to.deep.equal([]);
      expect(totals.totalCents).to.equal(0);
      expect(noteOf(leftOut))
        .to.match(/^.+ \(.+\) was left out: .+\.$/)
        .and.include(reason);
    });

  it('leaves out an unknown item and keeps the others', () => {
    const cart = ['SKU-99', 'SCARF'].map((retailerId) => ({ retailerId, quantity: 1 }));
    const { lines, leftOut } = priceCart(cart, shelf(scarf), NOW);
    expect(lines.map(({ retailerId }) => retailerId)).to.deep.equal(['SCARF']);
    expect(noteOf(leftOut)).to.equal('Item SKU-99 was left out: it is not in the catalog.');
  });

  it('sells the last units: 99 in one order, and all that are in stock', () => {
    expect(priced(shirt, 99).lines[0]?.quantity).to.equal(99);
    expect(priced(scarf, 3).lines[0]?.quantity).to.equal(3);
  });

  it('keeps the note short however much is left out', () => {
    const cart = Array.from({ length: 400 }, (_, i) => ({ retailerId: `NONE-${i}`, quantity: 1 }));
    const note = noteOf(priceCart(cart, new Map(), NOW).leftOut);
    expect(note).to.match(/350 more items were left out\.$/);
    expect(note?.length).to.be.below(10_000);
  });

  it('uses the sale price while the window is open: start included, end excluded', () => {
    const saleStartsAt = '2026-03-01T12:00:00+03:00';
    const onSale = { ...shirt, salePriceCents: 9_00, saleStartsAt, saleEndsAt: '2026-03-01T10:00:00Z' };
    expect(priceNow(onSale, NOW - 1)).to.equal(12_00);
    expect(priceNow(onSale, NOW)).to.equal(9_00);
    expect(priceNow(onSale, NOW + 3_599_999)).to.equal(9_00);
    expect(priceNow(onSale, NOW + 3_600_000)).to.equal(12_00);
    expect(priceNow({ ...shirt, salePriceCents: 9_00 }, NOW)).to.equal(9_00);
    expect(priceNow({ ...shirt, salePriceCents: 13_00 }, NOW), 'never dearer than the price').to.equal(12_00);
  });

  it('stays exact at the highest prices: 100 lines of 99 units', () => {
    const items = Array.from({ length: MAX_LINES + 1 }, (_, i) => ({
      ...shirt,
      retailerId: `GOLD-${i}`,
      priceCents: MAX_CENTS,
    }));
    const cart = items.map(({ retailerId }) => ({ retailerId, quantity: 99 }));
    const { lines, leftOut, totals } = priceCart(cart, shelf(...items), NOW);
    expect(lines).to.have.lengthOf(MAX_LINES);
    expect(leftOut.map(({ why }) => why)).to.deep.equal(['too_many_items']);
    expect(totals.totalCents).to.equal(99 * MAX_LINES * MAX_CENTS);
    expect(Number.isSafeInteger(totals.totalCents + MAX_CENTS)).to.equal(true);
  });
});

describe('the delivery fee', () => {
  const handover = { fulfilment: 'delivery', areaFeeCents: 2_50, freeDeliveryAboveCents: 30_00 } as const;

  it('is the area’s, and zero from the threshold on', () => {
    expect(deliveryFeeCents(handover, 29_99)).to.equal(2_50);
    expect(deliveryFeeCents(handover, 30_00)).to.equal(0);
    expect(deliveryFeeCents({ ...handover, freeDeliveryAboveCents: undefined }, MAX_CENTS)).to.equal(2_50);
    expect(deliveryFeeCents({ fulfilment: 'pickup' }, 1)).to.equal(0);
  });
});
