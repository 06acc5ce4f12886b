import {
  addEntries,
  addProduct,
  addPromotion,
  type ProductSales,
  type PromotionCost,
  type SalesSlot,
} from '../../projections/salesSlots.js';
import { addDays, datesBetween, startOf } from './storeDays.js';

/** Products and promotions that a report lists. */
const MOST_LISTED = 10;

const SUMS = [
  ...(['placed', 'checkedOut', 'sold', 'revenueCents', 'deliveryFeeCents', 'discountCents'] as const),
  ...(['returned', 'returnedCents', 'paymentFailures'] as const),
] as const;

/** Sums of one day of a store. Money in whole US cents. */
export type SalesDay = { readonly date: string } & Readonly<Record<(typeof SUMS)[number], number>>;

export interface SoldProduct {
  readonly productExternalId: string;
  readonly name: string;
  readonly quantity: number;
  /** Paid for it by customers, without delivery and less returns. */
  readonly revenueCents: number;
}

export interface UsedPromotion {
  readonly promotionId: string;
  readonly name: string;
  readonly uses: number;
  readonly discountCents: number;
}

export interface SalesReport {
  readonly days: readonly SalesDay[];
  readonly topProducts: readonly SoldProduct[];
  readonly promotions: readonly UsedPromotion[];
}

/** A slot of a store's sales with its beginning, in ms since 1970. */
export interface TimedSlot {
  readonly start: number;
  readonly sales: SalesSlot;
}

/** Adds slots, in their order of time, to days of a time zone. `last`: the last date, included. */
export function salesReport(
  slots: readonly TimedSlot[],
  { timeZone, first, last }: { readonly timeZone: string; readonly first: string; readonly last: string },
): SalesReport {
  const dates = datesBetween(first, last);
  const ends = dates.map((_, at) => startOf(timeZone, dates[at + 1] ?? addDays(last, 1)));
  const days = dates.map((date) => ({ date, ...Object.fromEntries(SUMS.map((name) => [name, 0])) })) as {
    -readonly [K in keyof SalesDay]: SalesDay[K];
  }[];
  const products = new Map<string, ProductSales>();
  const promotions = new Map<string, PromotionCost>();
  let day = 0;
  for (const { start, sales } of slots) {
    while (day < ends.length - 1 && start >= ends[day]!) day += 1;
    for (const name of SUMS) days[day]![name] += sales[name] ?? 0;
    addEntries(products, Object.entries(sales.products ?? {}), addProduct);
    addEntries(promotions, Object.entries(sales.promotions ?? {}), addPromotion);
  }
  return {
    days,
    topProducts: [...products]
      .map(([productExternalId, { name, quantity, cents }]) => ({
        productExternalId,
        name,
        quantity,
        revenueCents: cents,
      }))
      .filter(({ quantity }) => quantity > 0)
      .sort((a, b) => b.revenueCents - a.revenueCents || b.quantity - a.quantity)
      .slice(0, MOST_LISTED),
    promotions: [...promotions]
      .map(([promotionId, sums]) => ({ promotionId, ...sums }))
      .filter(({ uses }) => uses > 0)
      .sort((a, b) => b.discountCents - a.discountCents)
      .slice(0, MOST_LISTED),
  };
}
