import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderLine } from '../../domain/orders/orderEvents.js';
import { withPlaced } from '../../domain/pricing/placedPromotions.js';
import {
  deliveryFeeCents,
  goodsOf,
  type Handover,
  priceCart,
  priceOrder,
  subtotalOf,
} from '../../domain/pricing/pricing.js';
import { inScope, type PricingPromotion } from '../../domain/pricing/promotions.js';
import {
  cart,
  cents,
  itemOf,
  most,
  NOW,
  promotionsOf,
  shelf,
  withoutMinimum,
} from '../support/samples/pricingSamples.js';

const subsets = <T>(of: readonly T[]): T[][] =>
  Array.from({ length: 2 ** of.length }, (_, choice) => of.filter((_one, index) => (choice & (2 ** index)) !== 0));

const isFlash = ({ kind }: PricingPromotion): boolean => kind === 'flash_sale';
const reached = ({ minSubtotalCents = 0 }: PricingPromotion, subtotalCents: number): boolean =>
  subtotalCents >= minSubtotalCents;

/** Returns the lines with these flash sales deducted from the store's price of every line in scope. */
const lowered = (lines: readonly OrderLine[], sales: readonly PricingPromotion[]): OrderLine[] =>
  lines.map((line) => {
    const mine = sales.filter(({ scope }) => inScope(scope, line));
    let percent = 0;
    let amount = 0;
    for (const { terms } of mine)
      if ('percentOff' in terms) percent += terms.percentOff;
      else amount += terms.amountOffCents;
    const percentCents = Number((BigInt(line.unitPriceCents) * BigInt(percent) + 50n) / 100n);
    return { ...line, unitPriceCents: Math.max(0, line.unitPriceCents - percentCents - amount) };
  });

/** Returns the price of the goods if exactly these apply. Undefined if a minimum is not reached. */
function priceUnder(lines: readonly OrderLine[], chosen: readonly PricingPromotion[]): number | undefined {
  const at = lowered(lines, chosen.filter(isFlash));
  const rest = chosen.filter((one) => !isFlash(one));
  if (rest.some((one) => !reached(one, subtotalOf(at)))) return undefined;
  // `most` expects the price of a whole line.
  const whole = at.map((line) => ({ ...line, unitPriceCents: line.unitPriceCents * line.quantity }));
  return subtotalOf(at) - Math.floor((most(whole, rest) + 50) / 100);
}

/** Returns the lowest price of all sets that the rules allow, by brute force. Lines are at the store's prices. */
function lowest(lines: readonly OrderLine[], promotions: readonly PricingPromotion[], anyFlash: boolean): number {
  const open = promotions.filter((one) => !isFlash(one) || reached(one, subtotalOf(lines)));
  const sales = open.filter(isFlash);
  const joint = open.filter(({ combinable }) => combinable);
  const all = joint.filter(isFlash).length;
  const sets = subsets(joint).filter((set) => anyFlash || [0, all].includes(set.filter(isFlash).length));
  // Flash sales only: one for each item, or several that are combinable.
  const alone = [...sales.map((one) => [one]), ...subsets(sales.filter(({ combinable }) => combinable))];
  const catalog = lines.map((line) => Math.min(...alone.map((set) => priceUnder([line], set)!)));
  const prices = [...open.map((one) => [one]), ...sets].map((set) => priceUnder(lines, set));
  return Math.min(
    catalog.reduce((sum, price) => sum + price, 0),
    ...prices.filter((price) => price !== undefined),
  );
}

/**
 * Returns the lowest total of all sets that are compared once the delivery fee is known. `placed` has the ids of the
 * promotions that the order was placed with. Lines are at the store's prices.
 */
