/** Checks whether a store accepts orders, and thereby payments. */
import { offers, plan } from '../../domain/partners/plan.js';
import { isOpen, store } from '../../domain/stores/store.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';

/** Feature of a plan. Without it nobody can read the store's orders. */
const ORDERS_FEATURE = 'commerce.orders';

/**
 * Returns true if the store is open and its plan includes orders. With `since` (ms since 1970): also without interruption since then. Reads
 * the streams of store and plan: a view may lag by a second, in which a customer could be charged for nothing.
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
