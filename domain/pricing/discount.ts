/** Discounts of number lists and coupons on lines at given prices: the best single one, and the combinable ones together. */
import { defined } from '../defined.js';
import type { AppliedPromotion, OrderLine } from '../orders/orderEvents.js';
import { percentOf } from './amounts.js';
import { bestCombination } from './bestCombination.js';
import { linesWithin, type PricingPromotion, whyNotUsed } from './promotions.js';

/** In whole cents. */
export interface Discount {
  readonly discountCents: number;
  /** Discount of each line, in the order of the lines. They sum to the discount. */
  readonly lineDiscounts: readonly number[];
  /** Promotions with an effect. Their cents sum to the discount. */
  readonly promotions: readonly AppliedPromotion[];
}

/** A number list's promotion or a coupon that could be used. */
export interface Candidate {
  readonly promotion: PricingPromotion;
  /** Indexes of the lines in its scope. Never empty. */
  readonly lines: readonly number[];
}

/** Returns the price of each line. */
export const costsOf = (lines: readonly OrderLine[]): readonly number[] =>
  lines.map(({ quantity, unitPriceCents }) => quantity * unitPriceCents);

/** Returns the number lists and coupons that could discount these lines at `now` (ms), in the order in which they are applied. */
export function candidatesFor(
  lines: readonly OrderLine[],
  promotions: readonly PricingPromotion[],
  now: number,
): readonly Candidate[] {
  const subtotalCents = costsOf(lines).reduce((sum, cents) => sum + cents, 0);
  const within = linesWithin(lines);
  return promotions
    .filter((promotion) => promotion.kind !== 'flash_sale' && whyNotUsed(promotion, subtotalCents, now) === undefined)
    .map((promotion) => ({ promotion, lines: within(promotion.scope) }))
    .filter((candidate) => candidate.lines.length > 0)
    .sort(inTurn);
}

export const noDiscount = (lines: number): Discount => ({
  discountCents: 0,
  lineDiscounts: new Array<number>(lines).fill(0),
  promotions: [],
});

/**
 * Returns the discount of the one non-combinable candidate with the lowest total: the largest discount, unless the delivery fee (`feeFor`)
 * outweighs it. The first of equal ones is chosen.
 */
export const singleDiscount = (
  candidates: readonly Candidate[],
  costs: readonly number[],
  feeFor: (goodsCents: number) => number = () => 0,
): Discount =>
  discountBy(
    bestOf(
      candidates.filter(({ promotion }) => !promotion.combinable),
      costs,
      feeFor,
    ),
    costs,
  );

/** Returns the discount of all combinable candidates together, which is at least that of any subset. */
export const jointDiscount = (candidates: readonly Candidate[], costs: readonly number[]): Discount =>
  discountBy(
    candidates.filter(({ promotion }) => promotion.combinable),
    costs,
  );

/** Returns the order's own terms of a promotion, which do not change when the promotion is changed, closed or deleted. */
function applied({ promotion, lines: inIt }: Candidate, lines: number, cents: number): AppliedPromotion {
  const { promotionId, kind, name, code, terms, combinable, minSubtotalCents } = promotion;
  return {
    promotionId,
    kind: kind === 'coupon' ? 'coupon' : 'number_list',
    name,
    ...defined({ code }),
    discountCents: cents,
    ...terms,
    combinable,
    ...defined({ minSubtotalCents }),
    ...(inIt.length === lines ? {} : { lines: inIt }),
  };
}

/**
 * Sorts number lists before coupons, so that a coupon is not used up on goods that are free anyway. Sorts percentages before amounts, and
 * candidates with few lines before those with many, so that little has to be moved.
 */
function inTurn(a: Candidate, b: Candidate): number {
  const turn = ({ promotion: { kind, terms } }: Candidate): number =>
    (kind === 'coupon' ? 2 : 0) + ('percentOff' in terms ? 0 : 1);
  return (
    turn(a) - turn(b) || a.lines.length - b.lines.length || (a.promotion.promotionId < b.promotion.promotionId ? -1 : 1)
  );
}

/** Returns the candidate with the lowest total, if it takes something off. The first of equal ones is chosen. */
function bestOf(
  candidates: readonly Candidate[],
  costs: readonly number[],
  feeFor: (goodsCents: number) => number,
): readonly Candidate[] {
  const whole = costs.reduce((sum, cents) => sum + cents, 0);
  let least = Number.POSITIVE_INFINITY;
  let best: readonly Candidate[] = [];
  for (const candidate of candidates) {
    const goodsCents = whole - alone(candidate, costs);
    const totalCents = goodsCents + feeFor(goodsCents);
    if (goodsCents === whole || totalCents >= least) continue;
    least = totalCents;
    best = [candidate];
  }
  return best;
}

/** Returns the discount of this candidate alone. */
export function alone({ promotion: { terms }, lines }: Candidate, costs: readonly number[]): number {
  let cents = 0;
  for (const line of lines) cents += costs[line]!;
  return 'percentOff' in terms ? percentOf(cents, terms.percentOff) : Math.min(cents, terms.amountOffCents);
}

function discountBy(chosen: readonly Candidate[], costs: readonly number[]): Discount {
  const off = bestCombination(
    costs,
    chosen.map(({ promotion: { terms }, lines: inIt }) => ({ terms, lines: inIt })),
  );
  const promotions = chosen.flatMap((candidate, index) =>
    off.takes[index] ? applied(candidate, costs.length, off.byClaim[index]!) : [],
  );
  return {
    discountCents: off.cents,
    lineDiscounts: off.byLine,
    promotions: off.cents === 0 ? [] : promotions,
  };
}
