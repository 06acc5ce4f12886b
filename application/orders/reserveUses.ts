/** Prices a checkout, and reserves the uses of its promotions before the order is checked out. */
import { randomUUID } from 'node:crypto';
import { derivedId } from '../../domain/ids.js';
import { claimPromotions } from '../../domain/orders/checkout.js';
import { isPlaced, mayUsePromotions, order, type PlacedOrder } from '../../domain/orders/order.js';
import { withPlaced } from '../../domain/pricing/placedPromotions.js';
import { type Handover, type Priced, priceOrder } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import type { CommandContext, CommandHandler } from '../../engine/commandHandler/commands.js';
import type { OrderPromotions, UseRefused } from './orderDependencies.js';

export interface Checkout {
  readonly commands: CommandHandler;
  readonly promotions: OrderPromotions;
  readonly orderId: string;
  readonly state: PlacedOrder;
  /** Time at which promotions are evaluated, ms since 1970. */
  readonly now: number;
  /** Context of one step. Each step has a command id of its own. */
  readonly by: (step: string) => CommandContext;
}

export interface Reserved {
  /** Price whose promotions all have a use reserved for the order. */
  readonly priced: Priced;
  /** Promotions whose limit was reached, with the limit. */
  readonly refused: ReadonlyMap<string, UseRefused>;
  /** Promotions of the final price. Refused ones are marked with the limit that was reached. */
  readonly usable: readonly PricingPromotion[];
}

/**
 * Returns contexts for the steps of one performance of a task. Each call has a command id of its own: a use that was released meanwhile is
 * reserved by another event, and the state shows what is in the log already.
 */
export const stepsOf =
  (by: CommandContext): Checkout['by'] =>
  (step) => ({ ...by, commandId: derivedId(by.commandId, step, randomUUID()) });

/**
 * Prices the order with the best discount of which every use could be reserved. A promotion whose limit is reached is left out, and the
 * order is priced again. Each round leaves out at least one more, so it ends.
 *
 * The order first records which uses it is going to reserve: after a crash it finds its own uses, and `settleUses` releases the others.
 */
export async function reserveDiscount(
  { commands, promotions, orderId, state, now, by }: Checkout,
  offered: readonly PricingPromotion[],
  handover: Handover,
): Promise<Reserved> {
  const refused = new Map<string, UseRefused>();
  const { customerPhone } = state;
  let usable = withPlaced(offered, state.promotions, state.lines);
  for (let round = 0; ; round += 1) {
    const priced = priceOrder(state.lines, handover, { promotions: usable, now });
    const ids = idsOf(priced);
    await commands.decide(by(`claim ${round}`), order, orderId, claimPromotions(ids));
    const before = refused.size;
    const reserve = async (id: string): Promise<void> => {
      const answer = await promotions.reserve(by(`reserve ${round}`), id, { orderId, customerPhone });
      if (answer !== 'reserved') refused.set(id, answer);
    };
    await Promise.all(ids.map(reserve));
    if (refused.size === before) return { priced, refused, usable };
    usable = usable.map((one) => ({ ...one, eligibility: refused.get(one.promotionId) ?? one.eligibility }));
  }
}

/**
 * Aligns the order's uses with its stored price. A checked-out order has those of its price. Before the checkout, and after a cancellation
 * without payment, it has none.
 *
 * Another performance may have checked the order out at a different price: uses for this performance's price are released, and released
 * uses are reserved again. If another performance checks the order out during the release, the uses are aligned again.
 */
export async function settleUses(checkout: Omit<Checkout, 'state' | 'now'>): Promise<void> {
  const { commands, promotions, orderId, by } = checkout;
  const state = await commands.query(order, orderId, (seen) => seen);
  if (!isPlaced(state) || state.claimed.size === 0) return;
  const { checkedOut, claimed, customerPhone } = state;
  const retained = new Set(checkedOut && mayUsePromotions(state) ? idsOf(state) : []);
  const settle = (id: string): Promise<unknown> =>
    retained.has(id)
      ? promotions.reserve(by('reserve again'), id, { orderId, customerPhone })
      : promotions.release(by('release'), id, orderId);
  await Promise.all([...claimed].map(settle));
  const isCheckedOut = (seen: typeof state | { readonly status: 'absent' }): boolean =>
    isPlaced(seen) && seen.checkedOut;
  if (!checkedOut && (await commands.query(order, orderId, isCheckedOut))) await settleUses(checkout);
}

const idsOf = ({ promotions = [] }: Pick<Priced, 'promotions'>): string[] =>
  promotions.map(({ promotionId }) => promotionId);
