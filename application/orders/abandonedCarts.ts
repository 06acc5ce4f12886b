/** Orders that nobody checks out are cancelled in the end, so that neither the store nor the customer waits for them. */
import {
  DEFAULT_VALID_DAYS,
  expireOrder,
  expiresAt,
  firstExpiry,
  waitsForCheckout,
} from '../../domain/orders/abandoned.js';
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import { defineProcessor } from '../../engine/processors/processor.js';
import { cancelWaiting, orderTimer } from './orderTimers.js';

/**
 * A durable timer an order. It begins with the log, so orders from before there were timers have theirs too: those that are
 * overdue are cancelled at the first start. A timer whose order was checked out or cancelled ends without a word.
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
