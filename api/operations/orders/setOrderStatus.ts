import { moveOrder, ofStore, order } from '../../../domain/orders/order.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { written } from './cancelOrder.js';
import { checkTeam, orderJson } from './getOrder.js';
import { OrderStatusBody, StoreOrderBody } from './schemas.js';

/** Statuses only move forward, to one of the order's `nextStatuses`. (Specification 1, 'Order status'.) */
export const setOrderStatus = operation({
  id: 'setOrderStatus',
  route: 'POST {C}/orders/{orderId}/status',
  summary: 'Moves an order on to one of its nextStatuses.',
  tag: 'Orders',
  scope: 'orders:manage',
  feature: 'commerce.orders',
  params: { orderId: Uuid },
  body: OrderStatusBody,
  idempotent: true,
  answers: { 200: StoreOrderBody },
  problems: ['not_found', 'order_status_not_allowed'],
  async handle({ params: { orderId }, body, workspace, commands, read, member }) {
    await checkTeam(read, orderId, member);
    await commands.decide(
      order,
      orderId,
      ofStore(workspace.workspaceId, moveOrder('store', body.status, written(body.note))),
    );
    return { status: 200, body: await orderJson(read, workspace, orderId, member) };
  },
});
