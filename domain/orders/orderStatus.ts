/**
 * The life of an order as one table: allowed moves, who makes them, and their conditions. What the API offers (`nextStatuses`), what it
 * refuses (409 order_status_not_allowed) and what checkout and payment do all come from here. (Specification 1, 'Order status'; the moves:
 * DESIGN, 'Order moves'.)
 */
import type { Fulfilment, OrderStatus } from './orderEvents.js';

/** store: setOrderStatus and cancelOrder. The others never through the API. service: orders that are never checked out or paid. */
export type Mover = 'store' | 'checkout' | 'payment' | 'service';

/** Facts other than the status on which a move may depend. */
export interface OrderFacts {
  readonly checkedOut: boolean;
  readonly fulfilment?: Fulfilment | undefined;
  /** The customer's money has arrived, whatever the current status is. */
  readonly paid: boolean;
}

interface Move {
  readonly by: Mover;
  readonly from: readonly OrderStatus[];
  readonly to: OrderStatus;
  readonly when?: (facts: OrderFacts) => boolean;
}

/**
 * `preparing` is never skipped: it is how a store accepts an order. `out_for_delivery` may be skipped: a delivery order can be handed over
 * at once. `nextStatuses` lists statuses in this order.
 */
export const MOVES: readonly Move[] = [
  { by: 'checkout', from: ['new'], to: 'awaiting_payment' },
  { by: 'payment', from: ['awaiting_payment'], to: 'paid' },
  { by: 'store', from: ['new'], to: 'preparing', when: (facts) => facts.checkedOut },
  { by: 'store', from: ['paid'], to: 'preparing' },
  // The store is paid in another way. A payment that still arrives is refunded.
  { by: 'store', from: ['awaiting_payment'], to: 'preparing' },
  { by: 'store', from: ['preparing'], to: 'out_for_delivery', when: (facts) => facts.fulfilment === 'delivery' },
  { by: 'store', from: ['preparing', 'out_for_delivery'], to: 'delivered' },
  { by: 'store', from: ['new', 'awaiting_payment', 'paid', 'preparing', 'out_for_delivery'], to: 'cancelled' },
  // A payment that arrives when the store does not take orders any more.
  { by: 'payment', from: ['awaiting_payment'], to: 'cancelled' },
  { by: 'service', from: ['new'], to: 'cancelled', when: (facts) => !facts.checkedOut },
  // The order was not paid in time, or none of its goods are available any more.
  { by: 'service', from: ['awaiting_payment'], to: 'cancelled' },
  { by: 'payment', from: ['cancelled'], to: 'refunded', when: (facts) => facts.paid },
];

/** Initial status of an order. */
export const FIRST_STATUS: OrderStatus = 'new';

/** All statuses, in the order of the specification. */
export const ORDER_STATUSES = [
  'new',
  'awaiting_payment',
  'paid',
  'preparing',
  'out_for_delivery',
  'delivered',
  'cancelled',
  'refunded',
] as const satisfies readonly OrderStatus[];

const BEFORE_ITS_WAY: ReadonlySet<OrderStatus> = new Set(['new', 'awaiting_payment', 'paid', 'preparing']);
/** Returns whether an order in this status is off: nothing is delivered, and payments are refunded. */
export const isCalledOff = (status: OrderStatus): boolean => status === 'cancelled' || status === 'refunded';

/** Returns true if the goods of an order in this status have not left the store. */
export const isBeforeItsWay = (status: OrderStatus): boolean => BEFORE_ITS_WAY.has(status);

/** Statuses that the store may set through the API. */
export const STORE_STATUSES = ['preparing', 'out_for_delivery', 'delivered', 'cancelled'] as const;
export type StoreStatus = (typeof STORE_STATUSES)[number];

/** Returns true if `by` may move an order from `from` to `to` now. */
export const mayMove = (by: Mover, from: OrderStatus, to: OrderStatus, facts: OrderFacts): boolean =>
  MOVES.some((move) => move.by === by && move.to === to && move.from.includes(from) && (move.when?.(facts) ?? true));

const nextKnown = new Map<string, readonly OrderStatus[]>();

/** Statuses that the store may set now: the order's `nextStatuses`. Returns the same array for the same facts. */
export function nextStatuses(from: OrderStatus, facts: Omit<OrderFacts, 'paid'>): readonly OrderStatus[] {
  const key = `${from} ${facts.checkedOut} ${facts.fulfilment}`;
  let next = nextKnown.get(key);
  if (next === undefined) {
    next = STORE_STATUSES.filter((to) => mayMove('store', from, to, { ...facts, paid: false }));
    nextKnown.set(key, next);
  }
  return next;
}
