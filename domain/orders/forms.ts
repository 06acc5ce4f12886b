/**
 * The forms that the customer of an order was sent. A form is an offer: nobody is charged more than the form that they
 * answered showed, nor for other goods.
 */
import type { OfferedArea, OrderEvent, OrderLine, OrderTotals } from './orderEvents.js';

interface Form {
  /** Comes back with the answers; each form has its own. */
  readonly token: string;
  /** The message that carried the form. */
  readonly messageId: string;
  /** The order's lines when the form was made. */
  readonly lines: readonly OrderLine[];
}

export interface CheckoutForm extends Form {
  readonly form: 'checkout';
  /** Of the goods, without delivery. */
  readonly totals: OrderTotals;
  readonly areas: readonly OfferedArea[];
  readonly freeDeliveryAboveCents: number | undefined;
  /** ms since 1970; undefined: for ever. */
  readonly pricesHoldUntil: number | undefined;
}

export interface PaymentForm extends Form {
  readonly form: 'payment';
  /** The try that the form begins. */
  readonly attempt: number;
  /** All that the customer was to pay. */
  readonly totalCents: number;
}

export type OfferedForm = CheckoutForm | PaymentForm;

/** An order as far as its forms are concerned. */
interface WithForms {
  readonly forms: readonly OfferedForm[];
}
/** An order as far as its goods are concerned. */
interface WithGoods {
  readonly lines: readonly OrderLine[];
  readonly totals: OrderTotals;
}

/** Forms per order that can still be answered; the answer to an older one brings a new form. */
const MOST_FORMS = 20;

type FormEvent = Extract<OrderEvent, { type: 'OrderCheckoutOffered' | 'OrderPaymentOffered' }>;

/** The forms after this event. */
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

/** What a form's token says: its order and, for a payment form, the try that it begins. Undefined: another form's token. */
export function readFormToken(token: string): { readonly orderId: string; readonly attempt?: number } | undefined {
  const [, orderId, attempt] = TOKEN.exec(token) ?? [];
  if (orderId === undefined) return undefined;
  return attempt === undefined ? { orderId } : { orderId, attempt: Number(attempt) };
}

/** Of the checkout form that this message carries; the order's first has the order's id. */
export const checkoutToken = ({ forms }: WithForms, orderId: string, messageId: string): string =>
  forms.some(({ form }) => form === 'checkout') ? `${orderId}/${messageId}` : orderId;

/** Of the payment form that this message carries; the first for a try has the try's reference. */
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

/** The checkout form with this token; undefined: there is none, or too many came after it. */
export const checkoutFormOf = (state: WithForms, token: string): CheckoutForm | undefined =>
  findForm(state, 'checkout', (one) => one.token === token);

/** The payment form with this token; undefined: there is none, or too many came after it. */
export const paymentFormOf = (state: WithForms, token: string): PaymentForm | undefined =>
  findForm(state, 'payment', (one) => one.token === token);

/** The checkout form that this message carries. */
export const checkoutFormIn = (state: WithForms, messageId: string): CheckoutForm | undefined =>
  findForm(state, 'checkout', (one) => one.messageId === messageId);

/** The payment form that this message carries. */
export const paymentFormIn = (state: WithForms, messageId: string): PaymentForm | undefined =>
  findForm(state, 'payment', (one) => one.messageId === messageId);

/** Whether the form shows the goods that the order has now, at the prices that they have now. */
export function showsOrder(form: CheckoutForm, state: WithGoods): boolean {
  const { subtotalCents, discountCents } = form.totals;
  return (
    subtotalCents === state.totals.subtotalCents &&
    discountCents === state.totals.discountCents &&
    sameLines(form.lines, state.lines)
  );
}

/** Whether the customer was shown what they are asked for now: the same goods, at no higher total. */
export const showsPayment = (form: PaymentForm, { lines, totals }: WithGoods): boolean =>
  totals.totalCents <= form.totalCents && sameLines(form.lines, lines);

/** Whether a customer would read the same: the same items, as many, at the same prices. */
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
 * The total that the form showed for this choice, in cents. Undefined: it did not show it, since the area was added or
 * renamed after the form was sent. `area`: undefined for pickup.
 */
export function shownCents(form: CheckoutForm, area: Pick<OfferedArea, 'id' | 'name'> | undefined): number | undefined {
  if (area === undefined) return form.totals.totalCents;
  return form.areas.find(({ id, name }) => id === area.id && name === area.name)?.totalCents;
}
