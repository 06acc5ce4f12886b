/**
 * What a cart costs: pure arithmetic in whole US cents. Prices come from the store's own catalog, never from the
 * channel's message. docs/concepts/pricing.md tells the same in a shopkeeper's words.
 */
import { defined } from '../defined.js';
import type { DiscountParts, Fulfilment, OrderLine, OrderTotals } from '../orders/orderEvents.js';
import { type FeeFor, lowestPrice } from './competition.js';
import { openFlashSales, withFlashSales } from './flashSales.js';
import { type LeftOut, leaveOut } from './leftOut.js';
import type { PricingPromotion } from './promotions.js';
import { discountReason } from './reason.js';

/** One item of the store's catalog as pricing needs it: a product, or one of its variants. */
export interface SellableItem {
  /** Id in the channel's catalog, the one customers order by. */
  readonly retailerId: string;
  readonly productExternalId: string;
  readonly name: string;
  readonly size?: string;
  readonly color?: string;
  readonly priceCents: number;
  readonly salePriceCents?: number;
  /** RFC 3339; the window is open from the start when absent, for ever when its end is. */
  readonly saleStartsAt?: string;
  readonly saleEndsAt?: string;
  readonly availability: 'in_stock' | 'out_of_stock';
  /** Absent: the store does not count it. */
  readonly stock?: number;
  readonly active: boolean;
  readonly categoryExternalId?: string;
}

export interface CartLine {
  readonly retailerId: string;
  readonly quantity: number;
}

/** What a cart or an order costs; the parts of its discount when it has one. */
export interface Priced extends DiscountParts {
  readonly totals: OrderTotals;
  /** Which promotions apply and why others do not, in words for the store; absent when there was none to apply. */
  readonly discountReason?: string;
  /** Of an order that was placed before: its lines at other unit prices than they had; absent when all stay. */
  readonly lines?: readonly OrderLine[];
}

export interface PricedCart extends Priced {
  /** In the order in which the cart first names each item. Empty: there is nothing to order. */
  readonly lines: readonly OrderLine[];
  readonly leftOut: readonly LeftOut[];
}

/** Units of one item in one order: the channel's limit. */
export const MAX_QUANTITY = 99;
/** Different items in one order; with the highest price and quantity the total stays below 2^53. */
export const MAX_LINES = 100;

/**
 * Prices a cart at `now` (ms). An item named twice counts once, with the quantities added. Items that cannot be sold
 * as asked are left out whole, each with its reason: nobody is sent fewer than they ordered without being asked. The
 * promotions compete: see `lowestPrice`. They may stand in any order.
 */
export function priceCart(
  cart: readonly CartLine[],
  items: ReadonlyMap<string, SellableItem>,
  now: number,
  promotions: readonly PricingPromotion[] = [],
): PricedCart {
  const sold: OrderLine[] = [];
  const leftOut: LeftOut[] = [];
  for (const { retailerId, quantity } of merged(cart)) {
    const item = items.get(retailerId);
    const reason = item === undefined ? 'unknown' : whyNot(item, quantity, sold.length);
    if (item === undefined || reason !== undefined) leftOut.push(leaveOut(retailerId, reason ?? 'unknown', item));
    else sold.push(lineOf(item, quantity, priceNow(item, now)));
  }
  const sales = openFlashSales(promotions, subtotalOf(sold), now);
  const offered = sales.length === 0 ? sold : sold.map((line) => withFlashSales(line, sales));
  return { lines: offered, leftOut, ...priceLines(offered, () => 0, promotions, now) };
}

/** How the goods reach the customer, as far as the price is concerned. */
export type Handover =
  | { readonly fulfilment: Extract<Fulfilment, 'pickup'> }
  | {
      readonly fulfilment: Extract<Fulfilment, 'delivery'>;
      readonly areaFeeCents: number;
      /** Delivery is free from this amount on, after discounts; never when absent. */
      readonly freeDeliveryAboveCents?: number | undefined;
    };

/** Promotions for an order, in any order, and the moment (ms) at which they are looked at. */
export interface Offered {
  readonly promotions: readonly PricingPromotion[];
  readonly now: number;
}

/**
 * Prices an order that has been placed: the store's prices and the flash sales are those of then, what comes off them and
 * the delivery fee are new. With a handover the total with its fee is the lowest; without one the price of the goods is.
 */
export const priceOrder = (
  lines: readonly OrderLine[],
  handover: Handover | undefined,
  { promotions, now }: Offered = { promotions: [], now: 0 },
): Priced =>
  priceLines(
    lines,
    (goodsCents) => (handover === undefined ? 0 : deliveryFeeCents(handover, goodsCents)),
    promotions,
    now,
  );

