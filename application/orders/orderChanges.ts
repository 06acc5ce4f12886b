/**
 * Changes of an order between the customer's form and their answer: prices that no longer hold, and goods that the store no
 * longer sells. The customer agrees to the order as it is now before anything is charged.
 */
import { priceAnew, pricesHoldUntil } from '../../domain/orders/abandoned.js';
import { type CheckoutForm, showsOrder } from '../../domain/orders/forms.js';
import { cancelEmptied, leaveOutGone } from '../../domain/orders/goneGoods.js';
import { type EventData, order, type PlacedOrder, pricedAs } from '../../domain/orders/order.js';
import type { LeftOutItem, OrderLine } from '../../domain/orders/orderEvents.js';
import { withKept } from '../../domain/pricing/kept.js';
import { type LeftOut, leftOutItems, noteOf } from '../../domain/pricing/leftOut.js';
import { type Handover, priceOrder, stillSold } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import type { ItemsOf } from '../catalog/sellableItems.js';
import type { OrderDependencies } from './dependencies.js';
import { pricedNow } from './priceCart.js';
import type { Checkout } from './reserveUses.js';

export interface Answered {
  readonly workspaceId: string;
  /** When the answer came, ms since 1970. */
  readonly receivedAt: number;
  /** The form that was answered; undefined: not a form of this order, or one that many others followed. */
  readonly form: CheckoutForm | undefined;
  /** The store's setting, in days; undefined: the default. */
  readonly validDays: number | undefined;
}

export type Checked =
  /** The form that was answered shows the order as it is; `checkout` goes on. */
  { readonly checkout: Checkout; readonly form: CheckoutForm } | Changed;

/** The order is not what the customer was shown. */
export type Changed =
  /** The customer is to agree first to the order as it is now. */
  | { readonly changed: PlacedOrder }
  /** Nothing of it can be had any more: it is cancelled. */
  | { readonly nothingLeft: readonly LeftOutItem[] }
  /** It was closed in this very moment. */
  | { readonly closed: true };

/**
 * Compares the order with the form that was answered. Prices that no longer hold give way to the catalog's; goods that the
 * store no longer sells are left out, however long the prices hold. Performed again after a crash, it finds that the form
 * does not show the order, and asks as the first time.
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
      priceAnew({ ...priced, ...namedOf(leftOut) }),
    );
    return events.length === 0 ? { closed: true } : { changed: repriced };
  }
  const left = await leaveOutGoods(dependencies, checkout, workspaceId);
  if (left !== undefined) return left;
  return shown ? { checkout, form } : { changed: state };
}

/** Whether the store sells all of these lines at this moment, in these quantities. */
export const sellsAll =
  (itemsOf: ItemsOf) =>
  async (workspaceId: string, lines: readonly OrderLine[]): Promise<boolean> =>
    (await soldNow(itemsOf, workspaceId, lines)).leftOut.length === 0;

const soldNow = async (itemsOf: ItemsOf, workspaceId: string, lines: readonly OrderLine[]) =>
  stillSold(lines, await itemsOf(workspaceId, [...new Set(lines.map(({ retailerId }) => retailerId))]));

/**
 * Leaves out of the order what the store no longer sells; the rest keeps its prices, and a delivery fee that was agreed to
 * stays. Undefined: all of it is still sold.
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
  // After the checkout the promotions are those that it agreed to; none is added.
  const offered = state.checkedOut ? [] : await promotions.promotionsFor({ workspaceId, customerPhone, orderId, now });
  const priced = priceOrder(sold, agreedHandover(state), { promotions: kept(offered, state), now });
  const change = { ...priced, lines: priced.lines ?? sold, ...namedOf(leftOut) };
  const { events } = await commands.decide(by('leave out'), order, orderId, leaveOutGone(lines, change));
  if (events.length === 0) return { closed: true };
  return { changed: { ...state, ...pricedAs(state, change), leftOut: leftOutItems(leftOut) } };
}

const kept = (offered: readonly PricingPromotion[], { promotions, lines }: PlacedOrder) =>
  withKept(offered, promotions, lines);

/** The fee that the customer agreed to, whatever the rest comes to; before the checkout the form names the fees. */
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
