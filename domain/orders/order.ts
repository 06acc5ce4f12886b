/** A customer's order: placed from a cart, checked out in the chat, and processed by the store until it is delivered. */

import { type Aggregate, type Decision, type DomainEvent, never, refuse, type WithMeta } from '../decider.js';
import { defined } from '../defined.js';
import { formsAfter, type OfferedForm } from './offeredForms.js';
import type {
  AppliedPromotion,
  CancelCause,
  DiscountParts,
  Fulfilment,
  GeoPoint,
  LeftOutItem,
  OrderEvent,
  OrderLine,
  OrderStatus,
  OrderTotals,
} from './orderEvents.js';
import { FIRST_STATUS, isBeforeItsWay, isCalledOff, type Mover, mayMove, nextStatuses } from './orderStatus.js';
import { NO_PAYMENTS, type Payments, paymentsAfter } from './paymentState.js';

// Events: OrderEvent in orderEvents.ts ---------------------------------------------------------------------------
export type EventData<T extends OrderEvent['type']> = Extract<OrderEvent, { type: T }>['data'];

// State: only what decisions need --------------------------------------------------------------------------------
export interface PlacedOrder {
  readonly status: OrderStatus;
  readonly workspaceId: string | undefined;
  readonly number: number;
  readonly conversationId: string | undefined;
  /** ms since 1970. */
  readonly placedAt: number;
  /** Time of the last pricing from the catalog, ms since 1970. */
  readonly pricedAt: number;
  /** Items removed by the last change of the lines. */
  readonly leftOut: readonly LeftOutItem[];
  /** Forms that the customer was sent, oldest first. */
  readonly forms: readonly OfferedForm[];
  readonly lines: readonly OrderLine[];
  readonly totals: OrderTotals;
  /** Promotions in its discount at the last pricing, on the terms of that time. */
  readonly promotions: readonly AppliedPromotion[];
  /** Flash sales in its prices, and promotions that were not applied. */
  readonly competition: Pick<DiscountParts, 'flashSales' | 'passedOver'>;
  /** Promotions of which a use may be reserved for the order. */
  readonly claimed: ReadonlySet<string>;
  readonly customerPhone: string;
  readonly customerName: string | undefined;
  readonly checkedOut: boolean;
  /** ms since 1970. */
  readonly checkedOutAt: number | undefined;
  /** The customer's message that checked the order out. */
  readonly checkedOutBy: string | undefined;
  readonly fulfilment: Fulfilment | undefined;
  readonly paid: boolean;
  readonly payments: Payments;
  readonly asksLocation: boolean;
  /** Latest pin, which is the valid one. */
  readonly location: (GeoPoint & { readonly receivedAt: number }) | undefined;
  /** Messages whose outcome is in the history: `{messageId}` notified, `!{messageId}` not notified. */
  readonly told: ReadonlySet<string>;
}
export type Order = { readonly status: 'absent' } | PlacedOrder;

export const isPlaced = (order: Order): order is PlacedOrder => order.status !== 'absent';

const moved = (order: PlacedOrder, to: OrderStatus): PlacedOrder => ({
  ...order,
  status: to,
  paid: order.paid || to === 'paid',
});
const withNotified = (order: PlacedOrder, mark: string): PlacedOrder => ({
  ...order,
  told: new Set(order.told).add(mark),
});
const notNotified = (messageId: string): string => `!${messageId}`;

const NONE: readonly AppliedPromotion[] = [];
const NO_CLAIMS: ReadonlySet<string> = new Set();
const NOTHING_LEFT_OUT: readonly LeftOutItem[] = [];
const NO_FORMS: readonly OfferedForm[] = [];

const competitionOf = ({ flashSales, passedOver }: DiscountParts): PlacedOrder['competition'] =>
  defined({ flashSales, passedOver });

type Priced = Pick<PlacedOrder, 'lines' | 'totals' | 'promotions' | 'competition'>;

/** Returns the price fields after a pricing. Lines that are not in `data` keep their prices. */
export const pricedAs = (
  { lines }: Pick<PlacedOrder, 'lines'>,
  data: DiscountParts & { readonly totals: OrderTotals; readonly lines?: readonly OrderLine[] },
): Priced => ({
  lines: data.lines ?? lines,
  totals: data.totals,
  promotions: data.promotions ?? NONE,
  competition: competitionOf(data),
});

