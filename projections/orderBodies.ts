/** The API's shapes of an order, as the views keep them. */
import type { Actor } from '../domain/decider.js';
import type { Fulfilment, GeoPoint, OrderStatus } from '../domain/orders/orderEvents.js';

/** One line of an order. (Specification 1, 'Order item'.) */
export interface StoreOrderItemBody {
  readonly name: string;
  readonly productExternalId: string;
  readonly retailerId: string;
  readonly quantity: number;
  readonly unitPriceCents: number;
  readonly size?: string;
  readonly color?: string;
}

export type StoreOrderEventKind =
  | 'created'
  | 'summary_sent'
  | 'status_changed'
  | 'checkout'
  | 'location'
  | 'customer_notified'
  | 'customer_not_notified'
  | 'payment_failed';

/** One entry of an order's history. (Specification 1, 'Order event'.) */
export interface StoreOrderEventBody {
  readonly at: string;
  readonly kind: StoreOrderEventKind;
  readonly actorType: Actor['type'];
  readonly actorId?: string;
  readonly fromStatus?: OrderStatus;
  readonly toStatus?: OrderStatus;
  readonly note?: string;
}

/** An order as a list shows it: `StoreOrderBody` without what is present on a single order only. */
export interface OrderRowBody {
  readonly id: string;
  readonly number: number;
  readonly status: OrderStatus;
  readonly nextStatuses: readonly OrderStatus[];
  readonly fulfilment?: Fulfilment;
  readonly currency: 'USD';
  readonly subtotalCents: number;
  readonly discountCents: number;
  readonly deliveryFeeCents: number;
  readonly totalCents: number;
  readonly itemCount: number;
  readonly customerPhone: string;
  readonly customerName?: string;
  readonly contactPhone?: string;
  readonly address?: string;
  readonly deliveryArea?: string;
  readonly couponCode?: string;
  readonly discountReason?: string;
  readonly note?: string;
  /** Note that the customer sent with the cart. */
  readonly customerNote?: string;
  readonly cancelReason?: string;
  readonly checkedOutAt?: string;
  readonly conversationId?: string;
  /** Team of the conversation when the cart arrived. */
  readonly teamId?: string;
  readonly location?: GeoPoint;
  readonly createdAt: string;
  /** Last change of the order itself. Messages to the customer appear only in `events`. */
  readonly updatedAt: string;
}

/** Exactly the API's `StoreOrderBody`. (Specification 1, 'Order'.) */
export interface StoreOrderBody extends OrderRowBody {
  readonly items: readonly StoreOrderItemBody[];
  /** Oldest first. */
  readonly events: readonly StoreOrderEventBody[];
}
