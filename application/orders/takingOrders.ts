/** Whether a store takes orders, and with them its customers' money. */
import { offers, plan } from '../../domain/partners/plan.js';
import { isClosedStore, store } from '../../domain/stores/store.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';

/** Feature of a plan: without it nobody reads the store's orders. */
const ORDERS_FEATURE = 'commerce.orders';

/**
 * The store is open and its plan has orders. From the streams of store and plan as they stand now: a view may be a second
 * old, and a customer would be charged for nothing.
 */
export async function takesOrders(commands: Pick<CommandHandler, 'query'>, workspaceId: string): Promise<boolean> {
  const planKey = await commands.query(store, workspaceId, (state) =>
    state.status === 'absent' || isClosedStore(state) ? undefined : state.planKey,
  );
  return planKey !== undefined && commands.query(plan, planKey, offers(ORDERS_FEATURE));
}
