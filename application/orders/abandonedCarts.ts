/** Cancels orders that are never checked out, so that neither the store nor the customer waits for them. */
import {
  DEFAULT_VALID_DAYS,
  expireOrder,
  expiresAt,
  firstExpiry,
  waitsForCheckout,
} from '../../domain/orders/cartExpiry.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { defineProcessor } from '../../engine/processors/processor.js';
import { cancelWaiting, orderTimer } from './orderTimers.js';

/**
 * One durable timer per order. It reads the log from the start, so orders that are older than this processor have timers too: overdue
 * orders are cancelled at the first start. A timer has no effect if its order was checked out or cancelled.
 */
export const abandonedCarts = () =>
  defineProcessor<OrderEvent>({
    name: 'abandonedCarts',
    categories: ['order'],
    derivable: ['OrderPlaced'],
    on: { OrderPlaced: (event) => (event.data.lines.length === 0 ? [] : orderTimer(event, 'expire', firstExpiry(0))) },
    perform: {
      expire: cancelWaiting({
        setting: ({ cartValidDays = DEFAULT_VALID_DAYS }) => cartValidDays,
        due: (state, _, days) => (waitsForCheckout(state) ? { at: expiresAt(state.placedAt, days) } : undefined),
        cancel: (now, _, days) => expireOrder(now, days),
      }),
    },
  });
