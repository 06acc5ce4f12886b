/** An order's history as text for a terminal. */
import type { HistoryEvent, OrderHistory } from './orderHistory.js';

interface Shown {
  readonly number: number;
  readonly status: string;
  readonly totalCents: number;
  readonly fulfilment?: string;
  readonly customerName?: string;
  readonly customerPhone: string;
  readonly items: readonly { name: string; quantity: number; unitPriceCents: number; size?: string; color?: string }[];
}

type Data = Readonly<Record<string, unknown>>;

const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
/** Removes control characters, so that external text cannot control the terminal. */
const plain = (text: unknown): string => String(text).replace(/[\p{Cc}\p{Cf}]/gu, ' ');
const quoted = (text: unknown): string => (text === undefined ? '' : `: “${plain(text)}”`);

const SENTENCES: Readonly<Record<string, (data: Data) => string>> = {
  OrderPlaced: ({ number, lines, totals, note, customerNote }) =>
    `placed as no. ${number}, ${(lines as unknown[]).length} lines, ${money((totals as Totals).totalCents)}${quoted(note)}${
      customerNote === undefined ? '' : `; the customer wrote${quoted(customerNote)}`
    }`,
  OrderCheckoutOffered: ({ totals, areas }) =>
    `checkout form shown: ${money((totals as Totals).totalCents)}, ${(areas as unknown[]).length} delivery areas`,
  OrderPaymentOffered: ({ attempt, totalCents }) => `payment form ${attempt} shown: ${money(totalCents as number)}`,
  OrderSummarySent: () => 'summary sent to the customer',
  OrderCheckedOut: ({ fulfilment, deliveryArea, totals, customerName, payment }) =>
    `checked out by ${plain(customerName ?? 'the customer')}: ${fulfilment}${
      deliveryArea === undefined ? '' : ` to ${plain(deliveryArea)}`
    }, ${money((totals as Totals).totalCents)}${payment === 'cash' ? ' in cash' : ''}`,
  OrderPromotionsClaimed: ({ promotionIds }) => `uses of ${(promotionIds as unknown[]).length} promotions claimed`,
  OrderRepriced: ({ totals, note }) => `repriced: ${money((totals as Totals).totalCents)}${quoted(note)}`,
  OrderPaymentRequested: ({ attempt, wallet, amountCents, awaitsConfirmation }) =>
    `payment ${attempt} requested: ${money(amountCents as number)} by ${wallet}${
      awaitsConfirmation === true ? ', once the customer confirms the number' : ''
    }`,
  OrderPaymentAnnounced: ({ attempt }) => `customer informed about payment ${attempt}`,
  OrderPaymentConfirmed: ({ attempt }) => `customer confirmed the number of payment ${attempt}`,
  OrderPaymentBegun: ({ attempt }) => `payment ${attempt} sent to the provider`,
  OrderPaid: ({ attempt, amountCents }) => `payment ${attempt} arrived: ${money(amountCents as number)}`,
  OrderPaymentFailed: ({ attempt, reason, code }) => `payment ${attempt} failed: ${reason}${quoted(code)}`,
  OrderPaymentSurplus: ({ attempt, amountCents }) =>
    `payment ${attempt} arrived but is not needed: ${money(amountCents as number)}`,
  OrderRefunded: ({ attempt, amountCents }) => `payment ${attempt} refunded: ${money(amountCents as number)}`,
  OrderLocationShared: ({ latitude, longitude }) => `location shared: ${latitude}, ${longitude}`,
  OrderStatusChanged: ({ from, to, note }) => `${from} → ${to}${quoted(note)}`,
  CustomerNotified: ({ status }) => `customer notified: ${status}`,
  CustomerNotNotified: ({ status, reason }) => `customer not notified: ${status}${quoted(reason)}`,
};
interface Totals {
  readonly totalCents: number;
}

/** Returns the actor's name, if it was looked up. */
function actor({ actor: { type, id, name } }: HistoryEvent): string {
  if (name !== undefined) return plain(name);
  return id === undefined ? type : `${type} ${id.slice(0, 8)}`;
}

const line = (event: HistoryEvent): string => {
  const what = SENTENCES[event.type]?.(event.data as Data) ?? event.type;
  return `  ${String(event.revision).padStart(3)}  ${event.at}  ${actor(event).padEnd(20)}  ${what}`;
};

function heading({ order }: OrderHistory<Shown>): string[] {
  if (order === undefined) return ['It did not exist yet.'];
  const { number, status, totalCents, fulfilment, customerName, customerPhone, items } = order;
  const who = [customerName, customerPhone].filter((part) => part !== undefined && part !== '').map(plain);
  return [
    `no. ${number} · ${status} · ${money(totalCents)}${fulfilment === undefined ? '' : ` · ${fulfilment}`} · ${who.join(' ')}`,
    ...items.map(({ name, quantity, unitPriceCents, size, color }) => {
      const kind = [size, color].filter((part) => part !== undefined).map(plain);
      return `  ${quantity} × ${plain(name)}${kind.length > 0 ? ` (${kind.join(', ')})` : ''} at ${money(unitPriceCents)}`;
    }),
  ];
}

/** Renders the order, then its events: revision, time, actor, description. */
export const renderOrderHistory = (history: OrderHistory<Shown>): string =>
  [`Order ${history.orderId}`, ...heading(history), '', ...history.events.map(line)].join('\n');
