/** History of an order: each of its events, and the order after it. */
import { type EventStore, type RecordedEvent, streamName } from '../../engine/ports/eventStore.js';
import type { FoldOrder } from '../orders/orderHistory.js';

/** Events per page. The slider of an order with more events moves page by page. */
const TIMELINE_PAGE = 500;

export interface OrderStep<Order> {
  readonly event: RecordedEvent;
  /** Order after the event. Absent if it leaves none. */
  readonly order?: Order;
}

export interface OrderTimeline<Order> {
  readonly workspaceId?: string;
  readonly steps: readonly OrderStep<Order>[];
  /** True if there are more events than these. */
  readonly more: boolean;
}

/** Undefined: there is no such order. */
export async function orderTimeline<Order>(
  store: Pick<EventStore, 'readStream'>,
  fold: FoldOrder<Order>,
  orderId: string,
): Promise<OrderTimeline<Order> | undefined> {
  const events = await store.readStream(streamName('order', orderId), { limit: TIMELINE_PAGE + 1 });
  const first = events[0];
  if (first === undefined) return undefined;
  const { workspaceId } = first.meta;
  let order: Order | undefined;
  const steps = events.slice(0, TIMELINE_PAGE).map((event): OrderStep<Order> => {
    order = fold(order, event);
    return order === undefined ? { event } : { event, order };
  });
  return { ...(workspaceId !== undefined && { workspaceId }), steps, more: events.length > TIMELINE_PAGE };
}
