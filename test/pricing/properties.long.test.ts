import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderLine } from '../../domain/orders/orderEvents.js';
import { distribute, percentOf } from '../../domain/pricing/amounts.js';
import { lowestPrice } from '../../domain/pricing/competition.js';
import type { Discount } from '../../domain/pricing/discount.js';
import { type Handover, MAX_LINES, MAX_QUANTITY, priceCart, priceOrder } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import {
  anyPromotions,
  CATEGORIES,
  cart,
  cents,
  itemOf,
  MAX_CENTS,
  most,
  NOW,
  PRODUCTS,
  shelf,
  sum,
  withoutMinimum,
} from '../support/samples/pricingSamples.js';

const handover: fc.Arbitrary<Handover> = fc.oneof(
  fc.constant({ fulfilment: 'pickup' } as const),
  fc.record({
    fulfilment: fc.constant('delivery' as const),
    areaFeeCents: fc.integer({ min: 0, max: MAX_CENTS }),
    freeDeliveryAboveCents: fc.option(cents, { nil: undefined }),
  }),
);

const goods = (lines: readonly OrderLine[], promotions: readonly PricingPromotion[]): number =>
  priceOrder(lines, undefined, { promotions, now: NOW }).totals.totalCents;

describe('money', () => {
  it('always adds up, is never negative, and accounts for every item of the cart', () =>
    fc.assert(
      fc.property(shelf, cart, anyPromotions, handover, (items, expected, promotions, how) => {
        const placed = priceCart(expected, items, NOW, promotions);
        const { lines, leftOut } = placed;
        const named = [...lines, ...leftOut].map(({ retailerId }) => retailerId);
        expect(new Set(named)).to.deep.equal(new Set(expected.map(({ retailerId }) => retailerId)));
        expect(new Set(named).size).to.equal(named.length);
        for (const { unitPriceCents, retailerId, quantity } of lines) {
          expect(unitPriceCents).to.be.within(0, items.get(retailerId)!.priceCents);
          expect(quantity).to.be.within(1, MAX_QUANTITY);
        }
        for (const { totals, lines: at = lines } of [placed, priceOrder(lines, how, { promotions, now: NOW })]) {
          const { subtotalCents, discountCents, deliveryFeeCents, totalCents } = totals;
          expect(subtotalCents).to.equal(sum(at.map((line) => line.quantity * line.unitPriceCents)));
          expect(totalCents).to.equal(subtotalCents - discountCents + deliveryFeeCents);
          for (const amount of Object.values(totals) as number[])
            expect(Number.isSafeInteger(amount) && amount >= 0).to.equal(true);
        }
      }),
    ));

  it('is distributed to the cent over the lines, none below zero, and over the promotions', () =>
    fc.assert(
      fc.property(shelf, cart, anyPromotions, (items, expected, promotions) => {
        const {
          lines,
          totals,
          lineDiscounts,
          promotions: applied,
          discountReason,
        } = priceCart(expected, items, NOW, promotions);
        if (totals.discountCents === 0) {
          expect([lineDiscounts, applied]).to.deep.equal([undefined, undefined]);
          return;
        }
        expect(lineDiscounts).to.have.lengthOf(lines.length);
        expect(sum(lineDiscounts!)).to.equal(totals.discountCents);
        for (const [index, off] of lineDiscounts!.entries())
          expect(off).to.be.within(0, lines[index]!.quantity * lines[index]!.unitPriceCents);
        expect(sum(applied!.map(({ discountCents }) => discountCents))).to.equal(totals.discountCents);
        for (const one of applied!) {
          expect(one.discountCents).to.be.at.least(0);
          expect(discountReason).to.include(one.name);
        }
      }),
    ));

  it('for more items is never less than for fewer, if no threshold is crossed', () =>
    fc.assert(
      fc.property(
        shelf,
        cart,
        fc.constantFrom(...PRODUCTS),
        fc.integer({ min: 1, max: 5 }),
        withoutMinimum,
        (items, expected, more, units, promotions) => {
          const fewer = priceCart(expected, items, NOW, promotions);
          const larger = priceCart([...expected, { retailerId: more, quantity: units }], items, NOW, promotions);
          fc.pre(larger.leftOut.length === fewer.leftOut.length);
          expect(larger.totals.totalCents).to.be.at.least(fewer.totals.totalCents);
        },
      ),
      { numRuns: 500 },
    ));

  it('stays exact at the highest prices: 100 lines of 99 units, under percents and amounts', () => {
    const items = Array.from({ length: MAX_LINES }, (_, i) => itemOf(`GOLD-${i}`, { priceCents: MAX_CENTS - i }));
    const expected = items.map(({ retailerId }) => ({ retailerId, quantity: MAX_QUANTITY }));
    const promotions = [33, 33, 33].map(
      (percentOff, index): PricingPromotion => ({
        promotionId: `P${index}`,
        kind: 'number_list',
        name: 'Gold',
        terms: { percentOff },
        scope: { of: 'all' },
        active: true,
        combinable: true,
        eligibility: 'may',
      }),
    );
    const amount: PricingPromotion = { ...promotions[0]!, promotionId: 'Q', terms: { amountOffCents: MAX_CENTS } };
    const onShelf = new Map(items.map((item) => [item.retailerId, item]));
    const { totals, lineDiscounts } = priceCart(expected, onShelf, NOW, [...promotions, amount]);
    const subtotal = items.reduce((all, { priceCents }) => all + BigInt(priceCents) * BigInt(MAX_QUANTITY), 0n);
    expect(BigInt(totals.subtotalCents)).to.equal(subtotal);
    expect(BigInt(totals.discountCents)).to.equal((subtotal * 99n + 50n) / 100n + BigInt(MAX_CENTS));
    expect(sum([...lineDiscounts!])).to.equal(totals.discountCents);
    expect(Number.isSafeInteger(totals.subtotalCents + MAX_CENTS)).to.equal(true);
  });
});

