/**
 * Messages about an order, composed of translated texts. The channel's limits: 1024 characters next to a button; for a form's option 30 in
 * the title, 300 in the description.
 */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import type { DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import type { CheckoutForm } from '../../domain/orders/offeredForms.js';
import type { PlacedOrder } from '../../domain/orders/order.js';
import type { LeftOutItem, OfferedArea, OrderLine, OrderTotals } from '../../domain/orders/orderEvents.js';
import type { WalletId } from '../../domain/payments/paymentEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { lengthOf } from '../../domain/templates/textVariables.js';
import { CASH, walletOptions } from '../payments/walletChoice.js';
import { money } from '../texts/localeFormats.js';
import { short, text } from '../texts/texts.js';
import { couponNotUsed, discountLines, type PricedInWords } from './discountTexts.js';

/** Name of the checkout form at the channel, and its first screen. */
const CHECKOUT_FORM = { flowName: 'checkout', screen: 'CHECKOUT' } as const;

const MOST_TEXT = 1024;
const MOST_LINES = 7;
const MOST_LEFT_OUT = 3;

export interface OrderInWords {
  readonly number: number;
  readonly lines: readonly OrderLine[];
  readonly totals: OrderTotals;
}

/** Choices in the form. */
export interface FormChoices extends Pick<DeliverySettings, 'deliveryEnabled' | 'pickupEnabled' | 'cashOnDelivery'> {
  /** Absent or empty if the store takes no payments. */
  readonly wallets?: readonly WalletId[] | undefined;
}

/** Returns the delivery fee of an area and the total with it: `Delivery: $2.50, free from $30.00. Total: $13.50`. */
function costsOf(locale: Locale, area: OfferedArea, { freeDeliveryAboveCents }: CheckoutForm): string {
  const total = money(locale, area.totalCents);
  if (area.feeCents === 0) return text(locale, 'orders.areaFree', { total });
  const fee = money(locale, area.feeCents);
  if (freeDeliveryAboveCents === undefined) return text(locale, 'orders.areaFee', { fee, total });
  return text(locale, 'orders.areaFeeFreeFrom', { fee, from: money(locale, freeDeliveryAboveCents), total });
}

/** Returns the payment methods. Empty if the store takes no payments. */
function waysToPay(locale: Locale, { wallets = [], cashOnDelivery }: FormChoices): { wallets?: object[] } {
  if (wallets.length === 0) return {};
  const cash = cashOnDelivery ? [{ id: CASH, title: text(locale, 'payments.cash') }] : [];
  return { wallets: [...walletOptions(wallets), ...cash] };
}

/** A checkout form, and the choices of the store. */
interface OfferedForm {
  readonly form: CheckoutForm;
  readonly choices: FormChoices;
}

/** Returns the checkout form with the contents that were recorded with the order. */
export function checkoutForm(
  locale: Locale,
  number: number,
  { form, choices }: OfferedForm,
  message: string,
): OutboundContent {
  const areas = form.areas.map((area) => ({ id: area.id, title: area.name, description: costsOf(locale, area, form) }));
  return {
    type: 'flow',
    text: message,
    ...CHECKOUT_FORM,
    cta: text(locale, 'orders.checkOutButton'),
    token: form.token,
    data: {
      orderNumber: number,
      currency: 'USD',
      totalText: money(locale, form.totals.totalCents),
      areas,
      pickup: choices.pickupEnabled,
      delivery: choices.deliveryEnabled,
      ...waysToPay(locale, choices),
    },
  };
}

/** Returns at most `most` items, and the number of the others. */
function some<T>(locale: Locale, items: readonly T[], most: number, line: (item: T) => string): string[] {
  const count = items.length - most;
  return [...items.slice(0, most).map(line), ...(count > 0 ? [text(locale, 'orders.moreLines', { count })] : [])];
}

/** Returns a line such as `2 × Linen shirt (M, blue): $30.00`. */
function lineText(locale: Locale, { quantity, name, size, color, unitPriceCents }: OrderLine): string {
  const line = { quantity, name: short(name, 34), price: money(locale, quantity * unitPriceCents) };
  const [first, second] = [size, color].filter((part) => part !== undefined).map((part) => short(part, 12));
  if (first === undefined) return text(locale, 'orders.line', line);
  const kind = second === undefined ? first : text(locale, 'lists.two', { first, second });
  return text(locale, 'orders.lineOfKind', { ...line, kind });
}

/** Reasons with a text of their own. An order may contain others. */
const WHY_LEFT_OUT = ['inactive', 'out_of_stock', 'no_quantity', 'too_many', 'too_many_items'] as const;

function whyLeftOut(locale: Locale, { why, stock }: LeftOutItem): string {
  if (why === 'over_stock' && stock !== undefined)
    return text(locale, 'orders.whyLeftOut.over_stock', { count: stock });
  return text(locale, `orders.whyLeftOut.${WHY_LEFT_OUT.find((known) => known === why) ?? 'unknown'}`);
}

/** Returns a line such as `Linen shirt: out of stock`. */
const leftOutLine = (locale: Locale, item: LeftOutItem): string =>
  text(locale, 'orders.leftOutItem', {
    item: short(item.name ?? item.retailerId, 30),
    reason: whyLeftOut(locale, item),
  });

const leftOutText = (locale: Locale, leftOut: readonly LeftOutItem[]): string[] =>
  some(locale, leftOut, MOST_LEFT_OUT, (item) => leftOutLine(locale, item));

/** Returns the items that are no longer part of the order, with reasons. */
export const leftOutLines = (locale: Locale, leftOut: readonly LeftOutItem[]): string[] =>
  leftOut.length === 0 ? [] : [text(locale, 'orders.leftOut'), ...leftOutText(locale, leftOut)];

/** Returns the ordered items, the items that were left out, and the form. Only text without a form: the store offers no choice. */
export function summary(
  locale: Locale,
  order: OrderInWords & PricedInWords,
  { form, choices }: { readonly form: CheckoutForm | undefined; readonly choices: FormChoices },
  { leftOut, opening = [] }: { readonly leftOut: readonly LeftOutItem[]; readonly opening?: readonly string[] },
): OutboundContent {
  const open = form !== undefined;
  const fees = open && form.areas.some(({ feeCents }) => feeCents > 0);
  const textWith = (lines: number): string =>
    [
      ...opening,
      text(locale, 'orders.heading', { number: order.number }),
      ...some(locale, order.lines, lines, (line) => lineText(locale, line)),
      ...discountLines(locale, order),
      text(locale, 'orders.total', { total: money(locale, order.totals.totalCents) }),
      ...(fees ? [text(locale, 'orders.feesApart')] : []),
      ...leftOutLines(locale, leftOut),
      text(locale, open ? 'orders.checkOutBelow' : 'orders.noCheckout'),
    ].join('\n');
  let most = MOST_LINES;
  while (most > 1 && lengthOf(textWith(most)) > MOST_TEXT) most -= 1;
  const message = textWith(most);
  return open ? checkoutForm(locale, order.number, { form, choices }, message) : { type: 'text', text: message };
}

/** No item in the cart can be ordered. */
export const nothingLeft = (locale: Locale, leftOut: readonly LeftOutItem[]): OutboundContent => ({
  type: 'text',
  text: [text(locale, 'orders.nothingLeft'), ...leftOutText(locale, leftOut)].join('\n'),
});

/** Sends the summary and the form again, since the order differs from the answered form. */
export function summaryAgain(
  locale: Locale,
  order: OrderInWords & PricedInWords & Pick<PlacedOrder, 'placedAt' | 'pricedAt' | 'leftOut'>,
  form: CheckoutForm | undefined,
  choices: FormChoices,
): OutboundContent {
  const why = order.pricedAt > order.placedAt ? 'orders.pricedAnew' : 'orders.changed';
  return summary(locale, order, { form, choices }, { leftOut: order.leftOut, opening: [text(locale, why)] });
}

/** No item of an order is available any more: it is cancelled. */
export const emptied = (locale: Locale, number: number, leftOut: readonly LeftOutItem[]): OutboundContent => ({
  type: 'text',
  text: [nothingLeft(locale, leftOut).text, text(locale, 'orders.status.cancelled', { number })].join('\n'),
});

/** Sends a form with the problems of the previous answers. */
export const formAgain = (
  locale: Locale,
  number: number,
  offered: OfferedForm,
  wrong: readonly string[],
): OutboundContent => checkoutForm(locale, number, offered, [...wrong, text(locale, 'orders.tryAgain')].join('\n'));

export interface CheckedOut extends PricedInWords {
  readonly number: number;
  /** Absent for pickup. */
  readonly deliveryArea?: string;
  readonly pickupAddress: string;
  readonly requestLocation: boolean;
  /** An entered coupon that was not used. */
  readonly unusedCouponCode?: string;
  /** Instructions for the payment. */
  readonly payment?: string;
}

/** Confirms the agreed order with the final total. Requests the location if the store wants it. */
export function confirmation(locale: Locale, order: CheckedOut): OutboundContent {
  const { number, totals, deliveryArea, pickupAddress, requestLocation, unusedCouponCode, payment } = order;
  const lines = [text(locale, 'orders.confirmed', { number }), ...discountLines(locale, order)];
  if (unusedCouponCode !== undefined) lines.push(couponNotUsed(locale, unusedCouponCode));
  const fee = money(locale, totals.deliveryFeeCents);
  if (deliveryArea !== undefined) lines.push(text(locale, 'orders.deliveryTo', { area: deliveryArea, fee }));
  else if (pickupAddress.trim() !== '') lines.push(text(locale, 'orders.pickupAt', { address: pickupAddress }));
  lines.push(text(locale, 'orders.total', { total: money(locale, totals.totalCents) }));
  if (payment !== undefined) lines.push(payment);
  if (!requestLocation) return { type: 'text', text: lines.join('\n') };
  return { type: 'location_request', text: [...lines, text(locale, 'orders.shareLocation')].join('\n') };
}
