import { Addition, Cents, Closed, Int32, Named, OneOf, Uuid, VisibleName } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';

/** (Specification 1, 'Delivery settings'.) `id`: absent for a new area. */
const area = {
  name: VisibleName(
    30,
    'The name that the customer picks at checkout. Names that differ only in case or in blanks around them are the same name.',
  ),
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
          'An addition to the specification: where the store takes wallets, customers may also pay in cash on delivery. Default: false.',
      }),
    ),
  ),
  cartValidDays: Type.Optional(
    Addition(
      Int32({
        minimum: 0,
        maximum: 365,
        description:
          'An addition to the specification: number of days for which the prices of an order are valid until its checkout. Default: 7. After that, the order is priced again at checkout; after 30 days, or this many if more, it is cancelled. 0 turns both off.',
      }),
    ),
  ),
  unpaidHours: Type.Optional(
    Addition(
      Int32({
        minimum: 0,
        maximum: 720,
        description:
          'An addition to the specification: number of hours after checkout when an unpaid order is cancelled. Default: 24. Its promotions can then be used again, and a late payment is refunded. 0 turns this off.',
      }),
    ),
  ),
};

export const DeliverySettingsBody = Named('DeliverySettingsBody', Closed(settings));
export const DeliveryBody = Named(
  'DeliveryBody',
  Type.Object({
    ...settings,
    saved: Type.Boolean({ description: 'False while the store has saved none and the defaults apply.' }),
  }),
);
