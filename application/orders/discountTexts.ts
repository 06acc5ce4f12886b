/** Texts about discounts and coupons for customers. */
import type { DiscountParts, FlashSaleName, OrderTotals } from '../../domain/orders/orderEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { money } from '../texts/localeFormats.js';
import { short, text } from '../texts/texts.js';

/** Reason why a coupon that a customer entered cannot be used. */
export type CouponProblem =
  | { readonly why: 'unknown' | 'not_yet' | 'ended' | 'limit' | 'customer_limit' | 'not_listed' | 'out_of_scope' }
  | { readonly why: 'min_subtotal'; readonly minSubtotalCents: number };

/** Total of an order, and the promotions in it. */
export interface PricedInWords {
  readonly totals: OrderTotals;
  /** Absent: at most one promotion could be used. */
  readonly competition?: Pick<DiscountParts, 'flashSales' | 'passedOver'>;
}

/**
 * Returns `Discount: −$1.75`, and an explanation if a flash sale excludes another promotion or is excluded, or if the discount is smaller
 * so that delivery is free. Empty without a discount and without an excluded promotion. Flash sales are named, since the catalog shows
 * them. Names of number lists are internal to the store.
 */
export function discountLines(locale: Locale, { totals, competition = {} }: PricedInWords): readonly string[] {
  const { flashSales = [], passedOver = [] } = competition;
  const off =
    totals.discountCents > 0
      ? [text(locale, 'discounts.discount', { discount: money(locale, -totals.discountCents) })]
      : [];
  // An entered coupon has a text of its own.
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

/** Returns at most two names. */
function namesOf(locale: Locale, sales: readonly FlashSaleName[]): string {
  const [first = '', second] = sales.map(({ name }) => short(name, 40));
  if (second === undefined) return first;
  return text(locale, sales.length > 2 ? 'lists.more' : 'lists.two', { first, second });
}

/** Returns why the coupon was refused, and what to do. */
export function couponRefused(locale: Locale, problem: CouponProblem): readonly string[] {
  const why =
    problem.why === 'min_subtotal'
      ? text(locale, 'discounts.coupon.min_subtotal', { subtotal: money(locale, problem.minSubtotalCents) })
      : text(locale, `discounts.coupon.${problem.why}`);
  return [why, text(locale, 'discounts.correctIt')];
}

export const couponNotUsed = (locale: Locale, code: string): string =>
  text(locale, 'discounts.notUsed', { code: short(code, 32) });

/** A promised discount is used up. Contains the total without it. */
export const discountSmaller = (locale: Locale, totalCents: number): string =>
  text(locale, 'discounts.smaller', { total: money(locale, totalCents) });