function lowestTotal(
  lines: readonly OrderLine[],
  promotions: readonly PricingPromotion[],
  handover: Handover,
  placed: ReadonlySet<string>,
): number {
  const open = promotions.filter((one) => !isFlash(one) || reached(one, subtotalOf(lines)));
  const together = open.filter(({ combinable }) => combinable);
  const discounts = together.filter((one) => !isFlash(one));
  const lists = discounts.filter(({ kind }) => kind !== 'coupon');
  const goods = [lowest(lines, promotions, false), lowest(lines, open.filter(isFlash), false), subtotalOf(lines)];
  for (const one of open.filter((one) => !isFlash(one) && !one.combinable)) goods.push(priceUnder(lines, [one])!);
  for (const sales of [together.filter(isFlash), []])
    for (const some of [discounts, lists, lists.filter(({ promotionId }) => placed.has(promotionId)), []]) {
      const subtotalCents = subtotalOf(lowered(lines, sales));
      goods.push(priceUnder(lines, [...sales, ...some.filter((one) => reached(one, subtotalCents))])!);
    }
  return Math.min(...goods.filter((one) => one !== undefined).map((one) => one + deliveryFeeCents(handover, one)));
}

/** Deliveries whose free-delivery threshold often lies between the prices with and without discounts. */
const deliveries = fc.record({ feeCents: fc.integer({ min: 0, max: 80 }), share: fc.integer({ min: 0, max: 110 }) });
const deliveryOf = (
  { feeCents, share }: { feeCents: number; share: number },
  lines: readonly OrderLine[],
): Handover => ({
  fulfilment: 'delivery',
  areaFeeCents: feeCents,
  freeDeliveryAboveCents: Math.round((subtotalOf(lines) / 100) * share),
});

const few = shelf.map((items) => new Map([...items].slice(0, 3)));
const plain = (lines: readonly OrderLine[]): OrderLine[] =>
  lines.map((line) => ({ ...line, unitPriceCents: line.flashSales?.storeCents ?? line.unitPriceCents }));
const withMinimum = promotionsOf(fc.option(fc.integer({ min: 0, max: 120 }), { nil: undefined }));
const discounts = fc.oneof(fc.integer({ min: 0, max: 40 }), cents);

