/** The discount of a checkout: priced, and the uses of its promotions reserved before the order is checked out. */
import { randomUUID } from 'node:crypto';
import { derivedId } from '../../domain/ids.js';
import { claimPromotions } from '../../domain/orders/checkout.js';
import { isPlaced, mayUsePromotions, order, type PlacedOrder } from '../../domain/orders/order.js';
import { withKept } from '../../domain/pricing/kept.js';
import { type Handover, type Priced, priceOrder } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import type { CommandContext, CommandHandler } from '../../engine/commandHandler/commands.js';
import type { OrderPromotions, UseRefused } from './dependencies.js';

export interface Checkout {
  readonly commands: CommandHandler;
  readonly promotions: OrderPromotions;
  readonly orderId: string;
  readonly state: PlacedOrder;
  /** ms since 1970: the moment at which promotions are looked at. */
  readonly now: number;
  /** The context of one step: each step has a command id of its own. */
  readonly by: (step: string) => CommandContext;
}

export interface Reserved {
  /** A use of each promotion in it is reserved for the order. */
  readonly priced: Priced;
  /** The promotions whose limits were reached first, and which limit. */
  readonly refused: ReadonlyMap<string, UseRefused>;
  /** What the order could be priced with at last: those that were refused stand at their limit. */
  readonly usable: readonly PricingPromotion[];
}

/**
 * Returns contexts for the steps of one performance of a task. Each call has a command id of its own: a use that was given back
 * meanwhile is reserved again by another event, and what the log already has is found in the state.
 */
export const stepsOf =
  (by: CommandContext): Checkout['by'] =>
  (step) => ({ ...by, commandId: derivedId(by.commandId, step, randomUUID()) });

/**
 * Prices the order with the best discount of which every use could be reserved. A promotion whose limit is reached is left
 * out, and the order is priced again; each round leaves out one more at least, so it ends. The order says first what it
 * is going to reserve: performed again after a crash, it finds its own uses, and `settleUses` knows what is left over.
 */
export async function reserveDiscount(
  { commands, promotions, orderId, state, now, by }: Checkout,
  offered: readonly PricingPromotion[],
  handover: Handover,
): Promise<Reserved> {
  const refused = new Map<string, UseRefused>();
  const { customerPhone } = state;
  let usable = withKept(offered, state.promotions, state.lines);
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
    usable = usable.map((one) => ({ ...one, standing: refused.get(one.promotionId) ?? one.standing }));
  }
}

/**
 * Makes the order's uses those of its price in the log once it is checked out; until then, and when it was cancelled unpaid, it has none. The price may be another
 * performance's, which priced the order at another moment: what this one reserved for its own is given back, and a use that was
 * given back meanwhile is reserved again. Whatever was given back while another performance checked the order out is looked at
 * once more.
 */
export async function settleUses(checkout: Omit<Checkout, 'state' | 'now'>): Promise<void> {
  const { commands, promotions, orderId, by } = checkout;
  const state = await commands.query(order, orderId, (seen) => seen);
  if (!isPlaced(state) || state.claimed.size === 0) return;
  const { checkedOut, claimed, customerPhone } = state;
  const kept = new Set(checkedOut && mayUsePromotions(state) ? idsOf(state) : []);
  const settle = (id: string): Promise<unknown> =>
    kept.has(id)
      ? promotions.reserve(by('reserve again'), id, { orderId, customerPhone })
      : promotions.release(by('release'), id, orderId);
  await Promise.all([...claimed].map(settle));
  const isCheckedOut = (seen: typeof state | { readonly status: 'absent' }): boolean =>
    isPlaced(seen) && seen.checkedOut;
  if (!checkedOut && (await commands.query(order, orderId, isCheckedOut))) await settleUses(checkout);
}

const idsOf = ({ promotions = [] }: Pick<Priced, 'promotions'>): string[] =>
  promotions.map(({ promotionId }) => promotionId);
