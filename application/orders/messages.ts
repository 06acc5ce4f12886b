/**
 * Messages about an order, put together from the texts. The channel takes 1024 characters beside a button; of a form's
 * option 30 of the title, 300 of the description.
 */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import { offersHandover } from '../../domain/delivery/delivery.js';
import type { DeliveryArea, DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import type { LeftOutItem, OrderLine, OrderTotals } from '../../domain/orders/orderEvents.js';
import type { WalletId } from '../../domain/payments/paymentEvents.js';
import { deliveryFeeCents } from '../../domain/pricing/pricing.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { lengthOf } from '../../domain/templates/variables.js';
import { paymentTextsIn } from '../payments/paymentTexts.js';
import { CASH, walletOptions } from '../payments/walletChoice.js';
import { deliveryTo } from './answers.js';
import { couponNotUsed, discountLines, type PricedInWords } from './discountTexts.js';
import { money, short, textsIn, whyLeftOut } from './texts.js';

/** The name under which the checkout form is known to the channel, and its first screen. */
export const CHECKOUT_FORM = { flowName: 'checkout', screen: 'CHECKOUT' } as const;

const MOST_TEXT = 1024;
const MOST_LINES = 7;
const MOST_LEFT_OUT = 3;

export interface OrderInWords {
  readonly orderId: string;
  readonly number: number;
  readonly lines: readonly OrderLine[];
  readonly totals: OrderTotals;
}

/** What the form lets the customer choose. */
export interface FormChoices
  extends Pick<
    DeliverySettings,
    'deliveryEnabled' | 'pickupEnabled' | 'areas' | 'freeDeliveryAboveCents' | 'cashOnDelivery'
  > {
  /** Absent or empty where the store takes no payments. */
  readonly wallets?: readonly WalletId[] | undefined;
}

const activeAreas = ({ deliveryEnabled, areas }: FormChoices): readonly DeliveryArea[] =>
  deliveryEnabled ? areas.filter(({ active }) => active) : [];

/** What delivery to an area costs, and the order with it: `Delivery: $2.50, free from $30.00. Total: $13.50`. */
function costsOf(
  locale: Locale,
  area: DeliveryArea,
  { totals }: Pick<OrderInWords, 'totals'>,
  choices: FormChoices,
): string {
  const { fee, freeDelivery, freeFrom, total } = textsIn(locale);
  const { freeDeliveryAboveCents: from } = choices;
  const goodsCents = totals.subtotalCents - totals.discountCents;
  const whole = total(money(goodsCents + deliveryFeeCents(deliveryTo(area, choices), goodsCents)));
  if (area.feeCents === 0) return `${freeDelivery}. ${whole}`;
  return `${[fee(money(area.feeCents)), ...(from === undefined ? [] : [freeFrom(money(from))])].join(', ')}. ${whole}`;
}

/** What a customer can pay with; nothing where the store takes no payments. */
function waysToPay(locale: Locale, { wallets = [], cashOnDelivery }: FormChoices): { wallets?: object[] } {
  if (wallets.length === 0) return {};
  const cash = cashOnDelivery ? [{ id: CASH, title: paymentTextsIn(locale).cashTitle }] : [];
  return { wallets: [...walletOptions(wallets), ...cash] };
}

/** The form that the customer checks out with; its answers come back with the order's id as `flow_token`. */
export function checkoutForm(
  locale: Locale,
  { orderId, number, totals }: Omit<OrderInWords, 'lines'>,
  choices: FormChoices,
  text: string,
): OutboundContent {
  const areas = activeAreas(choices).map((area) => ({
    id: area.id,
    title: area.name,
    description: costsOf(locale, area, { totals }, choices),
  }));
  return {
    type: 'flow',
    text,
    ...CHECKOUT_FORM,
    cta: textsIn(locale).cta,
    token: orderId,
    data: {
      orderNumber: number,
      currency: 'USD',
      totalText: money(totals.totalCents),
      areas,
      pickup: choices.pickupEnabled,
      delivery: choices.deliveryEnabled,
      ...waysToPay(locale, choices),
    },
  };
}

/** At most `most` of them, and how many more there are. */
function some<T>(locale: Locale, items: readonly T[], most: number, text: (item: T) => string): string[] {
  const more = items.length - most;
  return [...items.slice(0, most).map(text), ...(more > 0 ? [textsIn(locale).moreLines(more)] : [])];
}

const lineText = ({ quantity, name, size, color, unitPriceCents }: OrderLine): string => {
  const kind = [size, color].filter((part) => part !== undefined).map((part) => short(part, 12));
  return `${quantity} × ${short(name, 34)}${kind.length > 0 ? ` (${kind.join(', ')})` : ''}: ${money(quantity * unitPriceCents)}`;
};

const leftOutText = (locale: Locale, leftOut: readonly LeftOutItem[]): string[] =>
  some(locale, leftOut, MOST_LEFT_OUT, (item) => whyLeftOut(locale, item));

/** What was ordered, what was not, and the form; only text in a store where there is nothing to choose. */
export function summary(
  locale: Locale,
  order: OrderInWords & PricedInWords,
  leftOut: readonly LeftOutItem[],
  choices: FormChoices,
  opening: readonly string[] = [],
): OutboundContent {
  const texts = textsIn(locale);
  const open = offersHandover(choices);
  const fees = activeAreas(choices).some(({ feeCents }) => feeCents > 0);
  const textWith = (lines: number): string =>
    [
      ...opening,
      texts.order(order.number),
      ...some(locale, order.lines, lines, lineText),
      ...discountLines(locale, order),
      texts.total(money(order.totals.totalCents)),
      ...(fees ? [texts.feesApart] : []),
      ...(leftOut.length > 0 ? [texts.leftOut, ...leftOutText(locale, leftOut)] : []),
      open ? texts.checkOutBelow : texts.noCheckout,
    ].join('\n');
  let most = MOST_LINES;
  while (most > 1 && lengthOf(textWith(most)) > MOST_TEXT) most -= 1;
  const text = textWith(most);
  return open ? checkoutForm(locale, order, choices, text) : { type: 'text', text };
}

/** Nothing in the cart can be ordered. */
export const nothingLeft = (locale: Locale, leftOut: readonly LeftOutItem[]): OutboundContent => ({
  type: 'text',
  text: [textsIn(locale).nothingLeft, ...leftOutText(locale, leftOut)].join('\n'),
});

/** The summary and the form again, since the order is not what it was when the customer got them first. */
export const pricedAnew = (
  locale: Locale,
  order: OrderInWords & PricedInWords,
  leftOut: readonly LeftOutItem[],
  choices: FormChoices,
): OutboundContent => summary(locale, order, leftOut, choices, [textsIn(locale).pricedAnew]);

/** Nothing of an order can be had any more: it is cancelled. */
export const emptied = (locale: Locale, number: number, leftOut: readonly LeftOutItem[]): OutboundContent => ({
  type: 'text',
  text: [nothingLeft(locale, leftOut).text, textsIn(locale).status.cancelled(number)].join('\n'),
});

/** The same form, with what was wrong. `totals`: what the order costs now. */
export const formAgain = (
  locale: Locale,
  order: Omit<OrderInWords, 'lines'>,
  choices: FormChoices,
  wrong: readonly string[],
): OutboundContent => checkoutForm(locale, order, choices, [...wrong, textsIn(locale).tryAgain].join('\n'));

export interface CheckedOut extends PricedInWords {
  readonly number: number;
  /** Absent for pickup. */
  readonly deliveryArea?: string;
  readonly pickupAddress: string;
  readonly requestLocation: boolean;
  /** A coupon that was entered and took no part. */
  readonly unusedCouponCode?: string;
  /** What the customer has to do for the payment. */
  readonly payment?: string;
}

/** What the customer has agreed to, with the final total; asks for the location where the store wants it. */
export function confirmation(locale: Locale, order: CheckedOut): OutboundContent {
  const texts = textsIn(locale);
  const { number, totals, deliveryArea, pickupAddress, requestLocation, unusedCouponCode, payment } = order;
  const lines = [texts.confirmed(number), ...discountLines(locale, order)];
  if (unusedCouponCode !== undefined) lines.push(couponNotUsed(locale, unusedCouponCode));
  if (deliveryArea !== undefined) lines.push(texts.deliveryTo(deliveryArea, money(totals.deliveryFeeCents)));
  else if (pickupAddress.trim() !== '') lines.push(texts.pickupAt(pickupAddress));
  lines.push(texts.total(money(totals.totalCents)));
  if (payment !== undefined) lines.push(payment);
  if (!requestLocation) return { type: 'text', text: lines.join('\n') };
  return { type: 'location_request', text: [...lines, texts.shareLocation].join('\n') };
}