describe('promotions that compete', () => {
  it('give the customer the lowest price of every allowed set', () =>
    fc.assert(
      fc.property(few, cart, withoutMinimum, (items, expected, promotions) => {
        const { lines, totals } = priceCart(expected, items, NOW, promotions);
        expect(goodsOf(totals)).to.equal(lowest(plain(lines), promotions, true));
      }),
      { numRuns: 1_000 },
    ));

  it('do so with minimums too, where the combinable flash sales stay together', () =>
    fc.assert(
      fc.property(few, cart, withMinimum, (items, expected, promotions) => {
        const { lines, totals, promotions: applied = [] } = priceCart(expected, items, NOW, promotions);
        expect(goodsOf(totals)).to.equal(lowest(plain(lines), promotions, false));
        for (const { minSubtotalCents = 0 } of applied) expect(totals.subtotalCents).to.be.at.least(minSubtotalCents);
      }),
      { numRuns: 1_000 },
    ));

  it("give the lowest total with a known fee: never above the form's, nor higher with a coupon than without", () =>
    fc.assert(
      fc.property(few, cart, withMinimum, withMinimum, deliveries, (items, expected, then, more, fee) => {
        const placed = priceCart(
          expected,
          items,
          NOW,
          then.filter(({ kind }) => kind !== 'coupon'),
        );
        const later = more
          .map((one) => ({ ...one, promotionId: `L${one.promotionId}` }))
          .filter((one) => !isFlash(one));
        const coupon = [...then, ...later].find(({ kind }) => kind === 'coupon');
        const lists = [...then, ...later].filter(({ kind }) => kind !== 'coupon');
        const open = withPlaced(lists, placed.promotions ?? [], placed.lines);
        const handover = deliveryOf(fee, plain(placed.lines));
        const totalWith = (promotions: readonly PricingPromotion[]) =>
          priceOrder(placed.lines, handover, { promotions, now: NOW }).totals.totalCents;
        const retained = new Set(placed.promotions?.map(({ promotionId }) => promotionId));
        const all = coupon === undefined ? open : [...open, coupon];
        const sales = then.filter(isFlash);
        const rest = all.filter((one) => !isFlash(one));
        expect(totalWith(all)).to.equal(lowestTotal(plain(placed.lines), [...sales, ...rest], handover, retained));
        const goodsCents = goodsOf(placed.totals);
        expect(totalWith(open), 'as the form said').to.be.at.most(goodsCents + deliveryFeeCents(handover, goodsCents));
        expect(totalWith(all), 'a coupon more').to.be.at.most(totalWith(open));
      }),
      { numRuns: 1_000 },
    ));

  it('never make an order dearer than its catalog prices, and combine only if all are combinable', () =>
    fc.assert(
      fc.property(few, cart, withMinimum, discounts, (items, expected, promotions, amountOffCents) => {
        const catalog = priceCart(expected, items, NOW, promotions.filter(isFlash));
        const coupon: PricingPromotion = {
          ...NONE,
          promotionId: 'C',
          kind: 'coupon',
          terms: { amountOffCents: amountOffCents + 1 },
        };
        const priced = priceCart(expected, items, NOW, [...promotions, coupon]);
        expect(goodsOf(priced.totals)).to.be.at.most(goodsOf(catalog.totals));
        const { flashSales = [], promotions: applied = [], passedOver = [] } = priced;
        const used = [...flashSales, ...applied].map(({ promotionId }) => promotionId);
        const combines = (id: string) => promotions.find(({ promotionId }) => promotionId === id)?.combinable ?? false;
        if (applied.length > 0 && used.length > 1) expect(used.every(combines), used.join()).to.equal(true);
        for (const { promotionId } of passedOver) expect(used).not.to.include(promotionId);
      }),
    ));

  it('give the same result at checkout as with the cart, in any order', () =>
    fc.assert(
      fc.property(
        few,
        cart,
        withMinimum.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        (items, expected, [promotions, shuffled]) => {
          const { leftOut: _, lines, ...placed } = priceCart(expected, items, NOW, promotions);
          const open = withPlaced(shuffled, placed.promotions ?? [], lines);
          expect(priceOrder(lines, undefined, { promotions: open, now: NOW })).to.deep.equal(placed);
        },
      ),
    ));
});

const NONE: PricingPromotion = {
  promotionId: 'N',
  kind: 'number_list',
  name: 'Regulars',
  terms: { percentOff: 10 },
  scope: { of: 'all' },
  active: true,
  combinable: false,
  eligibility: 'may',
};

