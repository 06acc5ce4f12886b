import type { PromotionEvent } from '../domain/promotions/promotionEvents.js';
import { defineProjection, type Seen } from '../engine/projections/projection.js';

/** Which promotion an order uses. */
export interface PromotionUse {
  readonly promotionId: string;
}

type Of<T extends PromotionEvent['type']> = Seen<Extract<PromotionEvent, { type: T }>>;

const idOf = ({ streamId, data }: Of<'PromotionRedeemed' | 'RedemptionGivenBack'>): readonly string[] => [
  `${data.orderId}/${streamId}`,
];

/** One document for each use of a promotion by an order, found by the order: part of what a store holds of a customer. */
export const promotionUses = defineProjection<PromotionUse, PromotionEvent>({
  name: 'promotionUses',
  version: 1,
  partitionedBy: 'store',
  perStream: true,
  categories: ['promotion'],
  keys: { orderId: 'text' },
  indexes: [{ keys: ['orderId'] }],
  on: {
    PromotionRedeemed: {
      ids: idOf,
      evolve: (_, { data, streamId }) => ({ keys: { orderId: data.orderId }, body: { promotionId: streamId } }),
    },
    RedemptionGivenBack: { ids: idOf, evolve: () => undefined },
  },
});
