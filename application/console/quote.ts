/** Price of a hypothetical cart, computed as for carts and checkouts, without an order. */
import { defined } from '../../domain/defined.js';
import { type CartLine, type Handover, type PricedCart, priceCart, priceOrder } from '../../domain/pricing/pricing.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import type { Reads } from '../../engine/projections/reads.js';
import { deliverySettings } from '../../projections/deliverySettings.js';
import { itemsFrom } from '../catalog/sellableItems.js';
import { createOrderPromotions } from '../promotions/orderPromotions.js';

/** Id that no order has, so that no use of a promotion counts as its own. */
const NO_ORDER = '00000000-0000-0000-0000-000000000000';

export interface QuoteQuestion {
  readonly workspaceId: string;
  readonly lines: readonly CartLine[];
  /** '+' and digits. '': on no list. */
  readonly customerPhone: string;
  readonly couponCode?: string | undefined;
  /** Id of a delivery area, or `pickup`. Absent before the customer has chosen. */
  readonly handover?: string | undefined;
  /** Time at which sales and promotions are evaluated, ms since 1970. Catalog and promotions are the current ones. */
  readonly now: number;
}

export interface Quote extends PricedCart {
  readonly deliveryArea?: string;
}

async function handoverOf(
  reads: Reads,
  { workspaceId, handover }: QuoteQuestion,
): Promise<{ readonly handover?: Handover; readonly deliveryArea?: string }> {
  if (handover === undefined) return {};
  if (handover === 'pickup') return { handover: { fulfilment: 'pickup' } };
  const settings = (await reads.get(deliverySettings, workspaceId))?.body;
  const area = settings?.areas.find(({ id }) => id === handover);
  if (settings === undefined || area === undefined) return {};
  const { freeDeliveryAboveCents } = settings;
  return {
    handover: { fulfilment: 'delivery', areaFeeCents: area.feeCents, freeDeliveryAboveCents },
    deliveryArea: area.name,
  };
}

/** Prices it first as a new cart and then, with a coupon or an area, as an order at its checkout. */
export async function quoteOf(
  parts: { readonly commands: CommandHandler; readonly reads: Reads },
  question: QuoteQuestion,
): Promise<Quote> {
  const { workspaceId, lines, customerPhone, couponCode, now } = question;
  const promotions = createOrderPromotions(parts);
  const query = { workspaceId, customerPhone, orderId: NO_ORDER, now };
  const ids = [...new Set(lines.map(({ retailerId }) => retailerId))];
  const [items, offered, { handover, deliveryArea }] = await Promise.all([
    itemsFrom(parts.reads)(workspaceId, ids),
    promotions.promotionsFor(query),
    handoverOf(parts.reads, question),
  ]);
  const cart = priceCart(lines, items, now, offered);
  if (couponCode === undefined && handover === undefined) return cart;
  const all = couponCode === undefined ? offered : await promotions.promotionsFor({ ...query, couponCode });
  const priced = priceOrder(cart.lines, handover, { promotions: all, now });
  // A coupon may be better than a flash sale. The lines then have the prices without it.
  return { ...cart, ...priced, lines: priced.lines ?? cart.lines, ...defined({ deliveryArea }) };
}
