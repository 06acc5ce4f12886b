/** Flash sales: they lower the price of one unit before other promotions apply. */
import type { FlashSaleName, FlashSalePrice, FlashSalePrices, OrderLine } from '../orders/orderEvents.js';
import { percentOf } from './amounts.js';
import { inScope, type PricingPromotion, type Scoped, whyNotUsed } from './promotions.js';

export interface FlashPrice {
  readonly unitPriceCents: number;
  /** Flash sales that lowered it. Empty: none. */
  readonly promotionIds: readonly string[];
}

/**
 * Returns the flash sales that are open at `now` (ms) for a cart with this subtotal at the store's prices. With a subtotal of 0 these are
 * the flash sales without a minimum, which the channel's catalog can show.
 */
export const openFlashSales = (
  promotions: readonly PricingPromotion[],
  subtotalCents: number,
  now: number,
): readonly PricingPromotion[] =>
  promotions
    .filter((promotion) => promotion.kind === 'flash_sale' && whyNotUsed(promotion, subtotalCents, now) === undefined)
    .sort((a, b) => (a.promotionId < b.promotionId ? -1 : 1));

/** Returns the price of one unit under all combinable flash sales together, never below zero. */
function together(priceCents: number, sales: readonly PricingPromotion[]): FlashPrice {
  let percentOff = 0;
  let amountOffCents = 0;
  let unitPriceCents = priceCents;
  const promotionIds: string[] = [];
  for (const { promotionId, terms, combinable } of sales) {
    if (!combinable || unitPriceCents === 0) continue;
    if ('percentOff' in terms) percentOff += terms.percentOff;
    else amountOffCents += terms.amountOffCents;
    unitPriceCents = lowered(priceCents, percentOff, amountOffCents);
    promotionIds.push(promotionId);
  }
  return { unitPriceCents, promotionIds };
}

function best(priceCents: number, sales: readonly PricingPromotion[], combined: FlashPrice): FlashPrice {
  let least: FlashPrice = { unitPriceCents: priceCents, promotionIds: [] };
  for (const { promotionId, terms } of sales) {
    const unitPriceCents =
      'percentOff' in terms ? lowered(priceCents, terms.percentOff, 0) : lowered(priceCents, 0, terms.amountOffCents);
    if (unitPriceCents < least.unitPriceCents) least = { unitPriceCents, promotionIds: [promotionId] };
  }
  return combined.unitPriceCents < least.unitPriceCents ? combined : least;
}

/**
 * Returns the price of one unit under these open flash sales, each computed from the store's current price: the best single one, or the
 * combinable ones together if they cost less. Never below zero. The channel's catalog shows this price.
 */
export function flashPrice(item: Scoped, priceCents: number, sales: readonly PricingPromotion[]): FlashPrice {
  const mine = sales.filter(({ scope }) => inScope(scope, item));
  return best(priceCents, mine, together(priceCents, mine));
}

const lowered = (priceCents: number, percentOff: number, amountOffCents: number): number =>
  Math.max(0, priceCents - percentOf(priceCents, percentOff) - amountOffCents);

/** Limits the size of an order's lines, however many flash sales a store has. */
const MOST_SALES = 10;
const MOST_BEATEN = 2;

/** Adds to a line all prices that these open flash sales allow. The line still has the store's own price, see `lineAt`. */
export function withFlashSales(line: OrderLine, sales: readonly PricingPromotion[]): OrderLine {
  const storeCents = line.unitPriceCents;
  const mine = sales.filter(({ scope }) => inScope(scope, line));
  const combined = together(storeCents, mine);
  const least = best(storeCents, mine, combined);
  if (least.promotionIds.length === 0) return line;
  const nameOf = ({ promotionId, name }: PricingPromotion): FlashSaleName => ({ promotionId, name });
  const price = ({ unitPriceCents, promotionIds }: FlashPrice) => ({
    unitPriceCents,
    sales: promotionIds.slice(0, MOST_SALES).map((id) => nameOf(mine.find(({ promotionId }) => promotionId === id)!)),
  });
  // A combinable flash sale that is not needed, because the item is free already, does not count as beaten.
  const beaten = mine
    .filter(({ promotionId, combinable }) => !combinable && promotionId !== least.promotionIds[0])
    .slice(0, MOST_BEATEN);
  const flashSales: FlashSalePrices = {
    storeCents,
    best: price(least),
    ...(combined.unitPriceCents < storeCents && {
      combinable: sameSales(combined, least) ? ('best' as const) : price(combined),
    }),
    ...(beaten.length === 0 ? {} : { beaten: beaten.map(nameOf) }),
  };
  return { ...line, flashSales };
}

const sameSales = (a: FlashPrice, b: FlashPrice): boolean => a.promotionIds.join() === b.promotionIds.join();

/** Returns the price under the combinable flash sales together. Undefined if none applies to the line. */
export const combinedPrice = ({ flashSales }: OrderLine): FlashSalePrice | undefined =>
  flashSales?.combinable === 'best' ? flashSales.best : flashSales?.combinable;

/**
 * Price lists of an order: the store's own prices, those under the combinable flash sales alone, and those under the best flash sales, as
 * in the channel's catalog.
 */
export type PriceList = 'store' | 'combinable' | 'best';

/** Returns the line at the price of a list. Returns the same object if the line has that price already, or no flash sale applies to it. */
export function lineAt(line: OrderLine, list: PriceList): OrderLine {
  if (line.flashSales === undefined) return line;
  const { flashSaleIds, withoutFlashSaleCents: _, ...plain } = line;
  const { storeCents, best } = line.flashSales;
  const price = list === 'store' ? undefined : list === 'best' ? best : combinedPrice(line);
  const ids = price?.sales.map(({ promotionId }) => promotionId) ?? [];
  const unitPriceCents = price?.unitPriceCents ?? storeCents;
  if (unitPriceCents === line.unitPriceCents && (flashSaleIds ?? []).join() === ids.join()) return line;
  return price === undefined
    ? { ...plain, unitPriceCents }
    : { ...plain, unitPriceCents, flashSaleIds: ids, withoutFlashSaleCents: storeCents };
}
