/**
 * Competition of promotions for the order: only the best one applies, or the combinable ones together. (Specification 1, 'Promotions';
 * docs/concepts/pricing.md, 'Which promotions apply together'.)
 */
import type { FlashSaleName, OrderLine, PassedOver } from '../orders/orderEvents.js';
import {
  type Candidate,
  candidatesFor,
  costsOf,
  type Discount,
  jointDiscount,
  noDiscount,
  singleDiscount,
} from './discount.js';
import { combinedPrice, lineAt, type PriceList } from './flashSales.js';
import type { PricingPromotion } from './promotions.js';
import { flashSalesIn, leftForFreeDelivery, MOST_KEPT, passedOverBy } from './unusedPromotions.js';

/** A price of the order that the rules allow. */
interface Offer {
  readonly lines: readonly OrderLine[];
  readonly discount: Discount;
  /** Promotions that apply to these lines. Absent if none can. */
  readonly candidates?: readonly Candidate[];
}

export interface Competed {
  readonly lines: readonly OrderLine[];
  readonly discount: Discount;
  /** Flash sales in the unit prices, at most 20. */
  readonly flashSales: readonly FlashSaleName[];
  readonly passedOver: readonly PassedOver[];
}

/** Returns the delivery fee for goods of this price after discounts. It never rises with the price. */
export type FeeFor = (goodsCents: number) => number;

/** An order at the store's prices, and the promotions that can apply to it. */
interface Competition {
  readonly lines: readonly OrderLine[];
  readonly atStore: readonly OrderLine[];
  /** At the store's prices. */
  readonly candidates: readonly Candidate[];
  readonly candidatesAt: (lines: readonly OrderLine[]) => readonly Candidate[];
}

/**
 * Returns the lowest total that the rules allow at `now` (ms). The candidates are the flash sales alone, one number list or coupon alone
 * off the store's prices, all combinable promotions together, and, if a smaller discount makes the delivery free, those of
 * `forFreeDelivery`.
 *
 * An additional promotion never raises the price of the goods, so only the set of all combinable ones needs to be computed: at most four
 * discounts, however many promotions there are. Flash sales are not split, even if the order would reach a minimum without some of them.
 * The price without all of them is the store's price list.
 *
 * Ties: a price without a coupon wins, then a price with fewer number lists and coupons, then a price with flash sales. The order of
 * the promotions does not matter. A line with an unchanged price stays the same object.
 */
export function lowestPrice(
  lines: readonly OrderLine[],
  promotions: readonly PricingPromotion[],
  now: number,
  feeFor: FeeFor = () => 0,
): Competed {
  const atStore = at(lines, 'store');
  const candidatesAt = (prices: readonly OrderLine[]) => candidatesFor(prices, promotions, now);
  const competition: Competition = { lines, atStore, candidates: candidatesAt(atStore), candidatesAt };
  const offers = offersFor(competition);
  const leastGoods = lowestOf(offers, () => 0);
  const best = lowestOf([...offers, ...forFreeDelivery(competition, leastGoods, feeFor)], feeFor);
  const flashSales = flashSalesIn(best.lines);
  const reached = () => best.candidates ?? candidatesAt(best.lines);
  const passedOver = passedOverBy(best, flashSales, competition.candidates, reached);
  const forDelivery = goodsCents(best) > goodsCents(leastGoods) ? leftForFreeDelivery(best, leastGoods) : [];
  const reported = new Set(forDelivery.map(({ promotionId }) => promotionId));
  return {
    lines: best.lines,
    discount: best.discount,
    flashSales: flashSales.slice(0, MOST_KEPT),
    passedOver: [...forDelivery, ...passedOver.filter(({ promotionId }) => !reported.has(promotionId))].slice(
      0,
      MOST_KEPT,
    ),
  };
}

