/**
 * Forms that the customer of an order was sent. A form is an offer: the customer is never charged more than the answered form showed, nor
 * for other goods.
 */
import type { OfferedArea, OrderEvent, OrderLine, OrderTotals } from './orderEvents.js';

interface Form {
  /** Returned with the answers. Each form has its own. */
  readonly token: string;
  /** Message that contains the form. */
  readonly messageId: string;
  /** Lines of the order when the form was made. */
  readonly lines: readonly OrderLine[];
}

export interface CheckoutForm extends Form {
  readonly form: 'checkout';
  /** Totals of the goods, without delivery. */
  readonly totals: OrderTotals;
  readonly areas: readonly OfferedArea[];
  readonly freeDeliveryAboveCents: number | undefined;
  /** ms since 1970. Undefined: no expiry. */
  readonly pricesHoldUntil: number | undefined;
}

export interface PaymentForm extends Form {
  readonly form: 'payment';
  /** Payment attempt that the form starts. */
  readonly attempt: number;
  /** Total that the form showed. */
  readonly totalCents: number;
}

export type OfferedForm = CheckoutForm | PaymentForm;

/** The part of an order that concerns its forms. */
interface WithForms {
  readonly forms: readonly OfferedForm[];
}
/** The part of an order that concerns its goods. */
interface WithGoods {
  readonly lines: readonly OrderLine[];
  readonly totals: OrderTotals;
}

/** Maximum forms per order that can be answered. The answer to an older form triggers a new one. */
const MOST_FORMS = 20;

type FormEvent = Extract<OrderEvent, { type: 'OrderCheckoutOffered' | 'OrderPaymentOffered' }>;

/** Returns the forms after this event. */
export function formsAfter(
  forms: readonly OfferedForm[],
  lines: readonly OrderLine[],
  event: FormEvent,
): OfferedForm[] {
  return [...forms.slice(1 - MOST_FORMS), formOf(lines, event)];
}

function formOf(lines: readonly OrderLine[], event: FormEvent): OfferedForm {
  if (event.type === 'OrderPaymentOffered') return { form: 'payment', lines, ...event.data };
  const { token, messageId, totals, areas, freeDeliveryAboveCents, pricesHoldUntil: until } = event.data;
  const pricesHoldUntil = until === undefined ? undefined : Date.parse(until);
  return { form: 'checkout', lines, token, messageId, totals, areas, freeDeliveryAboveCents, pricesHoldUntil };
}

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(\d{1,2}))?(?:\/[0-9a-f-]{36})?$/;

/** Parses a form's token: its order and, for a payment form, the payment attempt. Undefined: not a token of an order's form. */
export function readFormToken(token: string): { readonly orderId: string; readonly attempt?: number } | undefined {
  const [, orderId, attempt] = TOKEN.exec(token) ?? [];
  if (orderId === undefined) return undefined;
  return attempt === undefined ? { orderId } : { orderId, attempt: Number(attempt) };
}

/** Returns the token of the checkout form in this message. The token of the first form is the order's id. */
export const checkoutToken = ({ forms }: WithForms, orderId: string, messageId: string): string =>
  forms.some(({ form }) => form === 'checkout') ? `${orderId}/${messageId}` : orderId;

/** Returns the token of the payment form in this message. The token of an attempt's first form is the attempt's reference. */
export const paymentToken = ({ forms }: WithForms, orderId: string, attempt: number, messageId: string): string => {
  const reference = `${orderId}.${attempt}`;
  return forms.some((one) => one.form === 'payment' && one.attempt === attempt)
    ? `${reference}/${messageId}`
    : reference;
};

const findForm = <K extends OfferedForm['form']>(
  { forms }: WithForms,
  form: K,
  matches: (one: OfferedForm) => boolean,
): Extract<OfferedForm, { form: K }> | undefined =>
  forms.find((one): one is Extract<OfferedForm, { form: K }> => one.form === form && matches(one));

/** Returns the checkout form with this token, or undefined if there is none or it was evicted. */
export const checkoutFormOf = (state: WithForms, token: string): CheckoutForm | undefined =>
  findForm(state, 'checkout', (one) => one.token === token);

/** Returns the payment form with this token, or undefined if there is none or it was evicted. */
export const paymentFormOf = (state: WithForms, token: string): PaymentForm | undefined =>
  findForm(state, 'payment', (one) => one.token === token);

/** Returns the checkout form in this message. */
export const checkoutFormIn = (state: WithForms, messageId: string): CheckoutForm | undefined =>
  findForm(state, 'checkout', (one) => one.messageId === messageId);

/** Returns the payment form in this message. */
export const paymentFormIn = (state: WithForms, messageId: string): PaymentForm | undefined =>
  findForm(state, 'payment', (one) => one.messageId === messageId);

/** Returns true if the form shows the current goods at their current prices. */
export function showsOrder(form: CheckoutForm, state: WithGoods): boolean {
  const { subtotalCents, discountCents } = form.totals;
  return (
    subtotalCents === state.totals.subtotalCents &&
    discountCents === state.totals.discountCents &&
    sameLines(form.lines, state.lines)
  );
}

/** Returns true if the form showed the same goods at no lower total than the current one. */
export const showsPayment = (form: PaymentForm, { lines, totals }: WithGoods): boolean =>
  totals.totalCents <= form.totalCents && sameLines(form.lines, lines);

/** Returns true if both lists look the same to a customer: same items, quantities and prices. */
export const sameLines = (some: readonly OrderLine[], others: readonly OrderLine[]): boolean =>
  some === others ||
  (some.length === others.length &&
    some.every((line, place) => {
      const other = others[place];
      return (
        other?.retailerId === line.retailerId &&
        other.quantity === line.quantity &&
        other.unitPriceCents === line.unitPriceCents
      );
    }));

/**
 * Returns the total that the form showed for this choice, in cents. Undefined: the area was added or renamed after the form was sent.
 * `area`: undefined for pickup.
 */
export function shownCents(form: CheckoutForm, area: Pick<OfferedArea, 'id' | 'name'> | undefined): number | undefined {
  if (area === undefined) return form.totals.totalCents;
  return form.areas.find(({ id, name }) => id === area.id && name === area.name)?.totalCents;
}
