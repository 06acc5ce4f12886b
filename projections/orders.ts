import { defined } from '../domain/defined.js';
import type { OrderEvent, OrderLine, OrderTotals, PaymentFailureReason } from '../domain/orders/orderEvents.js';
import { FIRST_STATUS, nextStatuses } from '../domain/orders/orderStatus.js';
import type { Scalar } from '../engine/ports/documents.js';
import type { RecordedEvent } from '../engine/ports/eventStore.js';
import {
  defineProjection,
  foldEvent,
  type Projection,
  type Seen,
  type View,
} from '../engine/projections/projection.js';
import { extended } from './extendedBody.js';
import type { OrderRowBody, StoreOrderBody, StoreOrderEventBody, StoreOrderEventKind } from './orderBodies.js';
import { without } from './withoutMembers.js';

export type { OrderRowBody, StoreOrderBody } from './orderBodies.js';

type Of<T extends OrderEvent['type']> = Seen<Extract<OrderEvent, { type: T }>>;

// Changes of the order itself, the same for a single order and for a row of a list ---------------------------------

const nextOf = (status: OrderRowBody['status'], { checkedOutAt, fulfilment }: OrderRowBody) =>
  nextStatuses(status, { checkedOut: checkedOutAt !== undefined, fulfilment });

const unitsOf = (lines: readonly OrderLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

function placed({ data, meta, streamId }: Of<'OrderPlaced'>): OrderRowBody {
  const { number, lines, totals, currency, customerPhone } = data;
  const { customerName, conversationId, teamId, note, customerNote, discountReason } = data;
  return {
    id: streamId,
    number,
    status: FIRST_STATUS,
    nextStatuses: nextStatuses(FIRST_STATUS, { checkedOut: false }),
    currency,
    subtotalCents: totals.subtotalCents,
    discountCents: totals.discountCents,
    deliveryFeeCents: totals.deliveryFeeCents,
    totalCents: totals.totalCents,
    itemCount: unitsOf(lines),
    customerPhone,
    ...defined({ customerName, discountReason, note, customerNote, conversationId, teamId }),
    createdAt: meta.at,
    updatedAt: meta.at,
  };
}

/** The order's amounts, and what made up its discount. */
function priced<B extends OrderRowBody>(
  before: B,
  { totals, discountReason }: { totals: OrderTotals; discountReason?: string },
): B {
  const order = before.discountReason === undefined ? before : without(before, 'discountReason');
  const now = { ...order, ...totals } as B;
  return discountReason === undefined ? now : { ...now, discountReason };
}

function checkedOut<B extends OrderRowBody>(before: B, { data, meta }: Of<'OrderCheckedOut'>): B {
  const { fulfilment, deliveryArea, customerName, contactPhone, address, couponCode } = data;
  const checkedOutAt = meta.at;
  const order = extended(
    priced(before, data),
    defined({
      fulfilment,
      deliveryArea,
      customerName,
      contactPhone,
      address,
      couponCode,
      checkedOutAt,
      updatedAt: checkedOutAt,
    }),
  ) as OrderRowBody as B;
  return { ...order, nextStatuses: nextOf(order.status, order) };
}

/** Folds new prices, lines included. Lines that were left out are appended to the note. */
function repriced<B extends OrderRowBody>(before: B, { data, meta }: Of<'OrderRepriced'>): B {
  const { lines, note } = data;
  return {
    ...priced(before, data),
    ...(lines === undefined ? {} : { itemCount: unitsOf(lines) }),
    ...(note === undefined ? {} : { note: before.note === undefined ? note : `${before.note} ${note}` }),
    updatedAt: meta.at,
  };
}

const located = <B extends OrderRowBody>(body: B, { data, meta }: Of<'OrderLocationShared'>): B => ({
  ...body,
  location: { latitude: data.latitude, longitude: data.longitude },
  updatedAt: meta.at,
});

const moved = <B extends OrderRowBody>(body: B, { data: { to, note }, meta }: Of<'OrderStatusChanged'>): B => ({
  ...body,
  status: to,
  ...(to === 'cancelled' && note !== undefined ? { cancelReason: note } : {}),
  updatedAt: meta.at,
  nextStatuses: nextOf(to, body),
});

// Rows -------------------------------------------------------------------------------------------------------------

type RowView = View<OrderRowBody>;

const rowKeys = (body: OrderRowBody, { meta, data }: Of<'OrderPlaced'>): Record<string, Scalar> => ({
  workspaceId: meta.workspaceId ?? null,
  teamId: data.teamId ?? null,
  createdAt: Date.parse(body.createdAt),
  status: body.status,
  fulfilment: body.fulfilment ?? null,
  phone: body.customerPhone,
  number: body.number,
});

const row = (view: RowView | undefined, change: (body: OrderRowBody) => OrderRowBody): RowView | undefined => {
  if (view === undefined) return undefined;
  const body = change(view.body);
  return { keys: { ...view.keys, status: body.status, fulfilment: body.fulfilment ?? null }, body };
};

/**
 * Orders for lists, newest first; within a millisecond, the higher number first. Every combination of filters uses one of these
 * indexes: a query without a filter names all its values (8 statuses, 3 fulfilments), and the engine merges those
 * ranges in order. So a page costs the same in a store of a million orders, however rare its matches. The orders of one customer,
 * the most frequent list, are one range. For members who see only some teams, each index exists a second time with
 * the team before the sort key. The team is null for an order without one, and the fulfilment for an order that is not
 * checked out. (api/operations/orders/listOrders.ts makes the queries.)
 */
export const orderRows: Projection<OrderRowBody, OrderEvent> = defineProjection<OrderRowBody, OrderEvent>({
  name: 'orderRows',
  version: 4,
  partitionedBy: 'store',
  categories: ['order'],
  keys: {
    workspaceId: 'text',
    teamId: 'text',
    createdAt: 'number',
    status: 'text',
    fulfilment: 'text',
    phone: 'text',
    number: 'number',
  },
  indexes: [
    { keys: ['workspaceId', '-createdAt', '-number'] },
    { keys: ['workspaceId', 'status', 'fulfilment', '-createdAt', '-number'] },
    { keys: ['workspaceId', 'phone', '-createdAt', '-number'] },
    { keys: ['workspaceId', 'phone', 'status', 'fulfilment', '-createdAt', '-number'] },
    { keys: ['workspaceId', 'teamId', '-createdAt', '-number'] },
    { keys: ['workspaceId', 'teamId', 'status', 'fulfilment', '-createdAt', '-number'] },
    { keys: ['workspaceId', 'phone', 'teamId', '-createdAt', '-number'] },
    { keys: ['workspaceId', 'phone', 'teamId', 'status', 'fulfilment', '-createdAt', '-number'] },
    // The number first: the planner of the embedded engine would take it for lists of what has neither team nor fulfilment.
    { keys: ['number', 'workspaceId'] },
  ],
  on: {
    OrderPlaced(_, event) {
      const body = placed(event);
      return { keys: rowKeys(body, event), body };
    },
    OrderRepriced: (view, event) => row(view, (body) => repriced(body, event)),
    OrderCheckedOut: (view, event) => row(view, (body) => checkedOut(body, event)),
    OrderLocationShared: (view, event) => row(view, (body) => located(body, event)),
    OrderStatusChanged: (view, event) => row(view, (body) => moved(body, event)),
  },
});

// Single orders ----------------------------------------------------------------------------------------------------

type OrderView = View<StoreOrderBody>;

function entry(
  { meta }: Seen<OrderEvent>,
  kind: StoreOrderEventKind,
  more: Pick<StoreOrderEventBody, 'fromStatus' | 'toStatus' | 'note'> = {},
): StoreOrderEventBody {
  const { type: actorType, id: actorId } = meta.actor;
  return { at: meta.at, kind, actorType, ...defined({ actorId }), ...more };
}

/** Returns the fields of a line that the specification has. */
const item = ({ name, productExternalId, retailerId, quantity, unitPriceCents, size, color }: OrderLine) => ({
  productExternalId,
  retailerId,
  name,
  ...defined({ size, color }),
  quantity,
  unitPriceCents,
});

/** At the prices that the order was given since, if it was. */
const itemsAt = (body: StoreOrderBody, { data: { lines } }: Of<'OrderRepriced' | 'OrderCheckedOut'>): StoreOrderBody =>
  lines === undefined ? body : { ...body, items: lines.map(item) };

/** For the store's history. */
const WHY_NOT_PAID: Readonly<Record<PaymentFailureReason, string>> = {
  cancelled: 'The customer cancelled the payment.',
  no_answer: 'The customer did not confirm the payment in time.',
  insufficient_funds: "There is too little money in the customer's wallet.",
  wrong_pin: 'The customer entered a wrong PIN.',
  wrong_number: 'The number has no such wallet.',
  store_account: "The payment provider did not accept the store's key: check it and save it again.",
  refused: 'The payment provider refused the payment.',
  unavailable: 'The payment provider could not be reached.',
  closed: 'The order was cancelled before the customer was asked.',
  store_closed: 'The store took no orders any more when the customer was to be asked.',
  withdrawn: 'The store went on with the order before the customer was asked.',
  not_confirmed: 'The customer did not confirm the number to pay with.',
  too_many: 'Too many payment prompts had been sent in a short time.',
  goods_gone: 'The store no longer sold all of the goods when the customer was to be asked.',
};

/** How the store learns that a wallet was not chosen. */
const IN_CASH = 'The customer pays in cash.';

const noted = (note: string | undefined): { note?: string } => defined({ note });

const changed = (
  view: OrderView | undefined,
  event: StoreOrderEventBody,
  change: (body: StoreOrderBody) => StoreOrderBody = (body) => body,
): OrderView | undefined => {
  if (view === undefined) return undefined;
  const body = change(view.body);
  return { keys: view.keys, body: { ...body, events: [...body.events, event] } };
};

/** One document an order, with its items and its history: `getOrder`, and the order as it was (application/history). */
export const orders: Projection<StoreOrderBody, OrderEvent> = defineProjection<StoreOrderBody, OrderEvent>({
  name: 'orders',
  version: 4,
  partitionedBy: 'store',
  categories: ['order'],
  keys: { workspaceId: 'text', teamId: 'text' },
  indexes: [],
  on: {
    OrderPlaced: (_, event) => ({
      keys: { workspaceId: event.meta.workspaceId ?? null, teamId: event.data.teamId ?? null },
      body: extended(placed(event), {
        items: event.data.lines.map(item),
        events: [entry(event, 'created', { toStatus: FIRST_STATUS, ...noted(event.data.note) })],
      }),
    }),
    // No entry: the specification's history has no kind for it.
    OrderRepriced: (view, event) => view && { keys: view.keys, body: itemsAt(repriced(view.body, event), event) },
    OrderSummarySent: (view, event) => changed(view, entry(event, 'summary_sent')),
    OrderCheckedOut(view, event) {
      const reported = entry(event, 'checkout', event.data.payment === 'cash' ? { note: IN_CASH } : {});
      return changed(view, reported, (body) => itemsAt(checkedOut(body, event), event));
    },
    OrderLocationShared: (view, event) => changed(view, entry(event, 'location'), (body) => located(body, event)),
    OrderStatusChanged(view, event) {
      const { from, to, note } = event.data;
      const reported = entry(event, 'status_changed', { fromStatus: from, toStatus: to, ...noted(note) });
      return changed(view, reported, (body) => moved(body, event));
    },
    // For the store only: the customer gets a text of their own. Other steps of a payment change the status.
    OrderPaymentFailed: (view, event) =>
      changed(view, entry(event, 'payment_failed', { note: WHY_NOT_PAID[event.data.reason] })),
    CustomerNotified: (view, event) =>
      changed(view, entry(event, 'customer_notified', { toStatus: event.data.status })),
    CustomerNotNotified: (view, event) =>
      changed(view, entry(event, 'customer_not_notified', { toStatus: event.data.status, note: event.data.reason })),
  },
});

/** An order after one more of its events; undefined before the first. For views of the past. */
export function foldOrder(before: StoreOrderBody | undefined, event: RecordedEvent): StoreOrderBody | undefined {
  const id = event.stream.slice(event.stream.indexOf('-') + 1);
  const views = new Map<string, View<StoreOrderBody> | undefined>();
  views.set(id, before && { keys: {}, body: before });
  foldEvent(orders, views, event);
  return views.get(id)?.body;
}
