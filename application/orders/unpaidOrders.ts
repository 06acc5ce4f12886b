/** Cancels orders that are never paid, so that they do not use up promotions. */
import type { OrderEvent } from '../../domain/orders/orderEvents.js';
import {
  cancelUnpaid,
  DEFAULT_UNPAID_HOURS,
  unpaidUntil,
  waitsForPayment,
} from '../../domain/orders/paymentDeadline.js';
import { defineProcessor } from '../../engine/processors/processor.js';
import { cancelWaiting, orderTimer } from './orderTimers.js';

const HOUR_MS = 3_600_000;
/** Delay of a timer that indicates a downtime of the service, in which nobody could pay. */
const LATE_MS = HOUR_MS;

/** Durable timer for each order that waits for its payment. */
export const unpaidOrders = () =>
  defineProcessor<OrderEvent>({
    name: 'unpaidOrders',
    categories: ['order'],
    derivable: ['OrderStatusChanged'],
    on: {
      OrderStatusChanged: (event) => (event.data.to === 'awaiting_payment' ? orderTimer(event, 'cancel', HOUR_MS) : []),
    },
    perform: {
      cancel: cancelWaiting({
        setting: ({ unpaidHours = DEFAULT_UNPAID_HOURS }) => unpaidHours,
        due: (state, from, hours) => (waitsForPayment(state) ? { at: unpaidUntil(state, from, hours) } : undefined),
        cancel: cancelUnpaid,
        // The service was down: the customer gets the time of the store's setting again.
        extension: (lateMs, hours) => (lateMs > LATE_MS ? hours * HOUR_MS : undefined),
      }),
    },
  });
