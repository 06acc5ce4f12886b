/** Price of a checkout with the entered coupon and the discount that the order was placed with. */
import { defined } from '../../domain/defined.js';
import type { OrderLine } from '../../domain/orders/orderEvents.js';
import { lineAt } from '../../domain/pricing/flashSales.js';
import { type Handover, type Priced, priceOrder, subtotalOf } from '../../domain/pricing/pricing.js';
import { linesWithin, type PricingPromotion, whyNotUsed } from '../../domain/pricing/promotions.js';
import type { CouponProblem } from './discountTexts.js';
import { type Checkout, reserveDiscount } from './reserveUses.js';

export type Agreed =
  /** The coupon cannot be used. */
  | { readonly coupon: CouponProblem }
  /** A discount in the form is used up. Contains the price without it and without delivery. */
  | { readonly repriced: Priced }
  /** The goods cost no more than in the form, but the order with its delivery does. */
  | { readonly dearer: true }
  /** The uses of its promotions are reserved. */
  | { readonly priced: Priced; readonly couponCode?: string; readonly unusedCouponCode?: string };

/**
 * Prices a checkout with the coupon of this code, if any, and reserves the uses of its promotions. The customer is never charged more than their
 * form showed: a total above `shownCents` needs their agreement. Dearer goods with free delivery do not, if the total is no higher.
 */
export async function agree(
  checkout: Checkout,
  workspaceId: string,
  { handover, coupon: code }: { readonly handover: Handover; readonly coupon: string | undefined },
  shownCents: number,
): Promise<Agreed> {
  const { orderId, state, now, promotions } = checkout;
  const { customerPhone, lines } = state;
  const coded = defined({ couponCode: code });
  const offered = await promotions.promotionsFor({ workspaceId, customerPhone, orderId, now, ...coded });
  const coupon = offered.find(({ kind, eligibility }) => kind === 'coupon' && eligibility !== 'no_code');
  const problem = code === undefined ? undefined : couponProblem(coupon, lines, now);
  if (problem !== undefined) return { coupon: problem };
  const { priced, refused, usable } = await reserveDiscount(checkout, offered, handover);
  const limit = coupon && refused.get(coupon.promotionId);
  if (limit !== undefined) return { coupon: { why: limit } };
  if (priced.totals.totalCents > shownCents) {
    const withoutCoupon = usable.filter(({ kind }) => kind !== 'coupon');
    const repriced = priceOrder(lines, undefined, { promotions: withoutCoupon, now });
    return repriced.totals.totalCents === state.totals.totalCents ? { dearer: true } : { repriced };
  }
  if (code === undefined) return { priced };
  const used = priced.promotions?.some(({ promotionId }) => promotionId === coupon?.promotionId);
  return used ? { priced, couponCode: coupon?.code ?? code } : { priced, unusedCouponCode: code };
}

/**
 * Returns why the entered coupon takes nothing off these lines. Undefined: it can, possibly instead of a flash sale. `coupon`: the store's,
 * if any.
 */
function couponProblem(
  coupon: PricingPromotion | undefined,
  lines: readonly OrderLine[],
  now: number,
): CouponProblem | undefined {
  if (coupon === undefined) return { why: 'unknown' };
  const atStorePrices = lines.map((line) => lineAt(line, 'store'));
  const why = whyNotUsed(coupon, subtotalOf(atStorePrices), now);
  if (why === 'min_subtotal') return { why, minSubtotalCents: coupon.minSubtotalCents ?? 0 };
  // A coupon that is switched off does not exist for customers.
  if (why === 'inactive' || why === 'no_code') return { why: 'unknown' };
  if (why !== undefined) return { why };
  return linesWithin(lines)(coupon.scope).length === 0 ? { why: 'out_of_scope' } : undefined;
}
