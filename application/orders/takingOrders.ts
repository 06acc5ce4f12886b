/** Whether a store takes orders, and with them its customers' money. */
import { offers, plan } from '../../domain/partners/plan.js';
import { isOpen, store } from '../../domain/stores/store.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';

/** Feature of a plan: without it nobody reads the store's orders. */
const ORDERS_FEATURE = 'commerce.orders';

/**
 * The store is open and its plan has orders; with `since` (ms since 1970): both without a break from then until now. From
 * the streams of store and plan as they stand now: a view may be a second old, and a customer would be charged for nothing.
 */
export async function takesOrders(
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  since?: number,
): Promise<boolean> {
  const planKey = await commands.query(store, workspaceId, (state) =>
    isOpen(state, since) ? state.planKey : undefined,
  );
  return planKey !== undefined && commands.query(plan, planKey, offers(ORDERS_FEATURE, since));
}
