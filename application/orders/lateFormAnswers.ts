/** A checkout form that was answered when the prices of its order held no longer: the order is priced anew first. */
import { cancelEmptied, DEFAULT_VALID_DAYS, isFromBefore, isLate, priceAnew } from '../../domain/orders/abandoned.js';
import { order, type PlacedOrder, pricedAs } from '../../domain/orders/order.js';
import type { LeftOutItem } from '../../domain/orders/orderEvents.js';
import { leftOutItems, noteOf } from '../../domain/pricing/leftOut.js';
import type { PricedCart } from '../../domain/pricing/pricing.js';
import type { OrderDependencies } from './dependencies.js';
import { pricedNow } from './priceCart.js';
import type { Checkout } from './reserveUses.js';

export interface Answered {
  readonly workspaceId: string;
  /** When the answer came, ms since 1970. */
  readonly receivedAt: number;
  /** The store's setting. */
  readonly validDays: number | undefined;
}

export type Looked =
  /** The customer has seen what the order costs; `checkout` goes on. */
  | { readonly checkout: Checkout }
  /** The customer is to agree to this first. */
  | { readonly again: Pick<PlacedOrder, 'lines' | 'totals' | 'competition'>; readonly leftOut: readonly LeftOutItem[] }
  /** Nothing of it can be had any more: it is cancelled. */
  | { readonly nothingLeft: readonly LeftOutItem[] }
  /** It was closed in this very moment. */
  | { readonly closed: true };

/**
 * Looks at the prices before the answer is taken. Current prices and promotions count, not those that the order was placed
 * with; where the customer would see no difference, the answer is taken as it is. Performed again after a crash, it finds
 * that the order was priced after the answer came, and asks as the first time.
 */
export async function lookAtPrices(
  dependencies: OrderDependencies,
  checkout: Checkout,
  { workspaceId, receivedAt, validDays = DEFAULT_VALID_DAYS }: Answered,
): Promise<Looked> {
  const { commands, orderId, state, now, by } = checkout;
  if (isFromBefore(state, receivedAt)) return { again: state, leftOut: state.repriced?.leftOut ?? [] };
  if (!isLate(state, receivedAt, validDays)) return { checkout };
  const { customerPhone, lines } = state;
  const { leftOut, ...priced } = await pricedNow(dependencies, { workspaceId, orderId, customerPhone, lines, now });
  const named = leftOutItems(leftOut);
  if (priced.lines.length === 0) {
    const service = { ...by('cancel'), actor: { type: 'system' } as const };
    const { events } = await commands.decide(service, order, orderId, cancelEmptied);
    return events.length === 0 ? { closed: true } : { nothingLeft: named };
  }
  if (looksTheSame(state, priced))
    return { checkout: { ...checkout, state: { ...state, ...pricedAs(state, priced) } } };
  const note = noteOf(leftOut);
  const anew = { ...priced, ...(note === undefined ? {} : { note, leftOut: named }) };
  const { events } = await commands.decide(by('price anew'), order, orderId, priceAnew(anew));
  return events.length === 0 ? { closed: true } : { again: pricedAs(state, priced), leftOut: named };
}

/** Whether the customer would read the same: the same items at the same prices, with the same discount. */
function looksTheSame({ lines, totals }: PlacedOrder, now: Omit<PricedCart, 'leftOut'>): boolean {
  const { subtotalCents, discountCents } = now.totals;
  if (totals.subtotalCents !== subtotalCents || totals.discountCents !== discountCents) return false;
  return (
    lines.length === now.lines.length &&
    lines.every(({ retailerId, unitPriceCents }, place) => {
      const other = now.lines[place];
      return other?.retailerId === retailerId && other.unitPriceCents === unitPriceCents;
    })
  );
}
