/** What number lists and coupons take off an order: the best single one, or the combinable ones together. */
import type { AppliedPromotion, OrderLine } from '../orders/orderEvents.js';
import { percentOf } from './amounts.js';
import { linesWithin, type PricingPromotion, whyNotUsed } from './promotions.js';
import { takeOff } from './takingOff.js';

/** Whole cents. */
export interface Discount {
  readonly discountCents: number;
  /** The promotions that make it up, as the store sees them; absent without a discount. */
  readonly discountReason?: string;
  /** Off each line, in the order of the lines; they sum to the discount. */
  readonly lineDiscounts: readonly number[];
  /** What made it up; their cents sum to the discount. A promotion that takes nothing off is not among them. */
  readonly promotions: readonly AppliedPromotion[];
}

interface Candidate {
  readonly promotion: PricingPromotion;
  /** Indexes of the lines in its scope. */
  readonly lines: readonly number[];
}

/**
 * The best discount for these lines at `now` (ms); flash sales are in their unit prices already. Exact: the combinable
 * promotions together take off at least as much as any part of them, so only they and each other single one are compared.
 * Of equal discounts the one without a coupon is chosen, then the one of fewer promotions. The order in which promotions
 * are given does not matter. (Specification 1, 'Promotion'; docs/pricing.md, 'The discount'.)
 */
export function bestDiscount(
  lines: readonly OrderLine[],
  promotions: readonly PricingPromotion[],
  now: number,
): Discount {
  const costs = lines.map(({ quantity, unitPriceCents }) => quantity * unitPriceCents);
  const subtotalCents = costs.reduce((sum, cents) => sum + cents, 0);
  const within = linesWithin(lines);
  const candidates = promotions
    .filter((promotion) => promotion.kind !== 'flash_sale' && whyNotUsed(promotion, subtotalCents, now) === undefined)
    .map((promotion) => ({ promotion, lines: within(promotion.scope) }))
    .filter((candidate) => candidate.lines.length > 0)
    .sort(inTurn);
  const single = bestOf(
    candidates.filter(({ promotion }) => !promotion.combinable),
    costs,
  );
  const together = candidates.filter(({ promotion }) => promotion.combinable);
  const nothing: Discount = { discountCents: 0, lineDiscounts: costs.map(() => 0), promotions: [] };
  return [single, together]
    .map((chosen) => discountBy(chosen, costs))
    .reduce((best, other) => (isBetter(other, best) ? other : best), nothing);
}

/** The order's own terms of a promotion, so that it keeps them when the promotion is changed, closed or deleted. */
function applied({ promotion, lines: inIt }: Candidate, lines: number, cents: number): AppliedPromotion {
  const { promotionId, kind, name, code, terms, combinable } = promotion;
  return {
    promotionId,
    kind: kind === 'coupon' ? 'coupon' : 'number_list',
    name,
    ...(code === undefined ? {} : { code }),
    discountCents: cents,
    ...terms,
    combinable,
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

/** The one that takes off the most by itself; of equal ones the first. */
function bestOf(candidates: readonly Candidate[], costs: readonly number[]): readonly Candidate[] {
  let most = 0;
  let best: readonly Candidate[] = [];
  for (const candidate of candidates) {
    const cents = alone(candidate, costs);
    if (cents <= most) continue;
    most = cents;
    best = [candidate];
  }
  return best;
}

function alone({ promotion: { terms }, lines }: Candidate, costs: readonly number[]): number {
  let cents = 0;
  for (const line of lines) cents += costs[line]!;
  return 'percentOff' in terms ? percentOf(cents, terms.percentOff) : Math.min(cents, terms.amountOffCents);
}

function discountBy(chosen: readonly Candidate[], costs: readonly number[]): Discount {
  const off = takeOff(
    costs,
    chosen.map(({ promotion: { terms }, lines: inIt }) => ({ terms, lines: inIt })),
  );
  const promotions = chosen.flatMap((candidate, index) =>
    off.takes[index] ? applied(candidate, costs.length, off.byClaim[index]!) : [],
  );
  return {
    discountCents: off.cents,
    ...(off.cents === 0 ? {} : { discountReason: reasonOf(promotions) }),
    lineDiscounts: off.byLine,
    promotions: off.cents === 0 ? [] : promotions,
  };
}

function isBetter(a: Discount, b: Discount): boolean {
  if (a.discountCents !== b.discountCents) return a.discountCents > b.discountCents;
  const coupons = ({ promotions }: Discount): number => promotions.filter(({ kind }) => kind === 'coupon').length;
  return coupons(a) - coupons(b) < 0 || (coupons(a) === coupons(b) && a.promotions.length < b.promotions.length);
}

const MOST_NAMED = 20;

/** `Regulars, Eid (EID10)`: names, coupons with their code; at most 20. */
function reasonOf(promotions: readonly AppliedPromotion[]): string {
  const named = promotions
    .slice(0, MOST_NAMED)
    .map(({ name, code }) => (code === undefined ? name : `${name} (${code})`));
  const more = promotions.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
