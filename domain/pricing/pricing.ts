/**
 * Price of a cart: pure arithmetic in whole US cents. Prices come from the store's own catalog, never from the channel's message.
 * docs/concepts/pricing.md explains the rules for shopkeepers.
 */
import { defined } from '../defined.js';
import type { DiscountParts, Fulfilment, OrderLine, OrderTotals } from '../orders/orderEvents.js';
import { type FeeFor, lowestPrice } from './competition.js';
import { discountReason } from './discountReason.js';
import { openFlashSales, withFlashSales } from './flashSales.js';
import { type LeftOut, leaveOut } from './leftOutItems.js';
import type { PricingPromotion } from './promotions.js';

/** An item of the store's catalog: a product, or one of its variants. */
export interface SellableItem {
  /** Id in the channel's catalog, with which customers order. */
  readonly retailerId: string;
  readonly productExternalId: string;
  readonly name: string;
  readonly size?: string;
  readonly color?: string;
  readonly priceCents: number;
  readonly salePriceCents?: number;
  /** RFC 3339. The window has no start if this is absent, and no end if `saleEndsAt` is. */
  readonly saleStartsAt?: string;
  readonly saleEndsAt?: string;
  readonly availability: 'in_stock' | 'out_of_stock';
  /** Absent: the store does not count its stock. */
  readonly stock?: number;
  readonly active: boolean;
  readonly categoryExternalId?: string;
}

export interface CartLine {
  readonly retailerId: string;
  readonly quantity: number;
}

/** Price of a cart or an order, with the parts of its discount if it has one. */
export interface Priced extends DiscountParts {
  readonly totals: OrderTotals;
  /** Reasons why promotions apply or do not, in words for the store. Absent if there was no promotion. */
  readonly discountReason?: string;
  /** Lines of a placed order at changed unit prices. Absent if no price changed. */
  readonly lines?: readonly OrderLine[];
}

export interface PricedCart extends Priced {
  /** Lines in the order in which the cart first lists each item. Empty: nothing can be ordered. */
  readonly lines: readonly OrderLine[];
  readonly leftOut: readonly LeftOut[];
}

/** Maximum units of one item in an order: the channel's limit. */
export const MAX_QUANTITY = 99;
/** Maximum items in an order. With the highest price and quantity the total stays below 2^53. */
export const MAX_LINES = 100;

/**
 * Prices a cart at `now` (ms). Quantities of repeated items are added. An item that cannot be sold in the ordered quantity is left out
 * entirely, with its reason: a customer never gets fewer than they ordered without agreeing. The promotions compete (see `lowestPrice`),
 * and may be in any order.
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

/** Fulfilment of the order, as far as the price depends on it. */
export type Handover =
  | { readonly fulfilment: Extract<Fulfilment, 'pickup'> }
  | {
      readonly fulfilment: Extract<Fulfilment, 'delivery'>;
      readonly areaFeeCents: number;
      /** Delivery is free from this amount, after discounts. Absent: never. */
      readonly freeDeliveryAboveCents?: number | undefined;
    };

/** Promotions for an order, in any order, and the time (ms) at which they are evaluated. */
export interface Offered {
  readonly promotions: readonly PricingPromotion[];
  readonly now: number;
}

/**
 * Prices an order that has been placed. The store's prices and the flash sales are those of the placement, while discounts and the delivery
 * fee are recomputed. With a handover the total including its fee is minimal, without one the price of the goods.
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

/** Returns the price of the lines before discounts. */
export const subtotalOf = (lines: readonly OrderLine[]): number =>
  lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);

/** Returns the price of the goods after discounts, without delivery. */
export const goodsOf = ({ subtotalCents, discountCents }: OrderTotals): number => subtotalCents - discountCents;

/** Returns the fee for goods that cost `goodsCents` after discounts. (Specification 1, 'Delivery settings'.) */
export function deliveryFeeCents(handover: Handover, goodsCents: number): number {
  if (handover.fulfilment === 'pickup') return 0;
  const { areaFeeCents, freeDeliveryAboveCents } = handover;
  return freeDeliveryAboveCents !== undefined && goodsCents >= freeDeliveryAboveCents ? 0 : areaFeeCents;
}

/** Returns the store's price of an item at `now`: the sale price while its window is open (start included, end excluded). */
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

/** Treats an invalid quantity as zero, so that it never reduces the quantity of another line. */
const counted = (quantity: number): number => (Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 0);

function merged(cart: readonly CartLine[]): CartLine[] {
  const quantities = new Map<string, number>();
  for (const { retailerId, quantity } of cart)
    quantities.set(retailerId, (quantities.get(retailerId) ?? 0) + counted(quantity));
  return [...quantities].map(([retailerId, quantity]) => ({ retailerId, quantity }));
}

/**
 * Splits the lines into those that the store still sells and those that it does not. Prices do not change: they may be valid longer than
 * the goods are available.
 */
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

/** Checks an invariant: amounts are whole, exact and never negative. A violation is a bug, not a customer's mistake. */
function assertMoney(totals: OrderTotals): void {
  for (const [name, cents] of Object.entries(totals))
    if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`${name} is no amount of money: ${cents}`);
}
