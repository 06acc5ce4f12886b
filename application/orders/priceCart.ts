/** Prices a cart at current prices: from the store's catalog, with the promotions that its customer may use. */
import { type CartLine, type PricedCart, priceCart } from '../../domain/pricing/pricing.js';
import type { OrderDependencies } from './orderDependencies.js';

export interface Priceable {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly customerPhone: string;
  readonly lines: readonly CartLine[];
  /** ms since 1970. */
  readonly now: number;
}

export async function pricedNow(
  { itemsOf, promotions }: Pick<OrderDependencies, 'itemsOf' | 'promotions'>,
  { workspaceId, orderId, customerPhone, lines, now }: Priceable,
): Promise<PricedCart> {
  const ids = [...new Set(lines.map(({ retailerId }) => retailerId))];
  const [items, offered] = await Promise.all([
    itemsOf(workspaceId, ids),
    promotions.promotionsFor({ workspaceId, customerPhone, orderId, now }),
  ]);
  return priceCart(lines, items, now, offered);
}
