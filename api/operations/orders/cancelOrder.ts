import { moveOrder, ofStore, order } from '../../../domain/orders/order.js';
import { operation } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { checkTeam, orderJson } from './getOrder.js';
import { OrderCancelBody, StoreOrderBody } from './schemas.js';

/** Trims a store's text about a move; undefined if it is blank. */
export const written = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text;

/** How a store rejects an order that it cannot fill. (Specification 1, 'Orders'.) */
export const cancelOrder = operation({
  id: 'cancelOrder',
  route: 'POST {C}/orders/{orderId}/cancel',
  summary: 'Cancels an order that has not been delivered.',
  tag: 'Orders',
  scope: 'orders:manage',
  feature: 'commerce.orders',
  params: { orderId: Uuid },
  body: OrderCancelBody,
  bodyOptional: true,
  idempotent: true,
  answers: { 200: StoreOrderBody },
  problems: ['not_found', 'order_status_not_allowed'],
  // The only way to give customers their money back.
  whenClosed: true,
  async handle({ params: { orderId }, body, workspace, commands, read, member }) {
    await checkTeam(read, orderId, member);
    await commands.decide(
      order,
      orderId,
      ofStore(workspace.workspaceId, moveOrder('store', 'cancelled', written(body.reason))),
    );
    return { status: 200, body: await orderJson(read, workspace, orderId, member) };
  },
});
