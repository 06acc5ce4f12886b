/** Removes goods from a checked-out order that the store stopped selling before they were paid, and notifies the customer. */
import type { LeaveOutGone } from '../payments/paymentRetry.js';
import { emptied, leftOutLines } from './customerTexts.js';
import { leaveOutGoods } from './orderChanges.js';
import type { OrderDependencies } from './orderDependencies.js';
import { type Checkout, settleUses, stepsOf } from './reserveUses.js';

/** The other goods keep their prices. Uses of promotions that no longer apply are released. */
export const removeUnavailable =
  (dependencies: Pick<OrderDependencies, 'itemsOf' | 'promotions'>): LeaveOutGone =>
  async (task, { commands, clock, contextFor }, state, locale) => {
    const { orderId, workspaceId } = task.payload;
    const by = contextFor(task, task.payload);
    const checkout: Checkout = {
      commands,
      promotions: dependencies.promotions,
      orderId,
      state,
      now: clock.now(),
      by: stepsOf(by),
    };
    const changed = await leaveOutGoods(dependencies, checkout, workspaceId);
    if (changed === undefined || 'closed' in changed) return undefined;
    if ('nothingLeft' in changed)
      return { cancelled: true, lines: [emptied(locale, state.number, changed.nothingLeft).text] };
    await settleUses(checkout);
    return { cancelled: false, lines: leftOutLines(locale, changed.changed.leftOut) };
  };
