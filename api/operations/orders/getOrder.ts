import type { MemberAccess, WorkspaceAccess } from '../../../application/access/principal.js';
import { refuse } from '../../../domain/decider.js';
import { type StoreOrderBody as OrderBody, orders } from '../../../projections/orders.js';
import { Json, operation, type RequestReads } from '../../contract/operation.js';
import { Uuid } from '../../contract/schemas.js';
import { seesTeam } from '../inbox/visibility.js';
import { orderText } from './orderText.js';
import { StoreOrderBody } from './schemas.js';

/** Returns the order from the view. An order of another store, or of another team, is not found. */
export async function orderJson(
  read: RequestReads,
  workspace: Pick<WorkspaceAccess, 'workspaceId' | 'status'>,
  orderId: string,
  member: MemberAccess | undefined,
): Promise<Json> {
  const found = await read.get<OrderBody>(orders, orderId);
  if (found === undefined || found.keys.workspaceId !== workspace.workspaceId || !seesTeam(member, found.keys.teamId))
    refuse('not_found', 'There is no such order in this store.');
  return new Json(orderText(found, workspace));
}

/** Before a change: refuses `not_found` for an order of a team that the member does not see. An order's team never changes. */
export async function checkTeam(read: RequestReads, orderId: string, member: MemberAccess | undefined): Promise<void> {
  if (member === undefined || member.seesEveryTeam) return;
  const found = await read.get<OrderBody>(orders, orderId);
  if (!seesTeam(member, found?.keys.teamId)) refuse('not_found', 'There is no such order in this store.');
}

/** (Specification 1, 'Orders'.) */
export const getOrder = operation({
  id: 'getOrder',
  route: 'GET {C}/orders/{orderId}',
  summary: 'One order with its items and its history.',
  tag: 'Orders',
  scope: 'orders:view',
  feature: 'commerce.orders',
  params: { orderId: Uuid },
  answers: { 200: StoreOrderBody },
  problems: ['not_found'],
  handle: async ({ params, workspace, read, member }) => ({
    status: 200,
    body: await orderJson(read, workspace, params.orderId, member),
  }),
});
