/** Products, carts and promotions for property tests of pricing, and a slow way to find the maximum discount. */
import fc from 'fast-check';
import type { OrderLine } from '../../../domain/orders/orderEvents.js';
import type { SellableItem } from '../../../domain/pricing/pricing.js';
import { inScope, type PricingPromotion } from '../../../domain/pricing/promotions.js';

export const NOW = Date.parse('2026-03-01T09:00:00Z');
export const MAX_CENTS = 100_000_000_000;

export const PRODUCTS = ['A', 'B', 'C', 'D', 'E'] as const;
export const CATEGORIES = ['x', 'y'] as const;

export const itemOf = (id: string, more: Partial<SellableItem> = {}): SellableItem => ({
  retailerId: id,
  productExternalId: id,
  name: id,
  categoryExternalId: CATEGORIES[id.charCodeAt(0) % 2]!,
  priceCents: 0,
  availability: 'in_stock',
  active: true,
  ...more,
});

/** Small prices expose rounding errors, large ones the bounds. */
export const cents = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: MAX_CENTS }));
export const shelf = fc
  .record(Object.fromEntries(PRODUCTS.map((id) => [id, cents])) as Record<string, fc.Arbitrary<number>>)
  .map((prices) => new Map(Object.entries(prices).map(([id, priceCents]) => [id, itemOf(id, { priceCents })])));
export const cart = fc.array(
  fc.record({ retailerId: fc.constantFrom(...PRODUCTS, 'Z'), quantity: fc.integer({ min: -1, max: 110 }) }),
  { maxLength: 8 },
);
const scope: fc.Arbitrary<PricingPromotion['scope']> = fc.oneof(
  fc.constant({ of: 'all' } as const),
  fc.subarray([...PRODUCTS]).map((ids) => ({ of: 'products', productExternalIds: new Set<string>(ids) }) as const),
  fc
    .constantFrom(...CATEGORIES)
    .map((id) => ({ of: 'categories', categoryExternalIds: new Set<string>([id]) }) as const),
);
const terms: fc.Arbitrary<PricingPromotion['terms']> = fc.oneof(
  fc.record({ percentOff: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ amountOffCents: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: MAX_CENTS })) }),
);
export const promotionsOf = (
  minimum: fc.Arbitrary<number | undefined>,
  maxLength = 6,
): fc.Arbitrary<PricingPromotion[]> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom('flash_sale' as const, 'number_list' as const, 'number_list' as const, 'coupon' as const),
        terms,
        scope,
        combinable: fc.boolean(),
        minimum,
      }),
      { maxLength },
    )
    .map((all) =>
      all.map(({ minimum: minSubtotalCents, ...one }, index) => ({
        ...one,
        ...(minSubtotalCents === undefined ? {} : { minSubtotalCents }),
        promotionId: `P${index}`,
        name: `Promotion ${index}`,
        active: true,
        eligibility: 'may' as const,
      })),
    );
export const withoutMinimum = promotionsOf(fc.constant(undefined));
export const anyPromotions = promotionsOf(fc.option(cents, { nil: undefined }));
export const sum = (parts: readonly number[]): number => parts.reduce((all, part) => all + part, 0);

/**
 * Returns the maximum that these promotions can take off together, in hundredths of a cent. By the theorem of Ford and
 * Fulkerson it is the minimum of all cuts: one for each set of lines whose price is used up.
 */
export function most(lines: readonly OrderLine[], together: readonly PricingPromotion[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let cut = 0; cut < 2 ** lines.length; cut++) {
    const open = lines.filter((_, index) => (cut & (2 ** index)) === 0);
    let through = 100 * sum(lines.filter((one) => !open.includes(one)).map(({ unitPriceCents }) => unitPriceCents));
    for (const { terms: by, scope: of } of together) {
      const reached = open.filter((one) => inScope(of, one));
      if ('percentOff' in by) through += by.percentOff * sum(reached.map(({ unitPriceCents }) => unitPriceCents));
      else if (reached.length > 0) through += 100 * by.amountOffCents;
    }
    least = Math.min(least, through);
  }
  return least;
}
