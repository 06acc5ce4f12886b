import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import { seen } from '../../engine/projections/projection.js';
import type { OrderHistories } from '../orders/orderHistory.js';

/**
 * `data` of an event about an order: the order as the API would have answered it right after the event, folded from its
 * stream, however far the views are. Undefined: there was no order yet.
 */
export const orderData =
  (histories: OrderHistories<object>) =>
  async (event: RecordedEvent): Promise<object | undefined> => {
    const history = await histories.asOf(seen(event).streamId, { revision: event.revision });
    return history?.order === undefined ? undefined : { order: history.order };
  };
