/** What the order processors need of the rest of the service. */
import type { PromotionsFor } from '../../domain/pricing/promotions.js';
import type { CommandContext } from '../../engine/commandHandler/commands.js';
import type { ItemsOf } from '../catalog/sellableItems.js';
import type { PayingDependencies } from '../payments/payingAgain.js';
import type { StatusTemplates } from './customerNotices.js';

/**
 * Tasks of an order processor at once. They are commands of this service alone, and wait for nothing but commits: what is under way together shares
 * these. With fewer, orders wait for a place while carts go on to come in.
 */
export const ORDERS_AT_ONCE = 256;

export interface OrderDependencies extends PayingDependencies {
  readonly itemsOf: ItemsOf;
  readonly promotions: OrderPromotions;
  /** For messages outside the 24-hour window. */
  readonly statusTemplates: StatusTemplates;
}

/** Why a promotion takes no use by an order: see `Standing` in domain/pricing/promotions.ts. */
export type UseRefused = 'limit' | 'customer_limit';

/**
 * Promotions as orders meet them. A use belongs to its order: at most one for each promotion, so that a repeated `reserve`
 * finds the first and answers 'reserved', and a repeated `release` changes nothing. A use that was given back can be
 * reserved again. `reserve` looks only at the limits: whether the promotion is open was decided by pricing. For a promotion
 * that was deleted it answers 'reserved' without an event: there is no limit left to guard.
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
