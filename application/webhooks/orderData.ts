import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import type { OrderHistories } from '../orders/orderHistory.js';

export interface OrderDataParts {
  readonly histories: OrderHistories<object>;
  /** Makes the event visible to later reads. Undefined: it is visible already. */
  readonly readable: (category: string, event: RecordedEvent) => Promise<unknown> | undefined;
}

/**
 * Renders `data` of an event about an order: the order in the form of the API right after the event, folded from its stream, independently
 * of the views. A receiver that then requests the order finds it. Undefined: there was no order yet.
 */
export const orderData =
  ({ histories, readable }: OrderDataParts) =>
  async (event: RecordedEvent): Promise<object | undefined> => {
    await readable('order', event);
    const history = await histories.asOf(seen(event).streamId, { revision: event.revision });
    return history?.order === undefined ? undefined : { order: history.order };
  };
