/** Releases uses of promotions when their order is cancelled before it is paid. */
import { isPlaced, mayUsePromotions, order } from '../../domain/orders/order.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { promotion, releaseUse } from '../../domain/promotions/promotion.js';
import type { PromotionEvent } from '../../domain/promotions/promotionEvents.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { stepsOf } from '../orders/reserveUses.js';

interface Payload extends Cause {
  readonly orderId: string;
  /** Absent: all promotions that the order may use. */
  readonly promotionId?: string;
}

/**
 * Reacts to both events, so that a concurrent cancellation and use do not miss each other: a cancelled order releases its uses, and a use
 * by a cancelled order is released. The order records every promotion it may use.
 */
export function releaseUses() {
  async function perform(task: Task<Payload>, context: ProcessorContext): Promise<Outcome> {
    const { orderId, promotionId } = task.payload;
    const { commands } = context;
    const released = await commands.query(order, orderId, (state) => {
      if (!isPlaced(state) || mayUsePromotions(state)) return [];
      return promotionId === undefined ? [...state.claimed] : [promotionId];
    });
    const step = stepsOf(context.contextFor(task, task.payload));
    for (const id of released) await commands.decide(step('release'), promotion, id, releaseUse(orderId));
    return { done: true };
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