describe('a flash sale and a coupon', () => {
  const items = new Map([['SHIRT', itemOf('SHIRT', { name: 'Shirt', priceCents: 20_00 })]]);
  const expected = [{ retailerId: 'SHIRT', quantity: 1 }];
  const flash: PricingPromotion = {
    ...NONE,
    promotionId: 'F',
    kind: 'flash_sale',
    name: 'Flash Friday',
    terms: { percentOff: 50 },
  };
  const coupon: PricingPromotion = {
    ...NONE,
    promotionId: 'C',
    kind: 'coupon',
    name: 'Save',
    code: 'SAVE',
    terms: { percentOff: 50 },
  };
  const priced = (...promotions: readonly PricingPromotion[]) => priceCart(expected, items, NOW, promotions);

  it('of half the price halve the price together, and redeem no flash sale', () => {
    const { totals, discountReason, lines } = priced(flash, coupon);
    expect(totals).to.include({ subtotalCents: 10_00, discountCents: 0, totalCents: 10_00 });
    expect(lines[0]).to.include({ unitPriceCents: 10_00, withoutFlashSaleCents: 20_00 });
    expect(discountReason).to.equal('in the prices: Flash Friday; not combinable with it: Save (SAVE)');
  });

  it('with the better coupon apply to the regular price, with the reason', () => {
    const { totals, discountReason, lines } = priced(flash, { ...coupon, terms: { percentOff: 51 } });
    expect(totals).to.include({ subtotalCents: 20_00, discountCents: 10_20, totalCents: 9_80 });
    expect(lines[0]).to.include({ unitPriceCents: 20_00 }).and.not.have.any.keys('flashSaleIds');
    expect(discountReason).to.equal('Save (SAVE); not combinable with it: Flash Friday');
  });

  it('combine only if both are combinable', () => {
    const combinable = { combinable: true };
    expect(priced({ ...flash, ...combinable }, coupon).totals.totalCents).to.equal(10_00);
    expect(priced(flash, { ...coupon, ...combinable }).totals.totalCents).to.equal(10_00);
    const both = priced({ ...flash, ...combinable }, { ...coupon, ...combinable });
    expect(both).to.include({ discountReason: 'Save (SAVE); in the prices: Flash Friday' });
    expect(both.totals).to.include({ subtotalCents: 10_00, discountCents: 5_00, totalCents: 5_00 });
  });

  it('combine if only one of them reaches the coupon’s minimum', () => {
    const combinable = { ...flash, combinable: true };
    const from = { ...coupon, combinable: true, minSubtotalCents: 15_00 };
    expect(priced(combinable, from)).to.include({
      discountReason: 'in the prices: Flash Friday; left out for a minimum: Save (SAVE)',
    });
    const better = priced(combinable, { ...from, terms: { percentOff: 60 } });
    expect(better).to.include({ discountReason: 'Save (SAVE); left out for a minimum: Flash Friday' });
    expect(better.totals).to.include({ subtotalCents: 20_00, totalCents: 8_00 });
  });

  it('of two flash sales each apply to their own products, and together compete with the coupon', () => {
    const shelf = new Map([...items, ['MUG', itemOf('MUG', { priceCents: 10_00 })]]);
    const on = (id: string) => ({ of: 'products', productExternalIds: new Set([id]) }) as const;
    const sales = [
      { ...flash, scope: on('SHIRT') },
      { ...flash, promotionId: 'G', name: 'Mugs', terms: { amountOffCents: 2_00 }, scope: on('MUG') },
    ];
    const two = [...expected, { retailerId: 'MUG', quantity: 1 }];
    const total = (percentOff: number) =>
      priceCart(two, shelf, NOW, [...sales, { ...coupon, terms: { percentOff } }]).totals.totalCents;
    expect([total(30), total(40), total(50)]).to.deep.equal([18_00, 18_00, 15_00]);
  });

  it('fit into a reason of 500 characters, however many and long their names', () => {
    const long = (id: number, more: Partial<PricingPromotion>): PricingPromotion => ({
      ...NONE,
      promotionId: `P${id + 10}`,
      name: `${id} ${'x'.repeat(117)}`,
      ...more,
    });
    const joint = Array.from({ length: 30 }, (_, id) => long(id, { combinable: true, terms: { percentOff: 2 } }));
    const others = Array.from({ length: 30 }, (_, id) => long(30 + id, {}));
    const sales = Array.from({ length: 10 }, (_, id) => long(60 + id, { kind: 'flash_sale', combinable: true }));
    const { discountReason } = priced(...joint, ...others, ...sales.slice(0, 2));
    expect(discountReason).to.have.lengthOf.at.most(500);
    expect(discountReason).to.match(/^0 x+.*more; in the prices: 60 x.*; not combinable with it: 30 x.*17 more$/);
  });

  it('are not named if needless: a free flash sale leaves nothing for others', () => {
    const free = { ...flash, combinable: true, terms: { percentOff: 100 } };
    const more = { ...flash, promotionId: 'G', name: 'More', combinable: true };
    expect(priced(free, more, { ...coupon, combinable: true })).to.include({
      discountReason: 'in the prices: Flash Friday',
    });
    const joint = Array.from({ length: 30 }, (_, id) => ({
      ...more,
      promotionId: `J${id + 10}`,
      terms: { percentOff: 1 },
    }));
    expect(priced(...joint)).to.not.have.property('passedOver');
  });

  it('in an old order with flash-sale prices: the prices stay, and the coupon is deducted as before', () => {
    const { flashSales: _, ...line } = priced(flash).lines[0]!;
    const { totals, lines } = priceOrder([line], undefined, { promotions: [flash, coupon], now: NOW });
    expect(totals).to.include({ subtotalCents: 10_00, discountCents: 5_00 });
    expect(lines).to.equal(undefined);
  });
});

