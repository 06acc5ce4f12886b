/** What customers read about discounts and coupons, put together from the texts. */
import type { DiscountParts, FlashSaleName, OrderTotals } from '../../domain/orders/orderEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { short, text } from '../texts/texts.js';
import { money } from '../texts/writing.js';

/** Why a coupon that a customer entered cannot be used. */
export type CouponProblem =
  | { readonly why: 'unknown' | 'not_yet' | 'ended' | 'limit' | 'customer_limit' | 'not_listed' | 'out_of_scope' }
  | { readonly why: 'min_subtotal'; readonly minSubtotalCents: number };

/** What an order costs, and which promotions made it so. */
export interface PricedInWords {
  readonly totals: OrderTotals;
  /** Absent: only one promotion could be used, or none. */
  readonly competition?: Pick<DiscountParts, 'flashSales' | 'passedOver'>;
}

/**
 * `Discount: −$1.75`, and what does not add to what applies, where a flash sale is one of both, or that less comes off for
 * the sake of free delivery; nothing when there is no discount and none is left out. Flash sales are named as the catalog's
 * offers; the names of number lists are the store's own affair.
 */
export function discountLines(locale: Locale, { totals, competition = {} }: PricedInWords): readonly string[] {
  const { flashSales = [], passedOver = [] } = competition;
  const off =
    totals.discountCents > 0
      ? [text(locale, 'discounts.discount', { discount: money(locale, -totals.discountCents) })]
      : [];
  // A coupon that was entered is told of by itself.
  if (passedOver.some(({ why, kind }) => why === 'free_delivery' && kind !== 'coupon'))
    return [...off, text(locale, 'discounts.forFreeDelivery')];
  const passedSales = passedOver.filter(({ kind }) => kind === 'flash_sale');
  if (off.length > 0) {
    if (passedSales.length === 0) return off;
    return [...off, text(locale, 'discounts.insteadOfFlashSale', { sales: namesOf(locale, passedSales) })];
  }
  return flashSales.length > 0 && passedOver.length > passedSales.length
    ? [text(locale, 'discounts.flashSaleOnly', { sales: namesOf(locale, flashSales) })]
    : [];
}

/** At most two names. */
function namesOf(locale: Locale, sales: readonly FlashSaleName[]): string {
  const [first = '', second] = sales.map(({ name }) => short(name, 40));
  if (second === undefined) return first;
  return text(locale, sales.length > 2 ? 'lists.more' : 'lists.two', { first, second });
}

/** Why the coupon was not taken, and what to do. */
export function couponRefused(locale: Locale, problem: CouponProblem): readonly string[] {
  const why =
    problem.why === 'min_subtotal'
      ? text(locale, 'discounts.coupon.min_subtotal', { subtotal: money(locale, problem.minSubtotalCents) })
      : text(locale, `discounts.coupon.${problem.why}`);
  return [why, text(locale, 'discounts.correctIt')];
}

export const couponNotUsed = (locale: Locale, code: string): string =>
  text(locale, 'discounts.notUsed', { code: short(code, 32) });

/** A discount that was promised is used up; the total without it. */
export const discountSmaller = (locale: Locale, totalCents: number): string =>
  text(locale, 'discounts.smaller', { total: money(locale, totalCents) });