/** Returns the offers in order of preference: the first of equal ones is chosen. */
function offersFor({ lines, atStore, candidates, candidatesAt }: Competition): readonly Offer[] {
  const costs = costsOf(atStore);
  const catalog: Offer = { lines: at(lines, 'best'), discount: noDiscount(costs.length) };
  const single: Offer = { lines: atStore, discount: singleDiscount(candidates, costs), candidates };
  const joint = (): Offer => ({ lines: atStore, discount: jointDiscount(candidates, costs), candidates });
  if (!lines.some(combinedPrice)) return [catalog, single, joint()];
  const lowered = at(lines, 'combinable');
  const remaining = candidatesAt(lowered);
  const discount = jointDiscount(remaining, costsOf(lowered));
  const withSales: Offer = { lines: lowered, discount, candidates: remaining };
  // Without the flash sales the goods can only cost less if that reaches a further minimum.
  return combinableIn(remaining) < combinableIn(candidates)
    ? [catalog, withSales, single, joint()]
    : [catalog, withSales, single];
}

/**
 * Returns offers with a smaller discount on the goods, if that can make the delivery free: another single promotion; the combinable ones
 * without their flash sales, without the entered coupon, or as the order was placed; and no promotion at all. Other subsets of the
 * combinable ones are not considered, since that would need an exhaustive search.
 */
function forFreeDelivery(
  { lines, atStore, candidates, candidatesAt }: Competition,
  leastGoods: Offer,
  feeFor: FeeFor,
): readonly Offer[] {
  const costs = costsOf(atStore);
  if (feeFor(sumOf(costs)) === feeFor(goodsCents(leastGoods))) return [];
  const single: Offer = { lines: atStore, discount: singleDiscount(candidates, costs, feeFor), candidates };
  const priceLists = lines.some(combinedPrice) ? [at(lines, 'combinable'), atStore] : [atStore];
  const joint = priceLists.flatMap((prices) => {
    const open = prices === atStore ? candidates : candidatesAt(prices);
    return fewerAndFewer(open).map(
      (some): Offer => ({ lines: prices, discount: jointDiscount(some, costsOf(prices)), candidates: open }),
    );
  });
  return [...joint, single];
}

/** Returns all candidates, those without a coupon, those with which the order was placed, and none. Each set occurs once. */
function fewerAndFewer(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const withoutCoupon = candidates.filter(({ promotion }) => promotion.kind !== 'coupon');
  const placed = withoutCoupon.filter(({ promotion }) => promotion.placedWith);
  const sets = [candidates, withoutCoupon, placed, []];
  return sets.filter((set, place) => place === 0 || combinableIn(set) < combinableIn(sets[place - 1]!));
}

const lowestOf = (offers: readonly Offer[], feeFor: FeeFor): Offer =>
  offers.reduce((one, other) => (isBetter(other, one, feeFor) ? other : one));

const combinableIn = (candidates: readonly Candidate[]): number =>
  candidates.filter(({ promotion }) => promotion.combinable).length;

const at = (lines: readonly OrderLine[], list: PriceList): readonly OrderLine[] =>
  lines.map((line) => lineAt(line, list));

function isBetter(a: Offer, b: Offer, feeFor: FeeFor): boolean {
  const [mine, others] = [a, b].map(goodsCents).map((goods) => goods + feeFor(goods)) as [number, number];
  if (mine !== others) return mine < others;
  const [myCoupons, otherCoupons] = [couponsIn(a), couponsIn(b)];
  if (myCoupons !== otherCoupons) return myCoupons < otherCoupons;
  return a.discount.promotions.length < b.discount.promotions.length;
}

const sumOf = (costs: readonly number[]): number => costs.reduce((sum, cents) => sum + cents, 0);

const goodsCents = ({ lines, discount }: Offer): number => sumOf(costsOf(lines)) - discount.discountCents;

const couponsIn = ({ discount }: Offer): number => discount.promotions.filter(({ kind }) => kind === 'coupon').length;