describe('free delivery from $30 on, $2.50 below', () => {
  const shelf = new Map([['LAMP', itemOf('LAMP', { priceCents: 31_00 })]]);
  const handover: Handover = { fulfilment: 'delivery', areaFeeCents: 2_50, freeDeliveryAboveCents: 30_00 };
  const joint: PricingPromotion = { ...NONE, combinable: true, terms: { amountOffCents: 1_00 } };
  const second: PricingPromotion = { ...joint, promotionId: 'M', name: 'Neighbours' };
  const coupon: PricingPromotion = { ...second, kind: 'coupon', name: 'Save', code: 'SAVE' };
  const priced = (promotions: readonly PricingPromotion[], way: Handover | undefined = handover, retained = false) => {
    const { lines, promotions: placed = [] } = priceCart(
      [{ retailerId: 'LAMP', quantity: 1 }],
      shelf,
      NOW,
      retained ? promotions.slice(0, 1) : [],
    );
    return priceOrder(lines, way, { promotions: withPlaced(promotions, placed, lines), now: NOW });
  };

  it('is worth more than a discount that ends it, which applies to pickup', () => {
    const list = { ...NONE, terms: { amountOffCents: 2_00 } };
    const { totals, discountReason } = priced([list]);
    expect(totals).to.deep.equal({ subtotalCents: 31_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 31_00 });
    expect(discountReason).to.equal('left out for free delivery: Regulars');
    expect(priced([list], { fulfilment: 'pickup' }).totals.totalCents).to.equal(29_00);
    const more = priced([{ ...list, terms: { amountOffCents: 4_00 } }]);
    expect(more.totals).to.include({ discountCents: 4_00, deliveryFeeCents: 2_50, totalCents: 29_50 });
  });

  it('is kept with the single discount that allows it, though another is larger', () => {
    const single = { ...NONE, promotionId: 'S', name: 'Small', terms: { amountOffCents: 50 } };
    const { totals, discountReason } = priced([{ ...NONE, terms: { amountOffCents: 2_00 } }, single]);
    expect(totals).to.include({ discountCents: 50, deliveryFeeCents: 0, totalCents: 30_50 });
    expect(discountReason).to.equal('Small; left out for free delivery: Regulars');
  });

  it('leaves a combinable coupon unused, and a combinable list added after the order was placed', () => {
    for (const [more, name, retained] of [
      [coupon, 'Save (SAVE)', false],
      [second, 'Neighbours', true],
    ] as const) {
      const { totals, discountReason } = priced([joint, more], handover, retained);
      expect(totals).to.include({ discountCents: 1_00, deliveryFeeCents: 0, totalCents: 30_00 });
      expect(discountReason).to.equal(`Regulars; left out for free delivery: ${name}`);
    }
  });

  it('chooses the option with fewer redemptions for equal totals', () => {
    for (const one of [coupon, joint]) {
      const { totals, promotions } = priced([{ ...one, terms: { amountOffCents: 2_50 } }]);
      expect(totals).to.include({ deliveryFeeCents: 0, totalCents: 31_00 });
      expect(promotions, 'no use is spent').to.equal(undefined);
    }
  });
});
