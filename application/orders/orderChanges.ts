/**
 * Changes of an order between the customer's form and their answer: expired prices, and goods that the store no longer sells. The customer
 * agrees to the current order before anything is charged.
 */
import { pricesHoldUntil, reprice } from '../../domain/orders/cartExpiry.js';
import { type CheckoutForm, showsOrder } from '../../domain/orders/offeredForms.js';
import { type EventData, order, type PlacedOrder, pricedAs } from '../../domain/orders/order.js';
import type { LeftOutItem, OrderLine } from '../../domain/orders/orderEvents.js';
import { cancelEmptied, removeUnavailable } from '../../domain/orders/unavailableItems.js';
import { type LeftOut, leftOutItems, noteOf } from '../../domain/pricing/leftOutItems.js';
import { withPlaced } from '../../domain/pricing/placedPromotions.js';
import { type Handover, priceOrder, stillSold } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import type { ItemsOf } from '../catalog/sellableItems.js';
import type { OrderDependencies } from './orderDependencies.js';
import { pricedNow } from './priceCart.js';
import type { Checkout } from './reserveUses.js';

export interface Answered {
  readonly workspaceId: string;
  /** Time of the answer, ms since 1970. */
  readonly receivedAt: number;
  /** The answered form. Undefined: not a form of this order, or evicted. */
  readonly form: CheckoutForm | undefined;
  /** Validity of prices from the store's settings, in days. Undefined: the default. */
  readonly validDays: number | undefined;
}

export type Checked =
  /** The answered form shows the current order. `checkout` continues. */
  { readonly checkout: Checkout; readonly form: CheckoutForm } | Changed;

/** The order differs from the form. */
export type Changed =
  /** The customer has to agree to the current order first. */
  | { readonly changed: PlacedOrder }
  /** No goods are available any more: the order is cancelled. */
  | { readonly nothingLeft: readonly LeftOutItem[] }
  /** The order was closed just now. */
  | { readonly closed: true };

/**
 * Compares the order with the answered form. Expired prices are replaced by the catalog's, and goods that the store no longer sells are
 * removed, even while prices are valid. After a crash, the repeated task finds that the form does not show the order, and requests the same
 * agreement.
 */
export async function checkOrder(
  dependencies: OrderDependencies,
  checkout: Checkout,
  { workspaceId, receivedAt, form, validDays }: Answered,
): Promise<Checked> {
  const { commands, orderId, state, now, by } = checkout;
  const shown = form !== undefined && showsOrder(form, state);
  const holdUntil = shown ? form.pricesHoldUntil : pricesHoldUntil(state, validDays);
  if (holdUntil !== undefined && receivedAt > holdUntil) {
    const { customerPhone, lines } = state;
    const { leftOut, ...priced } = await pricedNow(dependencies, { workspaceId, orderId, customerPhone, lines, now });
    if (priced.lines.length === 0) return emptied(checkout, leftOut);
    const repriced: PlacedOrder = { ...state, ...pricedAs(state, priced), leftOut: leftOutItems(leftOut) };
    if (shown && showsOrder(form, repriced)) return { checkout: { ...checkout, state: repriced }, form };
    const { events } = await commands.decide(
      by('price anew'),
      order,
      orderId,
      reprice({ ...priced, ...namedOf(leftOut) }),
    );
    return events.length === 0 ? { closed: true } : { changed: repriced };
  }
  const left = await leaveOutGoods(dependencies, checkout, workspaceId);
  if (left !== undefined) return left;
  return shown ? { checkout, form } : { changed: state };
}

/** Returns a check that the store currently sells all of these lines, in these quantities. */
export const sellsAll =
  (itemsOf: ItemsOf) =>
  async (workspaceId: string, lines: readonly OrderLine[]): Promise<boolean> =>
    (await soldNow(itemsOf, workspaceId, lines)).leftOut.length === 0;

const soldNow = async (itemsOf: ItemsOf, workspaceId: string, lines: readonly OrderLine[]) =>
  stillSold(lines, await itemsOf(workspaceId, [...new Set(lines.map(({ retailerId }) => retailerId))]));

/**
 * Removes goods that the store no longer sells. The other goods keep their prices, and an agreed delivery fee is unchanged. Undefined: all
 * goods are still sold.
 */
export async function leaveOutGoods(
  { itemsOf }: Pick<OrderDependencies, 'itemsOf'>,
  checkout: Checkout,
  workspaceId: string,
): Promise<Changed | undefined> {
  const { commands, promotions, orderId, state, now, by } = checkout;
  const { lines, customerPhone } = state;
  const { sold, leftOut } = await soldNow(itemsOf, workspaceId, lines);
  if (leftOut.length === 0) return undefined;
  if (sold.length === 0) return emptied(checkout, leftOut);
  // After the checkout only the agreed promotions apply.
  const offered = state.checkedOut ? [] : await promotions.promotionsFor({ workspaceId, customerPhone, orderId, now });
  const priced = priceOrder(sold, agreedHandover(state), { promotions: withOwnPromotions(offered, state), now });
  const change = { ...priced, lines: priced.lines ?? sold, ...namedOf(leftOut) };
  const { events } = await commands.decide(by('leave out'), order, orderId, removeUnavailable(lines, change));
  if (events.length === 0) return { closed: true };
  return { changed: { ...state, ...pricedAs(state, change), leftOut: leftOutItems(leftOut) } };
}

const withOwnPromotions = (offered: readonly PricingPromotion[], { promotions, lines }: PlacedOrder) =>
  withPlaced(offered, promotions, lines);

/** Returns the agreed fee, independently of the new total. Before the checkout the form contains the fees. */
const agreedHandover = ({ checkedOut, fulfilment, totals }: PlacedOrder): Handover | undefined =>
  checkedOut && fulfilment === 'delivery' ? { fulfilment, areaFeeCents: totals.deliveryFeeCents } : undefined;

function namedOf(leftOut: readonly LeftOut[]): Pick<EventData<'OrderRepriced'>, 'note' | 'leftOut'> {
  const note = noteOf(leftOut);
  return note === undefined ? {} : { note, leftOut: leftOutItems(leftOut) };
}

async function emptied({ commands, orderId, by }: Checkout, leftOut: readonly LeftOut[]): Promise<Changed> {
  const service = { ...by('cancel'), actor: { type: 'system' } as const };
  const { events } = await commands.decide(service, order, orderId, cancelEmptied);
  return events.length === 0 ? { closed: true } : { nothingLeft: leftOutItems(leftOut) };
}
