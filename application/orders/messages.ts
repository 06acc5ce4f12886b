/** Messages about an order, put together from the texts. The channel takes 1024 characters beside a button. */
import type { OutboundContent } from '../../domain/channel/conversationEvents.js';
import type { DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import type { LeftOutItem, OrderLine, OrderTotals } from '../../domain/orders/orderEvents.js';
import type { WalletId } from '../../domain/payments/paymentEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { walletOptions } from '../payments/walletChoice.js';
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
export interface FormChoices extends Pick<DeliverySettings, 'deliveryEnabled' | 'pickupEnabled' | 'areas'> {
  /** Absent or empty where the store takes no payments. */
  readonly wallets?: readonly WalletId[] | undefined;
}

/** The form that the customer checks out with; its answers come back with the order's id as `flow_token`. */
export function checkoutForm(
  locale: Locale,
  { orderId, number, totals }: Omit<OrderInWords, 'lines'>,
  choices: FormChoices,
  text: string,
): OutboundContent {
  const { deliveryEnabled, pickupEnabled, areas, wallets = [] } = choices;
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
      areas: deliveryEnabled ? areas.filter(({ active }) => active).map(({ id, name }) => ({ id, title: name })) : [],
      pickup: pickupEnabled,
      delivery: deliveryEnabled,
      ...(wallets.length === 0 ? {} : { wallets: walletOptions(wallets) }),
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
): OutboundContent {
  const texts = textsIn(locale);
  const open = choices.deliveryEnabled || choices.pickupEnabled;
  const textWith = (lines: number): string =>
    [
      texts.order(order.number),
      ...some(locale, order.lines, lines, lineText),
      ...discountLines(locale, order),
      texts.total(money(order.totals.totalCents)),
      ...(leftOut.length > 0 ? [texts.leftOut, ...leftOutText(locale, leftOut)] : []),
      open ? texts.checkOutBelow : texts.storeWillCall,
    ].join('\n');
  let most = MOST_LINES;
  while (most > 1 && textWith(most).length > MOST_TEXT) most -= 1;
  const text = textWith(most);
  return open ? checkoutForm(locale, order, choices, text) : { type: 'text', text };
}

/** Nothing in the cart can be ordered. */
export const nothingLeft = (locale: Locale, leftOut: readonly LeftOutItem[]): OutboundContent => ({
  type: 'text',
  text: [textsIn(locale).nothingLeft, ...leftOutText(locale, leftOut)].join('\n'),
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
