import type { Clock } from '../../engine/ports/clock.js';
import type { Position } from '../../engine/ports/eventStore.js';
import type { Reads } from '../../engine/projections/reads.js';
import type { RenderData } from './envelope.js';
import { mergedData } from './mergedData.js';
import { isOfMessage, messageData } from './messageData.js';
import { type OrderDataParts, orderData } from './orderData.js';
import { isOfProducts, type ProductData, productData } from './productData.js';

export interface EventDataParts extends OrderDataParts {
  readonly reads: Reads;
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Waits, for a bounded time, until the views of these categories have passed a position, of this store if given. Returns false after the
   * time.
   */
  readonly passed: (categories: readonly string[], position: Position, store?: string) => Promise<boolean>;
}

/** Renders the `data` of each kind of event. */
export function eventData({ reads, clock, passed, ...ofOrders }: EventDataParts): {
  readonly renderData: RenderData;
  readonly products: ProductData;
} {
  const conversationsPassed = (position: Position, store?: string) => passed(['conversation'], position, store);
  const ofMessage = messageData({ reads, passed: conversationsPassed });
  const ofMerge = mergedData({ reads, passed: conversationsPassed, clock });
  const ofOrder = orderData(ofOrders);
  const products = productData({
    reads,
    passed: (position, store) => passed(['catalog', 'catalogSync'], position, store),
  });
  return {
    products,
    async renderData(event, product) {
      if (event.type === 'ConversationStatusChanged') return ofMerge(event);
      if (isOfMessage(event)) return ofMessage(event);
      if (isOfProducts(event)) return product === undefined ? undefined : products.one(event, product);
      return ofOrder(event);
    },
  };
}