const placed = ({ data, meta }: WithMeta<Extract<OrderEvent, { type: 'OrderPlaced' }>>): PlacedOrder => ({
  status: FIRST_STATUS,
  workspaceId: meta.workspaceId,
  number: data.number,
  conversationId: data.conversationId,
  placedAt: Date.parse(meta.at),
  pricedAt: Date.parse(meta.at),
  leftOut: NOTHING_LEFT_OUT,
  forms: NO_FORMS,
  lines: data.lines,
  totals: data.totals,
  promotions: data.promotions ?? NONE,
  competition: competitionOf(data),
  claimed: NO_CLAIMS,
  customerPhone: data.customerPhone,
  customerName: data.customerName,
  checkedOut: false,
  checkedOutAt: undefined,
  checkedOutBy: undefined,
  fulfilment: undefined,
  paid: false,
  payments: NO_PAYMENTS,
  asksLocation: false,
  location: undefined,
  told: new Set(),
});

function repricedBy(order: PlacedOrder, { data, meta }: WithMeta<Extract<OrderEvent, { type: 'OrderRepriced' }>>) {
  const pricedAt = data.fromCatalog ? Date.parse(meta.at) : order.pricedAt;
  return { ...order, ...pricedAs(order, data), pricedAt, leftOut: data.leftOut ?? NOTHING_LEFT_OUT };
}

const pinOf = ({ data, meta }: WithMeta<Extract<OrderEvent, { type: 'OrderLocationShared' }>>) => ({
  latitude: data.latitude,
  longitude: data.longitude,
  receivedAt: Date.parse(data.receivedAt ?? meta.at),
});

function evolve(order: Order, event: WithMeta<OrderEvent>): Order {
  if (event.type === 'OrderPlaced') return placed(event);
  if (!isPlaced(order)) return order;
  switch (event.type) {
    case 'OrderCheckedOut': {
      const { fulfilment, requestLocation, messageId } = event.data;
      const checkedOutBy = messageId;
      return {
        ...order,
        ...pricedAs(order, event.data),
        checkedOut: true,
        checkedOutAt: Date.parse(event.meta.at),
        checkedOutBy,
        fulfilment,
        asksLocation: requestLocation,
      };
    }
    case 'OrderPromotionsClaimed':
      return { ...order, claimed: new Set([...order.claimed, ...event.data.promotionIds]) };
    case 'OrderRepriced':
      return repricedBy(order, event);
    case 'OrderCheckoutOffered':
    case 'OrderPaymentOffered':
      return { ...order, forms: formsAfter(order.forms, order.lines, event) };
    case 'OrderLocationShared':
      return { ...order, location: pinOf(event) };
    case 'OrderStatusChanged':
      return moved(order, event.data.to);
    case 'OrderPaymentRequested':
    case 'OrderPaymentAnnounced':
    case 'OrderPaymentConfirmed':
    case 'OrderPaymentBegun':
    case 'OrderPaid':
    case 'OrderPaymentFailed':
    case 'OrderPaymentSurplus':
    case 'OrderRefunded':
      return { ...order, payments: paymentsAfter(order.payments, event) };
    case 'OrderSummarySent':
    case 'CustomerNotified':
      return withNotified(order, event.data.messageId);
    case 'CustomerNotNotified':
      return event.data.messageId === undefined ? order : withNotified(order, notNotified(event.data.messageId));
    default:
      return never(event);
  }
}

/** Stream `order-{orderId}`. */
export const order: Aggregate<Order, OrderEvent> = {
  name: 'order',
  initial: () => ({ status: 'absent' }),
  evolve,
  weigh: (state) =>
    isPlaced(state)
      ? 1_500 +
        state.lines.length * (state.lines.some(({ flashSales }) => flashSales !== undefined) ? 700 : 300) +
        (state.told.size + state.claimed.size) * 80 +
        state.promotions.length * 400 +
        state.forms.reduce((sum, form) => sum + 400 + (form.form === 'checkout' ? form.areas.length * 150 : 0), 0) +
        state.payments.length * 400
      : 200,
};

/** Returns whether the order may use promotions. An order that was cancelled or refunded before payment may not. */
export const mayUsePromotions = ({ status, paid }: PlacedOrder): boolean => paid || !isCalledOff(status);

