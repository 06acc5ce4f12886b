/** Uses of promotions go back when their order is cancelled before it is paid. */
import { isPlaced, order } from '../../domain/orders/order.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { giveBack, promotion } from '../../domain/promotions/promotion.js';
import type { PromotionEvent } from '../../domain/promotions/promotionEvents.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import type { CaughtUp } from '../../engine/projections/reads.js';
import { promotionUses } from '../../projections/promotionUses.js';

interface Payload extends Cause {
  readonly orderId: string;
  /** Absent: all that the order uses. */
  readonly promotionId?: string;
}

/** Promotions of one order: its coupon and the store's number lists. */
const MOST_USES = 1_000;

/**
 * Two ways lead here, so that a cancellation and a use at the same moment do not miss each other: what is used when an
 * order is cancelled goes back, and what an order uses that is cancelled already.
 */
export function releaseUses({ caughtUp }: CaughtUp) {
  async function perform(task: Task<Payload>, context: ProcessorContext): Promise<Outcome> {
    const { orderId, promotionId } = task.payload;
    const { commands, read } = context;
    const over = await commands.query(
      order,
      orderId,
      (state) => isPlaced(state) && (state.status === 'cancelled' || state.status === 'refunded') && !state.paid,
    );
    if (!over) return { done: true };
    const by = context.contextFor(task, task.payload);
    for (const id of promotionId === undefined ? await usedBy(orderId, read) : [promotionId])
      await commands.decide(by, promotion, id, giveBack(orderId));
    return { done: true };
  }

  async function usedBy(orderId: string, read: ProcessorContext['read']): Promise<string[]> {
    await caughtUp(['promotion']);
    const rows = await read.find(promotionUses, { where: { orderId }, limit: MOST_USES });
    return rows.map(({ body }) => body.promotionId);
  }

  return defineProcessor<OrderEvent | PromotionEvent>({
    name: 'promotionUses',
    categories: ['order', 'promotion'],
    derivable: ['OrderStatusChanged', 'PromotionRedeemed'],
    on: {
      OrderStatusChanged({ id, streamId, data, meta }) {
        const cause = causeOf(meta);
        if (cause === undefined || data.to !== 'cancelled') return [];
        return [{ id, kind: 'cancelled', lane: streamId, payload: { ...cause, orderId: streamId } }];
      },
      PromotionRedeemed({ id, streamId, data, meta }) {
        const cause = causeOf(meta);
        if (cause === undefined) return [];
        const payload = { ...cause, orderId: data.orderId, promotionId: streamId };
        return [{ id, kind: 'used', lane: data.orderId, payload }];
      },
    },
    perform: { cancelled: perform, used: perform },
  });
}