describe('the best discount', () => {
  const bestDiscount = (...given: Parameters<typeof lowestPrice>): Discount => lowestPrice(...given).discount;
  const line = (index: number, costCents: number): OrderLine => ({
    productExternalId: PRODUCTS[index]!,
    retailerId: PRODUCTS[index]!,
    name: PRODUCTS[index]!,
    categoryExternalId: CATEGORIES[index % 2]!,
    quantity: 1,
    unitPriceCents: costCents,
  });
  const few = fc
    .array(fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3_000 })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((costs) => costs.map((cost, index) => line(index, cost)));

  /** Every single promotion, and every combination of combinable ones. */
  function bruteForce(lines: readonly OrderLine[], promotions: readonly PricingPromotion[]): number {
    const combinable = promotions.filter((one) => one.combinable);
    const choices = promotions.map((one) => [one]);
    for (let choice = 1; choice < 2 ** combinable.length; choice++)
      choices.push(combinable.filter((_, index) => (choice & (2 ** index)) !== 0));
    return Math.max(0, ...choices.map((together) => Math.floor((most(lines, together) + 50) / 100)));
  }
  const discounts = withoutMinimum.map((all) =>
    all.map((one) => (one.kind === 'flash_sale' ? { ...one, kind: 'number_list' as const } : one)),
  );

  it('is the best of every single promotion and every combination', () =>
    fc.assert(
      fc.property(few, discounts, (lines, promotions) => {
        expect(bestDiscount(lines, promotions, NOW).discountCents).to.equal(bruteForce(lines, promotions));
      }),
      { numRuns: 1_000 },
    ));

  it('does not depend on the order of promotions', () =>
    fc.assert(
      fc.property(
        few,
        discounts.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        (lines, [promotions, shuffled]) => {
          expect(bestDiscount(lines, shuffled, NOW)).to.deep.equal(bestDiscount(lines, promotions, NOW));
        },
      ),
    ));

  it('is never larger without one of the promotions', () =>
    fc.assert(
      fc.property(few, discounts, (lines, promotions) => {
        for (const without of promotions)
          expect(goods(lines, promotions)).to.be.at.most(
            goods(
              lines,
              promotions.filter((one) => one !== without),
            ),
          );
      }),
    ));

  it('results from exactly the promotions it names', () =>
    fc.assert(
      fc.property(few, discounts, (lines, promotions) => {
        const best = bestDiscount(lines, promotions, NOW);
        const named = new Set(best.promotions.map(({ promotionId }) => promotionId));
        const again = bestDiscount(
          lines,
          promotions.filter(({ promotionId }) => named.has(promotionId)),
          NOW,
        );
        expect(again).to.deep.equal(best);
      }),
    ));
});

describe('shares', () => {
  it('sum to the whole, each within one of its exact value, also beyond 2^53', () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 49 }), { minLength: 1, maxLength: 20 }),
        cents,
        (weights, total) => {
          const all = weights.reduce((whole, weight) => whole + BigInt(weight), 0n);
          fc.pre(all > 0n);
          const shares = distribute(total, weights);
          expect(sum(shares)).to.equal(total);
          for (const [index, share] of shares.entries()) {
            const exact = BigInt(total) * BigInt(weights[index]!);
            expect(BigInt(share) * all > exact - all && BigInt(share) * all < exact + all).to.equal(true);
          }
        },
      ),
    ));

  it('round the largest fractions up; of equal ones, the earlier', () => {
    expect(distribute(100, [1, 1, 1])).to.deep.equal([34, 33, 33]);
    expect(distribute(5, [3, 3, 1])).to.deep.equal([2, 2, 1]);
    expect(distribute(2, [10, 25, 25])).to.deep.equal([0, 1, 1]);
    expect(distribute(7, [0, 0])).to.deep.equal([0, 0]);
    expect(distribute(2, [2 ** 52, 2 ** 52, 2 ** 52])).to.deep.equal([1, 1, 0]);
  });

  it('of a percent are rounded to the nearest cent, half a cent up', () => {
    expect([percentOf(10, 5), percentOf(9, 5), percentOf(99, 25), percentOf(0, 100)]).to.deep.equal([1, 0, 25, 0]);
    expect(percentOf(99 * MAX_LINES * MAX_CENTS + 1, 99)).to.equal(980_100_000_000_001);
  });
});
