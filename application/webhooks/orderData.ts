import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import type { OrderHistories } from '../orders/orderHistory.js';

export interface OrderDataParts {
  readonly histories: OrderHistories<object>;
  /** Has whoever reads from now on find what happened in a store; undefined: they do. */
  readonly readable: (category: string, event: RecordedEvent) => Promise<unknown> | undefined;
}

/**
 * `data` of an event about an order: the order as the API would have answered it right after the event, folded from its
 * stream, however far the views are. A receiver that asks for the order next finds it. Undefined: there was no order yet.
 */
export const orderData =
  ({ histories, readable }: OrderDataParts) =>
  async (event: RecordedEvent): Promise<object | undefined> => {
    await readable('order', event);
    const history = await histories.asOf(seen(event).streamId, { revision: event.revision });
    return history?.order === undefined ? undefined : { order: history.order };
  };
