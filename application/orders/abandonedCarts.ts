/** Orders that nobody checks out are cancelled in the end, so that neither the store nor the customer waits for them. */

import { delivery } from '../../domain/delivery/delivery.js';
import {
  DEFAULT_VALID_DAYS,
  expireOrder,
  expiresAt,
  firstExpiry,
  waitsForCheckout,
} from '../../domain/orders/abandoned.js';
import { order } from '../../domain/orders/order.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';

interface Timer extends Cause {
  readonly orderId: string;
}

const DONE: Outcome = { done: true };
/** Where prices hold for ever: how often an order looks whether they still do. */
const LOOK_AGAIN_MS = 30 * 86_400_000;

async function expire(task: Task<Timer>, context: ProcessorContext): Promise<Outcome> {
  const { orderId, workspaceId } = task.payload;
  const { commands, clock } = context;
  const placedAt = await commands.query(order, orderId, (state) =>
    waitsForCheckout(state) ? state.placedAt : undefined,
  );
  if (placedAt === undefined) return DONE;
  const validDays = await commands.query(
    delivery,
    workspaceId,
    ({ settings }) => settings.cartValidDays ?? DEFAULT_VALID_DAYS,
  );
  const now = clock.now();
  const at = expiresAt(placedAt, validDays) ?? now + LOOK_AGAIN_MS;
  if (at > now) return { again: { at } };
  await commands.decide(context.contextFor(task, task.payload), order, orderId, expireOrder(now, validDays));
  return DONE;
}

/**
 * A durable timer an order. It begins with the log, so orders from before there were timers have theirs too: those that are
 * overdue are cancelled at the first start. A timer whose order was checked out or cancelled ends without a word.
 */
export const abandonedCarts = () =>
  defineProcessor<OrderEvent>({
    name: 'abandonedCarts',
    categories: ['order'],
    derivable: ['OrderPlaced'],
    on: {
      OrderPlaced({ id, streamId, data, meta }) {
        const cause = causeOf(meta);
        if (cause === undefined || data.lines.length === 0) return [];
        const payload: Timer = { ...cause, orderId: streamId };
        const dueAt = firstExpiry(Date.parse(meta.at));
        return [{ id, kind: 'expire', lane: `${cause.workspaceId}/${streamId}`, dueAt, payload }];
      },
    },
    perform: { expire },
  });
