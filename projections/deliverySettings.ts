import type { DeliveryEvent, DeliverySettings } from '../domain/delivery/deliveryEvents.js';
import { defineProjection, type Projection } from '../engine/projections/projection.js';

/** Exactly the API's `DeliveryBody`. (Specification 1, 'Delivery settings'.) */
export interface DeliveryBody extends DeliverySettings {
  /** False while the store has not saved any and defaults apply. */
  readonly saved: boolean;
}

/** One document a store that has saved its settings, by workspace id. */
export const deliverySettings: Projection<DeliveryBody, DeliveryEvent> = defineProjection<DeliveryBody, DeliveryEvent>({
  name: 'deliverySettings',
  version: 1,
  partitionedBy: 'store',
  categories: ['delivery'],
  keys: {},
  indexes: [],
  on: {
    DeliverySettingsSaved: (_, { data }) => ({ keys: {}, body: { ...data, saved: true } }),
  },
});
