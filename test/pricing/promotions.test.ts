import { expect } from 'chai';
import { withPlaced } from '../../domain/pricing/placedPromotions.js';
import { priceCart, priceOrder, type SellableItem } from '../../domain/pricing/pricing.js';
import { type PricingPromotion, whyNotUsed } from '../../domain/pricing/promotions.js';

const NOW = Date.parse('2026-03-01T09:00:00Z');

const shirt: SellableItem = {
  retailerId: 'SHIRT-M',
  productExternalId: 'SHIRT',
  categoryExternalId: 'clothes',
  name: 'Linen shirt',
  priceCents: 12_00,
  availability: 'in_stock',
  active: true,
};
const kettle: SellableItem = { ...shirt, retailerId: 'KETTLE', productExternalId: 'KETTLE', priceCents: 20_00 };
const mug: SellableItem = {
  retailerId: 'MUG',
  productExternalId: 'MUG',
  name: 'Mug',
  priceCents: 5_00,
  availability: 'in_stock',
  active: true,
};
const shelf = new Map([shirt, kettle, mug].map((item) => [item.retailerId, item]));
const cart = (...items: readonly [string, number][]) =>
  items.map(([retailerId, quantity]) => ({ retailerId, quantity }));

const promotion = (promotionId: string, more: Partial<PricingPromotion> = {}): PricingPromotion => ({
  promotionId,
  kind: 'number_list',
  name: promotionId,
  terms: { percentOff: 10 },
  scope: { of: 'all' },
  active: true,
  combinable: false,
  eligibility: 'may',
  ...more,
});
const clothes = { of: 'categories', categoryExternalIds: new Set(['clothes']) } as const;

describe('a promotion', () => {
  const why = (more: Partial<PricingPromotion>, subtotalCents = 10_00) =>
    whyNotUsed(promotion('P', more), subtotalCents, NOW);

  it('applies while it is active and inside its window: start included, end excluded', () => {
    expect(why({})).to.equal(undefined);
    expect(why({ active: false })).to.equal('inactive');
    expect(why({ startsAt: NOW })).to.equal(undefined);
    expect(why({ startsAt: NOW + 1 })).to.equal('not_yet');
    expect(why({ endsAt: NOW })).to.equal('ended');
    expect(why({ endsAt: NOW + 1 })).to.equal(undefined);
  });

  it('applies from its minimum on, to eligible customers', () => {
    expect(why({ minSubtotalCents: 10_00 })).to.equal(undefined);
    expect(why({ minSubtotalCents: 10_01 })).to.equal('min_subtotal');
    for (const eligibility of ['not_listed', 'no_code', 'customer_limit', 'limit'] as const)
      expect(why({ eligibility, minSubtotalCents: 10_01 }), 'what cannot be helped comes first').to.equal(eligibility);
  });

  it('for a category applies to its products, and to none without a category', () => {
    const { lineDiscounts } = priceCart(cart(['SHIRT-M', 1], ['MUG', 1]), shelf, NOW, [
      promotion('P', { scope: clothes }),
    ]);
    expect(lineDiscounts).to.deep.equal([1_20, 0]);
  });
});

describe('flash sales', () => {
  const flash = (id: string, more: Partial<PricingPromotion>) => promotion(id, { kind: 'flash_sale', ...more });
  const line = (...promotions: readonly PricingPromotion[]) =>
    priceCart(cart(['SHIRT-M', 2]), shelf, NOW, promotions).lines[0];

  it('lower the unit price and are stored with the line; they are not a discount of the order', () => {
    const priced = priceCart(cart(['SHIRT-M', 2], ['MUG', 1]), shelf, NOW, [flash('F', { scope: clothes })]);
    expect(priced.lines[0]).to.deep.include({
      unitPriceCents: 10_80,
      flashSaleIds: ['F'],
      withoutFlashSaleCents: 12_00,
    });
    expect(priced.lines[1]).not.to.have.any.keys('flashSaleIds', 'withoutFlashSaleCents');
    expect(priced.totals).to.include({ subtotalCents: 26_60, discountCents: 0 });
    expect(priced).not.to.have.any.keys('promotions', 'lineDiscounts');
    expect(priced).to.include({ discountReason: 'in the prices: F' });
  });

  it('that are combinable add up if that is more than the best single one, never below zero', () => {
    const five = flash('A', { terms: { amountOffCents: 5_00 }, combinable: true });
    const half = flash('B', { terms: { percentOff: 50 }, combinable: true });
    const two = flash('C', { terms: { amountOffCents: 2_00 }, combinable: true });
    expect(line(five, half)).to.include({ unitPriceCents: 1_00 }).and.have.deep.property('flashSaleIds', ['A', 'B']);
    expect(line(two, half, five)).to.include({ unitPriceCents: 0 });
    const best = flash('D', { terms: { percentOff: 95 } });
    expect(line(five, half, best))
      .to.include({ unitPriceCents: 60 })
      .and.have.deep.property('flashSaleIds', ['D']);
  });

  it('apply to the sale price, and check their minimum before lowering prices', () => {
    const onSale = new Map([['SHIRT-M', { ...shirt, salePriceCents: 9_00 }]]);
    const atLeast = flash('F', { minSubtotalCents: 18_00 });
    expect(priceCart(cart(['SHIRT-M', 2]), onSale, NOW, [atLeast]).lines[0]?.unitPriceCents).to.equal(8_10);
    expect(priceCart(cart(['SHIRT-M', 1]), onSale, NOW, [atLeast]).lines[0]?.unitPriceCents).to.equal(9_00);
  });
});

