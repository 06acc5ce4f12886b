/** What number lists and coupons take off lines at given prices: the best single one, and the combinable ones together. */
import { defined } from '../defined.js';
import type { AppliedPromotion, OrderLine } from '../orders/orderEvents.js';
import { percentOf } from './amounts.js';
import { bestCombination } from './bestCombination.js';
import { linesWithin, type PricingPromotion, whyNotUsed } from './promotions.js';

/** Whole cents. */
export interface Discount {
  readonly discountCents: number;
  /** Off each line, in the order of the lines; they sum to the discount. */
  readonly lineDiscounts: readonly number[];
  /** What made it up; their cents sum to the discount. A promotion that takes nothing off is not among them. */
  readonly promotions: readonly AppliedPromotion[];
}

/** A number list's promotion or a coupon that could be used. */
export interface Candidate {
  readonly promotion: PricingPromotion;
  /** Indexes of the lines in its scope; never empty. */
  readonly lines: readonly number[];
}

/** What each line costs. */
export const costsOf = (lines: readonly OrderLine[]): readonly number[] =>
  lines.map(({ quantity, unitPriceCents }) => quantity * unitPriceCents);

/** The number lists and coupons that these lines could be discounted by at `now` (ms), in the order in which they take. */
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
 * By the one candidate that does not combine and leaves the least to pay: it takes off the most, unless `feeFor`, what
 * delivery adds to goods of a price, makes up for it. Of equal ones the first.
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

/** By all combinable candidates together, which is at least as much as by any part of them. */
export const jointDiscount = (candidates: readonly Candidate[], costs: readonly number[]): Discount =>
  discountBy(
    candidates.filter(({ promotion }) => promotion.combinable),
    costs,
  );

/** The order's own terms of a promotion, so that it keeps them when the promotion is changed, closed or deleted. */
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
 * Number lists take before coupons, so that no use of a coupon is spent on what is free anyway; percents before amounts,
 * and what has few lines to choose from before what has many, so that little has to be moved.
 */
function inTurn(a: Candidate, b: Candidate): number {
  const turn = ({ promotion: { kind, terms } }: Candidate): number =>
    (kind === 'coupon' ? 2 : 0) + ('percentOff' in terms ? 0 : 1);
  return (
    turn(a) - turn(b) || a.lines.length - b.lines.length || (a.promotion.promotionId < b.promotion.promotionId ? -1 : 1)
  );
}

/** The one with which the least is left to pay, of those that take something off; of equal ones the first. */
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

/** What it takes off by itself. */
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
