import { Addition, Cents, Closed, Int32, Named, OneOf, Uuid } from '../schemas.js';
import { Type } from '../type.js';

/** (Specification 1, 'Delivery settings'.) `id`: absent for a new area. */
const area = {
  name: Type.String({ minLength: 1, maxLength: 30, description: 'As the customer picks it in checkout.' }),
  feeCents: Cents(),
  active: Type.Boolean({ description: 'Only active areas are offered in checkout.' }),
};
export const DeliveryAreaInput = Named('DeliveryAreaBody', Closed({ ...area, id: Type.Optional(Uuid) }));

const settings = {
  deliveryEnabled: Type.Boolean(),
  pickupEnabled: Type.Boolean(),
  pickupAddress: Type.String({ maxLength: 500, description: 'Shown to the customer for pickup orders.' }),
  requestLocation: Type.Boolean({ description: 'Ask for a location pin after a checkout with delivery.' }),
  notifyStatuses: Type.Array(
    OneOf('awaiting_payment', 'paid', 'preparing', 'out_for_delivery', 'delivered', 'cancelled', 'refunded'),
    { maxItems: 7, description: 'Order statuses the customer gets a message for.' },
  ),
  areas: Type.Array(DeliveryAreaInput, { maxItems: 100, description: 'In the order checkout lists them.' }),
  freeDeliveryAboveCents: Type.Optional(
    Cents({ description: 'Delivery is free from this order amount on, after discounts; never when absent.' }),
  ),
  cashOnDelivery: Type.Optional(
    Addition(
      Type.Boolean({
        description:
          'An addition to the specification: where the store takes wallets, customers may choose to pay in cash when they get the goods; not when absent.',
      }),
    ),
  ),
  cartValidDays: Type.Optional(
    Addition(
      Int32({
        minimum: 0,
        maximum: 365,
        description:
          'An addition to the specification: days for which the prices of an order hold that nobody has checked out, 7 when absent. Answered later, it is priced anew first; after 30 days, or this many where that is more, it is cancelled. With 0 neither happens.',
      }),
    ),
  ),
};

export const DeliverySettingsBody = Named('DeliverySettingsBody', Closed(settings));
export const DeliveryBody = Named(
  'DeliveryBody',
  Type.Object({
    ...settings,
    saved: Type.Boolean({ description: 'False while the store has not saved any and defaults apply.' }),
  }),
);