describe('a line with a sale price', () => {
  it('stores also the list price, to explain its price', () => {
    const onSale = new Map([['SHIRT-M', { ...shirt, salePriceCents: 9_00 }]]);
    const lineOf = (items: typeof onSale | typeof shelf, ...sales: PricingPromotion[]) =>
      priceCart(cart(['SHIRT-M', 1]), items, NOW, sales).lines[0];
    expect(lineOf(onSale)).to.include({ unitPriceCents: 9_00, listPriceCents: 12_00 });
    expect(lineOf(onSale, promotion('F', { kind: 'flash_sale' }))).to.include({
      withoutFlashSaleCents: 9_00,
      listPriceCents: 12_00,
    });
    expect(lineOf(shelf)).not.to.have.property('listPriceCents');
  });
});

describe('the parts of a discount', () => {
  it("are stored with the order: each promotion's terms, amount and lines", () => {
    const coupon = promotion('C', {
      kind: 'coupon',
      name: 'Eid',
      code: 'EID5',
      terms: { amountOffCents: 5_00 },
      combinable: true,
    });
    const list = promotion('L', { scope: clothes, combinable: true });
    const priced = priceCart(cart(['SHIRT-M', 1], ['MUG', 1]), shelf, NOW, [coupon, list]);
    expect(priced).to.include({ discountReason: 'L, Eid (EID5)' });
    expect(priced.promotions).to.deep.equal([
      {
        promotionId: 'L',
        kind: 'number_list',
        name: 'L',
        discountCents: 1_20,
        percentOff: 10,
        combinable: true,
        lines: [0],
      },
      {
        promotionId: 'C',
        kind: 'coupon',
        name: 'Eid',
        code: 'EID5',
        discountCents: 5_00,
        amountOffCents: 5_00,
        combinable: true,
      },
    ]);
  });

  it('exclude promotions without an effect: the coupon is kept when everything is free', () => {
    const all = promotion('L', { terms: { percentOff: 100 }, combinable: true });
    const coupon = promotion('C', { kind: 'coupon', code: 'C', combinable: true });
    for (const order of [
      [all, coupon],
      [coupon, all],
    ])
      expect(priceCart(cart(['MUG', 1]), shelf, NOW, order)).to.include({ discountReason: 'L' });
  });

  it('exclude a coupon that makes no difference', () => {
    const coupon = promotion('A', { kind: 'coupon', code: 'A' });
    const list = promotion('Z', { terms: { amountOffCents: 50 } });
    for (const combinable of [true, false])
      expect(priceCart(cart(['MUG', 1]), shelf, NOW, [{ ...coupon, combinable }, list])).to.include({
        discountReason: 'Z; not combinable with it: A (A)',
      });
  });

  it('have a short description, however many there are', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      promotion(`P${index + 10}`, { terms: { percentOff: 1 }, combinable: true }),
    );
    const { discountReason } = priceCart(cart(['MUG', 1]), shelf, NOW, many);
    expect(discountReason).to.match(/^P10, P11, .*, P29, 10 more$/);
  });
});

describe('the promotions of a placed order', () => {
  const list = promotion('L', { scope: clothes, terms: { percentOff: 25 } });
  const placed = priceCart(cart(['SHIRT-M', 1], ['MUG', 1]), shelf, NOW, [list]);
  const later = (...now: readonly PricingPromotion[]) =>
    priceOrder(placed.lines, undefined, {
      promotions: withPlaced(now, placed.promotions ?? [], placed.lines),
      now: NOW + 1e9,
    });

  it('keep their terms when deleted, ended or changed', () => {
    expect(placed.totals.discountCents).to.equal(3_00);
    expect(later()).to.deep.include({ totals: placed.totals, promotions: placed.promotions });
    expect(later({ ...list, endsAt: NOW + 1 }).totals).to.deep.equal(placed.totals);
    expect(later({ ...list, terms: { percentOff: 5 }, scope: { of: 'all' } }).totals).to.deep.equal(placed.totals);
  });

  it('are replaced by better ones, and limited by their redemptions', () => {
    const better = promotion('M', { terms: { percentOff: 30 } });
    expect(later(list, better)).to.include({ discountReason: 'M; not combinable with it: L' });
    for (const eligibility of ['limit', 'customer_limit'] as const)
      expect(later({ ...list, eligibility }).totals.discountCents).to.equal(0);
  });
});
