/**
 * What a cart costs: pure arithmetic in whole US cents. Prices come from the store's own catalog, never from the
 * channel's message. docs/pricing.md tells the same in a shopkeeper's words.
 */
import type { Fulfilment, OrderLine, OrderTotals } from '../orders/orderEvents.js';
import { type LeftOut, leaveOut } from './leftOut.js';

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
}

export interface CartLine {
  readonly retailerId: string;
  readonly quantity: number;
}

/**
 * The place of promotions in pricing. First each unit price is lowered (flash sales: per unit, never below zero), then
 * one discount is taken off the lines (the best single one, or combinable ones together); the delivery fee looks at
 * what remains. Whoever offers promotions decides which apply; pricing only adds up, and holds the bounds.
 */
export interface Promotions {
  /** The unit price of an item after flash sales; `priceCents` is the store's price now. */
  unitPriceCents(item: SellableItem, priceCents: number): number;
  /** What comes off these lines, in cents, and the promotions that make it up. */
  discount(lines: readonly OrderLine[]): Discount;
}

export interface Discount {
  readonly discountCents: number;
  /** Shown to the store as `discountReason`. */
  readonly discountReason?: string;
}

export const NO_PROMOTIONS: Promotions = {
  unitPriceCents: (_, priceCents) => priceCents,
  discount: () => ({ discountCents: 0 }),
};

export interface PricedCart {
  /** In the order in which the cart first names each item. Empty: there is nothing to order. */
  readonly lines: readonly OrderLine[];
  readonly leftOut: readonly LeftOut[];
  readonly totals: OrderTotals;
  readonly discountReason?: string;
}

/** Units of one item in one order: the channel's limit. */
export const MAX_QUANTITY = 99;
/** Different items in one order; with the highest price and quantity the total stays below 2^53. */
export const MAX_LINES = 100;

/**
 * Prices a cart at `now` (ms). An item named twice counts once, with the quantities added. Items that cannot be sold
 * as asked are left out whole, each with its reason: nobody is sent fewer than they ordered without being asked.
 */
export function priceCart(
  cart: readonly CartLine[],
  items: ReadonlyMap<string, SellableItem>,
  now: number,
  promotions: Promotions = NO_PROMOTIONS,
): PricedCart {
  const lines: OrderLine[] = [];
  const leftOut: LeftOut[] = [];
  for (const { retailerId, quantity } of merged(cart)) {
    const item = items.get(retailerId);
    const reason = item === undefined ? 'unknown' : whyNot(item, quantity, lines.length);
    if (item === undefined || reason !== undefined) leftOut.push(leaveOut(retailerId, reason ?? 'unknown', item));
    else lines.push(lineOf(item, quantity, atLeastZero(promotions.unitPriceCents(item, priceNow(item, now)))));
  }
  return { lines, leftOut, ...priceLines(lines, 0, promotions) };
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

/** Prices an order again at checkout: its lines keep their unit prices; the discount and the delivery fee are new. */
export const priceCheckout = (
  lines: readonly OrderLine[],
  handover: Handover,
  promotions: Promotions = NO_PROMOTIONS,
): { totals: OrderTotals; discountReason?: string } =>
  priceLines(lines, (goodsCents) => deliveryFeeCents(handover, goodsCents), promotions);

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
  fee: number | ((goodsCents: number) => number),
  promotions: Promotions,
): { totals: OrderTotals; discountReason?: string } {
  const subtotalCents = lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
  const offered = promotions.discount(lines);
  const discountCents = Math.min(subtotalCents, atLeastZero(offered.discountCents));
  const goodsCents = subtotalCents - discountCents;
  const deliveryFeeCents = typeof fee === 'number' ? fee : fee(goodsCents);
  const totals = { subtotalCents, discountCents, deliveryFeeCents, totalCents: goodsCents + deliveryFeeCents };
  assertMoney(totals);
  return discountCents > 0 && offered.discountReason !== undefined
    ? { totals, discountReason: offered.discountReason }
    : { totals };
}

/** What is no whole number from 1 on counts as nothing, so that it never takes units away from another line. */
const counted = (quantity: number): number => (Number.isSafeInteger(quantity) && quantity > 0 ? quantity : 0);

function merged(cart: readonly CartLine[]): CartLine[] {
  const quantities = new Map<string, number>();
  for (const { retailerId, quantity } of cart)
    quantities.set(retailerId, (quantities.get(retailerId) ?? 0) + counted(quantity));
  return [...quantities].map(([retailerId, quantity]) => ({ retailerId, quantity }));
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
  ...(item.size === undefined ? {} : { size: item.size }),
  ...(item.color === undefined ? {} : { color: item.color }),
  quantity,
  unitPriceCents,
});

const atLeastZero = (cents: number): number => Math.max(0, cents);

/** A broken invariant, not a customer's mistake: amounts are whole, exact and never negative. */
function assertMoney(totals: OrderTotals): void {
  for (const [name, cents] of Object.entries(totals))
    if (!Number.isSafeInteger(cents) || cents < 0) throw new Error(`${name} is no amount of money: ${cents}`);
}
