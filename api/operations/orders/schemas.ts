import { ORDER_STATUSES, STORE_STATUSES } from '../../../domain/orders/orderStatus.js';
import { Addition, Cents, Closed, DateTime, Int32, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

export const OrderStatus = OneOf(...ORDER_STATUSES);
export const Fulfilment = OneOf('delivery', 'pickup');

/** Amounts of a whole order: a hundred lines of the highest price exceed the bound of one amount. */
const OrderCents = (options: { description?: string } = {}) => Int64({ minimum: 0, ...options });

/** (Specification 1, 'Order item'.) */
export const StoreOrderItemBody = Named(
  'StoreOrderItemBody',
  Type.Object({
    name: Type.String(),
    productExternalId: Type.String(),
    retailerId: Type.String({ description: 'The catalog retailer id that the customer ordered.' }),
    quantity: Int32({ minimum: 1 }),
    unitPriceCents: Cents({ description: "The store's price when the order was priced." }),
    color: Type.Optional(Type.String()),
    size: Type.Optional(Type.String()),
  }),
);

/** (Specification 1, 'Order event'.) */
export const StoreOrderEventBody = Named(
  'StoreOrderEventBody',
  Type.Object({
    at: DateTime,
    kind: OneOf(
      'created',
      'summary_sent',
      'status_changed',
      'checkout',
      'location',
      'customer_notified',
      'customer_not_notified',
      'payment_failed',
    ),
    actorType: OneOf('member', 'partner_key', 'api_key', 'customer', 'system'),
    actorId: Type.Optional(Type.String()),
    fromStatus: Type.Optional(OrderStatus),
    toStatus: Type.Optional(OrderStatus),
    note: Type.Optional(Type.String()),
  }),
);

/** (Specification 1, 'Order'.) */
export const StoreOrderBody = Named(
  'StoreOrderBody',
  Type.Object({
    id: Uuid,
    number: Int64({ minimum: 1, description: "The store's own order number." }),
    status: OrderStatus,
    nextStatuses: Type.Array(OrderStatus, {
      description:
        'Statuses that the store may set now; in a closed store `cancelled` at most, by cancelling the order.',
    }),
    fulfilment: Type.Optional(Fulfilment),
    currency: OneOf('USD'),
    subtotalCents: OrderCents(),
    discountCents: OrderCents(),
    deliveryFeeCents: OrderCents(),
    totalCents: OrderCents({ description: 'subtotalCents - discountCents + deliveryFeeCents' }),
    itemCount: Int64({ minimum: 0 }),
    customerPhone: Type.String({ description: 'Empty when the channel does not share the number.' }),
    customerName: Type.Optional(Type.String()),
    contactPhone: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    deliveryArea: Type.Optional(Type.String()),
    couponCode: Type.Optional(Type.String()),
    cancelReason: Type.Optional(Type.String()),
    discountReason: Type.Optional(
      Type.String({
        description:
          'The promotions that make up the discount, flash sales in the unit prices, and what does not add to them.',
      }),
    ),
    note: Type.Optional(Type.String({ description: 'Cart items that were left out, and why.' })),
    customerNote: Type.Optional(
      Addition(
        Type.String({
          description: 'Beyond the specification: what the customer wrote with the cart, such as "no onions please".',
        }),
      ),
    ),
    checkedOutAt: Type.Optional(DateTime),
    conversationId: Type.Optional(Uuid),
    teamId: Type.Optional(Uuid),
    location: Type.Optional(
      Type.Object({ latitude: Type.Number({ format: 'double' }), longitude: Type.Number({ format: 'double' }) }),
    ),
    items: Type.Optional(Type.Array(StoreOrderItemBody, { description: 'On a single order only.' })),
    events: Type.Optional(
      Type.Array(StoreOrderEventBody, { description: 'History, oldest first; on a single order only.' }),
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
  }),
);

export const StoreOrdersBody = Named(
  'StoreOrdersBody',
  Type.Object({ orders: Type.Array(StoreOrderBody), next: Type.Optional(Type.String()) }),
);

export const OrderCancelBody = Named(
  'OrderCancelBody',
  Closed({ reason: Type.Optional(Type.String({ maxLength: 500 })) }),
);

export const OrderStatusBody = Named(
  'OrderStatusBody',
  Closed({
    status: OneOf(...STORE_STATUSES),
    note: Type.Optional(
      Type.String({ maxLength: 500, description: 'Stored in the history; for cancelled, the reason.' }),
    ),
  }),
);
