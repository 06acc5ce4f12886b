/** Flash sales: they lower the price of one unit, before anything else. */
import { percentOf } from './amounts.js';
import { inScope, type PricingPromotion, type Scoped, whyNotUsed } from './promotions.js';

export interface FlashPrice {
  readonly unitPriceCents: number;
  /** The flash sales that lowered it; empty: none did. */
  readonly promotionIds: readonly string[];
}

/**
 * The flash sales that are open at `now` (ms) for a cart of this subtotal at the store's prices. With a subtotal of 0: those
 * without a minimum, which are what the channel's catalog can show.
 */
export const openFlashSales = (
  promotions: readonly PricingPromotion[],
  subtotalCents: number,
  now: number,
): readonly PricingPromotion[] =>
  promotions
    .filter((promotion) => promotion.kind === 'flash_sale' && whyNotUsed(promotion, subtotalCents, now) === undefined)
    .sort((a, b) => (a.promotionId < b.promotionId ? -1 : 1));

/**
 * What one unit costs under these open flash sales, each taken off the store's price of now: the best single one, or the
 * combinable ones together where that is less; never below zero.
 */
export function flashPrice(item: Scoped, priceCents: number, sales: readonly PricingPromotion[]): FlashPrice {
  let best: FlashPrice = { unitPriceCents: priceCents, promotionIds: [] };
  const together = { percentOff: 0, amountOffCents: 0, promotionIds: [] as string[] };
  let sum = priceCents;
  for (const { promotionId, terms, scope, combinable } of sales) {
    if (!inScope(scope, item)) continue;
    const percentOff = 'percentOff' in terms ? terms.percentOff : 0;
    const amountOffCents = 'percentOff' in terms ? 0 : terms.amountOffCents;
    if (combinable && sum > 0) {
      together.percentOff += percentOff;
      together.amountOffCents += amountOffCents;
      together.promotionIds.push(promotionId);
      sum = lowered(priceCents, together.percentOff, together.amountOffCents);
    }
    const unitPriceCents = lowered(priceCents, percentOff, amountOffCents);
    if (unitPriceCents < best.unitPriceCents) best = { unitPriceCents, promotionIds: [promotionId] };
  }
  return sum < best.unitPriceCents ? { unitPriceCents: sum, promotionIds: together.promotionIds } : best;
}

const lowered = (priceCents: number, percentOff: number, amountOffCents: number): number =>
  Math.max(0, priceCents - percentOf(priceCents, percentOff) - amountOffCents);