// Decisions ------------------------------------------------------------------------------------------------------
export type OrderDecision = Decision<Order, OrderEvent>;

/** Limits a decision to an order of this store. Refuses `not_found` otherwise. */
export const ofStore =
  (workspaceId: string, decision: (order: PlacedOrder) => readonly OrderEvent[]): OrderDecision =>
  (state) =>
    isPlaced(state) && state.workspaceId === workspaceId
      ? decision(state)
      : refuse('not_found', 'There is no such order in this store.');

/** Places the order. Repeating it changes nothing. */
export const placeOrder =
  (command: EventData<'OrderPlaced'>): OrderDecision =>
  (state) =>
    isPlaced(state) ? [] : [{ type: 'OrderPlaced', data: command }];

/**
 * Places the order without items and cancels it, so that the store's numbers have no gap. Needed if a cart lost all its items after it got
 * its number: the service stopped, and the catalog changed before the restart.
 */
export const placeEmptyOrder =
  (command: EventData<'OrderPlaced'>): OrderDecision =>
  (state) =>
    isPlaced(state)
      ? []
      : [
          { type: 'OrderPlaced', data: { ...command, lines: [] } },
          {
            type: 'OrderStatusChanged',
            data: { from: FIRST_STATUS, to: 'cancelled', note: 'Nothing in the cart could be ordered.' },
          },
        ];

/**
 * Returns true if a pin that arrived at `receivedAt` (ms since 1970) sets the destination: it was requested by then, no later pin is known,
 * and the goods have not left. A repeated pin, however late, therefore changes nothing.
 */
export const takesLocation =
  (receivedAt: number) =>
  (state: Order): boolean =>
    isPlaced(state) &&
    state.asksLocation &&
    isBeforeItsWay(state.status) &&
    receivedAt >= (state.checkedOutAt ?? 0) &&
    receivedAt >= (state.location?.receivedAt ?? 0);

/** Records a requested pin. A later pin corrects it. The same location leads to no event. */
export const shareLocation =
  ({ latitude, longitude }: GeoPoint, receivedAt: number): OrderDecision =>
  (state) => {
    if (!isPlaced(state) || !takesLocation(receivedAt)(state)) return [];
    const { location } = state;
    if (location?.latitude === latitude && location.longitude === longitude) return [];
    const at = new Date(receivedAt).toISOString();
    return [{ type: 'OrderLocationShared', data: { latitude, longitude, receivedAt: at } }];
  };

/**
 * Moves an order along its table (orderStatus.ts). Any other move is refused, also to the current status: each move happens once. `note` is
 * stored in the history. For `cancelled` it is the reason.
 */
export const moveOrder =
  (by: Mover, to: OrderStatus, note?: string, cause?: CancelCause) =>
  (state: PlacedOrder): readonly OrderEvent[] => {
    if (!mayMove(by, state.status, to, state))
      refuse('order_status_not_allowed', `An order that is ${state.status} cannot become ${to}. ${possible(state)}`);
    const why = defined({ note, cause });
    return [{ type: 'OrderStatusChanged', data: { from: state.status, to, ...why } }];
  };

function possible(state: PlacedOrder): string {
  const next = nextStatuses(state.status, state);
  if (next.length > 0) return `Allowed statuses: ${next.join(', ')}.`;
  return 'Its status can no longer be set.';
}

/** Records the outcome of a message to the customer in the history, once per message. */
export const recordSummarySent =
  (messageId: string): OrderDecision =>
  (state) =>
    once(state, messageId, { type: 'OrderSummarySent', data: { messageId } });

export const recordNotified =
  (status: OrderStatus, messageId: string): OrderDecision =>
  (state) =>
    once(state, messageId, { type: 'CustomerNotified', data: { status, messageId } });

/** `status`: the status in the notification. Undefined for the summary: the order's current one. */
export const recordNotNotified =
  (status: OrderStatus | undefined, messageId: string, reason: string): OrderDecision =>
  (state) =>
    isPlaced(state)
      ? once(state, notNotified(messageId), {
          type: 'CustomerNotNotified',
          data: { status: status ?? state.status, reason, messageId },
        })
      : [];

const once = <E extends DomainEvent>(state: Order, mark: string, event: E): readonly E[] =>
  isPlaced(state) && !state.told.has(mark) ? [event] : [];
