/**
 * Promotions compete for the order: only the best applies, or those together that are combinable. (Specification 1,
 * 'Promotions'; docs/pricing.md, 'Which promotions apply together'.)
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
import { flashSalesIn, MOST_KEPT, passedOverBy } from './passedOver.js';
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

/**
 * The lowest price of the goods that the rules allow at `now` (ms): the flash sales alone; or one number list or coupon
 * alone, off the store's prices; or all that are combinable together. Exact with four discounts worked out at most,
 * however many promotions there are: one promotion more never makes a price higher, so of the combinable ones only all
 * together count. Flash sales stay together also where the order would reach a minimum without some of them: without all
 * of them is the store's price list. Of equal prices the one without a coupon is chosen, then the one of fewer number
 * lists and coupons, then the one with flash sales. The order in which promotions are given does not matter. A line that
 * stays at its price stays the same object.
 */
export function lowestPrice(
  lines: readonly OrderLine[],
  promotions: readonly PricingPromotion[],
  now: number,
): Competed {
  const atStore = at(lines, 'store');
  const candidatesAt = (prices: readonly OrderLine[]) => candidatesFor(prices, promotions, now);
  const candidates = candidatesAt(atStore);
  const offers = offersFor(lines, atStore, candidates, candidatesAt);
  const best = offers.reduce((one, other) => (isBetter(other, one) ? other : one));
  const flashSales = flashSalesIn(best.lines);
  const reached = () => best.candidates ?? candidatesAt(best.lines);
  const passedOver = passedOverBy(best, flashSales, candidates, reached);
  return { lines: best.lines, discount: best.discount, flashSales: flashSales.slice(0, MOST_KEPT), passedOver };
}

/** Of equal offers the first is the one to take. `candidates`: at the store's prices; `candidatesAt`: at others. */
function offersFor(
  lines: readonly OrderLine[],
  atStore: readonly OrderLine[],
  candidates: readonly Candidate[],
  candidatesAt: (lines: readonly OrderLine[]) => readonly Candidate[],
): readonly Offer[] {
  const costs = costsOf(atStore);
  const catalog: Offer = { lines: at(lines, 'best'), discount: noDiscount(costs.length) };
  const single: Offer = { lines: atStore, discount: singleDiscount(candidates, costs), candidates };
  const joint = (): Offer => ({ lines: atStore, discount: jointDiscount(candidates, costs), candidates });
  if (!lines.some(combinedPrice)) return [catalog, single, joint()];
  const lowered = at(lines, 'combinable');
  const remaining = candidatesAt(lowered);
  const discount = jointDiscount(remaining, costsOf(lowered));
  const withSales: Offer = { lines: lowered, discount, candidates: remaining };
  // Without the flash sales it comes to less only where that reaches a minimum more.
  return combinableIn(remaining) < combinableIn(candidates)
    ? [catalog, withSales, single, joint()]
    : [catalog, withSales, single];
}

const combinableIn = (candidates: readonly Candidate[]): number =>
  candidates.filter(({ promotion }) => promotion.combinable).length;

const at = (lines: readonly OrderLine[], list: PriceList): readonly OrderLine[] =>
  lines.map((line) => lineAt(line, list));

function isBetter(a: Offer, b: Offer): boolean {
  const [mine, others] = [goodsCents(a), goodsCents(b)];
  if (mine !== others) return mine < others;
  const [myCoupons, otherCoupons] = [couponsIn(a), couponsIn(b)];
  if (myCoupons !== otherCoupons) return myCoupons < otherCoupons;
  return a.discount.promotions.length < b.discount.promotions.length;
}

const goodsCents = ({ lines, discount }: Offer): number =>
  costsOf(lines).reduce((sum, cents) => sum + cents, 0) - discount.discountCents;

const couponsIn = ({ discount }: Offer): number => discount.promotions.filter(({ kind }) => kind === 'coupon').length;
