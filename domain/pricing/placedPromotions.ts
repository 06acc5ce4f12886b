/** Promotions that an order was placed with. They apply to the order on the same terms, even if they change later. */
import { defined } from '../defined.js';
import type { AppliedPromotion, OrderLine } from '../orders/orderEvents.js';
import type { PricingPromotion, PromotionScope, Terms } from './promotions.js';

/**
 * Returns the promotions for an order's checkout: the current ones, and those that it was placed with, even if they have ended, were
 * changed or deleted. Only a limit of uses that was reached since can exclude the latter.
 */
export function withPlaced(
  promotions: readonly PricingPromotion[],
  retained: readonly AppliedPromotion[],
  lines: readonly OrderLine[],
): readonly PricingPromotion[] {
  if (retained.length === 0) return promotions;
  const ids = new Set(retained.map(({ promotionId }) => promotionId));
  const limited = (promotionId: string): PricingPromotion['eligibility'] => {
    const eligibility = promotions.find((promotion) => promotion.promotionId === promotionId)?.eligibility;
    return eligibility === 'limit' || eligibility === 'customer_limit' ? eligibility : 'may';
  };
  return [
    ...promotions.filter(({ promotionId }) => !ids.has(promotionId)),
    ...retained.map((applied) => asPlaced(applied, lines, limited(applied.promotionId))),
  ];
}

const asPlaced = (
  applied: AppliedPromotion,
  lines: readonly OrderLine[],
  eligibility: PricingPromotion['eligibility'],
): PricingPromotion => ({
  promotionId: applied.promotionId,
  kind: applied.kind,
  name: applied.name,
  ...defined({ code: applied.code }),
  terms: termsOf(applied),
  scope: scopeOf(applied, lines),
  active: true,
  ...defined({ minSubtotalCents: applied.minSubtotalCents }),
  combinable: applied.combinable,
  eligibility,
  placedWith: true,
});

const scopeOf = ({ lines: places }: AppliedPromotion, lines: readonly OrderLine[]): PromotionScope =>
  places === undefined
    ? { of: 'all' }
    : { of: 'lines', retailerIds: new Set(places.flatMap((place) => lines[place]?.retailerId ?? [])) };

const termsOf = ({ percentOff, amountOffCents }: AppliedPromotion): Terms =>
  percentOff === undefined ? { amountOffCents: amountOffCents ?? 0 } : { percentOff };
