/** Dependencies of the order processors. */
import type { PromotionsFor } from '../../domain/pricing/promotions.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { ItemsOf } from '../catalog/sellableItems.js';
import type { PayingDependencies } from '../payments/paymentRetry.js';
import type { StatusTemplates } from './customerNotices.js';

/**
 * Concurrent tasks of an order processor. They only run commands of this service and wait for commits, which concurrent tasks share. With
 * fewer, orders would queue while carts keep arriving.
 */
export const ORDERS_AT_ONCE = 256;

export interface OrderDependencies extends PayingDependencies {
  readonly itemsOf: ItemsOf;
  readonly promotions: OrderPromotions;
  /** For messages outside the 24-hour window. */
  readonly statusTemplates: StatusTemplates;
}

/** Reason why an order cannot use a promotion: see `Standing` in domain/pricing/promotions.ts. */
export type UseRefused = 'limit' | 'customer_limit';

/**
 * Promotions for orders. Each order has at most one use per promotion: a repeated `reserve` returns 'reserved', and a repeated `release`
 * changes nothing. A released use can be reserved again. `reserve` only checks the limits, since pricing has decided whether the promotion
 * is open. For a deleted promotion it returns 'reserved' without an event, since no limit applies.
 */
export interface OrderPromotions {
  readonly promotionsFor: PromotionsFor;
  reserve(
    by: CommandContext,
    promotionId: string,
    use: { readonly orderId: string; readonly customerPhone: string },
  ): Promise<'reserved' | UseRefused>;
  release(by: CommandContext, promotionId: string, orderId: string): Promise<void>;
}
