import { ORDER_STATUSES } from '../../../domain/orders/orderStatus.js';
import { DateTime, Int64, Named, OneOf, Uuid } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

const Day = (description?: string) =>
  Type.String({
    format: 'date',
    examples: ['2026-11-28'],
    ...(description !== undefined && { description }),
  });
const Sum = (description: string) => Int64({ minimum: 0, description });
/** Less than nothing where more went back in these days than was sold. */
const Net = (description: string) => Int64({ description });

export const StoreReportQuery = {
  days: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      maximum: 92,
      default: 28,
      description: 'Number of days, with the last one.',
    }),
  ),
  to: Type.Optional(Day("The last day, in the store's time zone. Default: today.")),
};

export const SalesDayBody = Named(
  'SalesDayBody',
  Type.Object({
    date: Day(),
    placed: Sum('Carts that became orders.'),
    checkedOut: Sum('Orders whose checkout form was answered.'),
    sold: Sum('Orders that were paid, or handed over for cash.'),
    revenueCents: Sum('Totals of the orders that were sold, in cents.'),
    deliveryFeeCents: Sum('Part of the revenue that is delivery fees, in cents.'),
    discountCents: Sum('Discounts of the orders that were sold, in cents.'),
    returned: Sum('Sold orders that were cancelled.'),
    returnedCents: Sum('Totals of the orders that were returned, in cents.'),
    paymentFailures: Sum('Payment attempts that failed.'),
  }),
);

export const SoldProductBody = Named(
  'SoldProductBody',
  Type.Object({
    productExternalId: Type.String(),
    name: Type.String(),
    quantity: Sum('Units sold, less those of orders that were returned.'),
    revenueCents: Net('Revenue without delivery, less returns, in cents.'),
  }),
);

export const PromotionCostBody = Named(
  'PromotionCostBody',
  Type.Object({
    promotionId: Uuid,
    name: Type.String(),
    uses: Sum('Sold orders with this promotion, less those that were returned.'),
    discountCents: Net('Discount of these orders, in cents.'),
  }),
);

export const OrderStatusCountBody = Named(
  'OrderStatusCountBody',
  Type.Object({ status: OneOf(...ORDER_STATUSES), orders: Sum('Number of orders, 10,000 at most.') }),
);

export const StoreAttentionBody = Named(
  'StoreAttentionBody',
  Type.Object({
    waitingChats: Sum('Conversations with unread messages, 1,000 at most.'),
    waitingSince: Type.Optional(DateTime),
    rejectedItems: Sum('Products of which the channel rejected an item, 1,000 at most.'),
    failingEndpoints: Sum("The store's webhook endpoints that fail or were disabled after failing."),
  }),
);

export const StoreReportBody = Named(
  'StoreReportBody',
  Type.Object({
    from: Day('First day.'),
    to: Day('Last day.'),
    timezone: Type.String({ description: 'Time zone of the days.', examples: ['Africa/Mogadishu'] }),
    currency: OneOf('USD'),
    days: Type.Array(SalesDayBody, { description: 'Every day of the range, in order.' }),
    ordersByStatus: Type.Array(OrderStatusCountBody, {
      description: 'Orders that were placed in the range, by their present status.',
    }),
    topProducts: Type.Array(SoldProductBody, { description: 'The ten products with the highest revenue.' }),
    promotions: Type.Array(PromotionCostBody, { description: 'The ten promotions with the highest discounts.' }),
    attention: StoreAttentionBody,
  }),
);
