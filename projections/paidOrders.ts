import type { DomainEvent } from '../domain/decider.js';
import type { OrderEvent } from '../domain/orders/orderEvents.js';
import { defineProjection, type View } from '../engine/projections/projection.js';

type Nothing = Readonly<Record<string, never>>;
type PaidView = View<Nothing>;

const paid = (view: PaidView | undefined, is: boolean): PaidView | undefined =>
  view && { keys: { ...view.keys, paid: is ? 1 : 0 }, body: view.body };

/**
 * Which orders of a customer are paid at this moment: paid with a wallet, or handed over, which is when cash is paid; and
 * neither cancelled nor refunded since. One document an order with a customer number, for counting a customer's.
 * (Specification 1, 'Number list', past_orders.)
 */
export const paidOrders = defineProjection<Nothing, OrderEvent | DomainEvent<'OrderPaid'>>({
  name: 'paidOrders',
  version: 2,
  partitionedBy: 'store',
  categories: ['order'],
  keys: { workspaceId: 'text', phone: 'text', paid: 'number' },
  indexes: [{ keys: ['workspaceId', 'phone', 'paid'] }],
  on: {
    OrderPlaced: (_, { data, meta }) =>
      data.customerPhone === ''
        ? undefined
        : { keys: { workspaceId: meta.workspaceId ?? null, phone: data.customerPhone, paid: 0 }, body: {} },
    OrderPaid: (view) => paid(view, true),
    OrderStatusChanged(view, { data: { to } }) {
      if (to === 'paid' || to === 'delivered') return paid(view, true);
      return to === 'cancelled' || to === 'refunded' ? paid(view, false) : view;
    },
  },
});
