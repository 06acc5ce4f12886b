/**
 * Promotions compete for the order: only the best applies, or those together that are combinable. (Specification 1,
 * 'Promotions'; docs/concepts/pricing.md, 'Which promotions apply together'.)
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
import { flashSalesIn, leftForFreeDelivery, MOST_KEPT, passedOverBy } from './passedOver.js';
import type { PricingPromotion } from './promotions.js';

/** One way to price the order that the rules allow. */
interface Offer {
  readonly lines: readonly OrderLine[];
  readonly discount: Discount;
  /** What could come off these lines; absent where nothing does. */
  readonly candidates?: readonly Candidate[];
}

export interface Competed {
  readonly lines: readonly OrderLine[];
  readonly discount: Discount;
  /** Those that are in the unit prices, at most 20. */
  readonly flashSales: readonly FlashSaleName[];
  readonly passedOver: readonly PassedOver[];
}

/** What delivery adds to goods of this price after discounts; never more for goods that cost more. */
export type FeeFor = (goodsCents: number) => number;

/** An order at the store's prices, and what can come off it. */
interface Competition {
  readonly lines: readonly OrderLine[];
  readonly atStore: readonly OrderLine[];
  /** At the store's prices. */
  readonly candidates: readonly Candidate[];
  readonly candidatesAt: (lines: readonly OrderLine[]) => readonly Candidate[];
}

/**
 * The way to the lowest total that the rules allow at `now` (ms): the flash sales alone; or one number list or coupon
 * alone, off the store's prices; or all that are combinable together; and where less off the goods makes the delivery
 * free, what `forFreeDelivery` leaves out. One promotion more never makes the goods dearer, so for the goods only all
 * combinable ones together count: four discounts worked out at most, however many promotions there are. Flash sales stay
 * together also where the order would reach a minimum without some of them: without all of them is the store's price
 * list. Of equal totals the one without a coupon is chosen, then the one of fewer number lists and coupons, then the one
 * with flash sales. The order in which promotions are given does not matter. A line that stays at its price stays the
 * same object.
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
  const told = new Set(forDelivery.map(({ promotionId }) => promotionId));
  return {
    lines: best.lines,
    discount: best.discount,
    flashSales: flashSales.slice(0, MOST_KEPT),
    passedOver: [...forDelivery, ...passedOver.filter(({ promotionId }) => !told.has(promotionId))].slice(0, MOST_KEPT),
  };
}

/** Of equal offers the first is the one to take. */
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
  // Without the flash sales the goods come to less only where that reaches a minimum more.
  return combinableIn(remaining) < combinableIn(candidates)
    ? [catalog, withSales, single, joint()]
    : [catalog, withSales, single];
}

/**
 * Ways in which less comes off the goods, where that can make the delivery free: another single one; the combinable ones
 * without their flash sales, without the coupon that was entered, or as the order was placed; and no promotion at all.
 * Any other choice among those that are combinable is not looked for: it would take a search through all of them.
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

/** All of them, those without a coupon, those that the order was placed with, and none; each set once. */
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