/** What the lines cost before any discount. */
export const subtotalOf = (lines: readonly OrderLine[]): number =>
  lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);

/** What the goods cost after discounts, without delivery. */
export const goodsOf = ({ subtotalCents, discountCents }: OrderTotals): number => subtotalCents - discountCents;

/** The fee for goods that cost `goodsCents` after discounts. (Specification 1, 'Delivery settings'.) */
export function deliveryFeeCents(handover: Handover, goodsCents: number): number {
  if (handover.fulfilment === 'pickup') return 0;
  const { areaFeeCents, freeDeliveryAboveCents } = handover;
  return freeDeliveryAboveCents !== undefined && goodsCents >= freeDeliveryAboveCents ? 0 : areaFeeCents;
}

/** The store's price of an item at `now`: the sale price while its window is open (start included, end not). */
export function priceNow(item: SellableItem, now: number): number {
  const { priceCents, salePriceCents, saleStartsAt, saleEndsAt } = item;
  if (salePriceCents === undefined) return priceCents;
  const started = saleStartsAt === undefined || now >= Date.parse(saleStartsAt);
  const ended = saleEndsAt !== undefined && now >= Date.parse(saleEndsAt);
  return started && !ended ? Math.min(priceCents, salePriceCents) : priceCents;
}

function priceLines(
  lines: readonly OrderLine[],
  feeFor: FeeFor,
  promotions: readonly PricingPromotion[],
  now: number,
): Priced {
  const { lines: at, discount, flashSales, passedOver } = lowestPrice(lines, promotions, now, feeFor);
  const { discountCents, lineDiscounts, promotions: applied } = discount;
  const subtotalCents = subtotalOf(at);
  const goodsCents = subtotalCents - discountCents;
  const feeCents = feeFor(goodsCents);
  const totals = { subtotalCents, discountCents, deliveryFeeCents: feeCents, totalCents: goodsCents + feeCents };
  assertMoney(totals);
  const reason = discountReason(applied, flashSales, passedOver);
  return {
    totals,
    ...(at.every((line, index) => line === lines[index]) ? {} : { lines: at }),
    ...defined({ discountReason: reason }),
    ...(discountCents === 0 ? {} : { promotions: applied, lineDiscounts }),
    ...(flashSales.length === 0 ? {} : { flashSales }),
    ...(passedOver.length === 0 ? {} : { passedOver }),
  };
}

/** What is no whole number from 1 on counts as nothing, so that it never takes units away from another line. */
const counted = (quantity: number): number => (Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 0);

function merged(cart: readonly CartLine[]): CartLine[] {
  const quantities = new Map<string, number>();
  for (const { retailerId, quantity } of cart)
    quantities.set(retailerId, (quantities.get(retailerId) ?? 0) + counted(quantity));
  return [...quantities].map(([retailerId, quantity]) => ({ retailerId, quantity }));
}

/** The lines that the store still sells, and those that it does not. Prices stay: they may hold longer than the goods. */
export function stillSold(
  lines: readonly OrderLine[],
  items: ReadonlyMap<string, SellableItem>,
): { readonly sold: readonly OrderLine[]; readonly leftOut: readonly LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const sold = lines.filter(({ retailerId, quantity, name }) => {
    const item = items.get(retailerId);
    const reason = item === undefined ? 'unknown' : whyNot(item, quantity, 0);
    if (reason !== undefined) leftOut.push(leaveOut(retailerId, reason, item ?? { name }));
    return reason === undefined;
  });
  return { sold, leftOut };
}

function whyNot(item: SellableItem, quantity: number, linesSoFar: number): LeftOut['why'] | undefined {
  if (!item.active) return 'inactive';
  if (item.availability === 'out_of_stock' || item.stock === 0) return 'out_of_stock';
  if (quantity === 0) return 'no_quantity';
  if (quantity > MAX_QUANTITY) return 'too_many';
  if (item.stock !== undefined && quantity > item.stock) return 'over_stock';
  return linesSoFar >= MAX_LINES ? 'too_many_items' : undefined;
}

const lineOf = (item: SellableItem, quantity: number, unitPriceCents: number): OrderLine => ({
  productExternalId: item.productExternalId,
  retailerId: item.retailerId,
  name: item.name,
  ...defined({ size: item.size, color: item.color }),
  quantity,
  unitPriceCents,
  ...(unitPriceCents < item.priceCents && { listPriceCents: item.priceCents }),
  ...defined({ categoryExternalId: item.categoryExternalId }),
});

/** A broken invariant, not a customer's mistake: amounts are whole, exact and never negative. */
function assertMoney(totals: OrderTotals): void {
  for (const [name, cents] of Object.entries(totals))
    if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`${name} is no amount of money: ${cents}`);
}
