/** Stored for ever: a store's delivery settings, stream `delivery-{workspaceId}`. Add fields as optional. */
import { NotifiedStatus } from '../orders/orderShapes.js';
import {
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  List,
  Maybe,
  Shape,
  type Stored,
  Whole,
} from '../storedEvents.js';

const DeliveryArea = Shape('DeliveryArea', { id: Id(), name: Label(), feeCents: Whole(), active: Flag() });
export type DeliveryArea = Stored<typeof DeliveryArea>;

const DeliverySettings = Shape('DeliverySettings', {
  deliveryEnabled: Flag(),
  pickupEnabled: Flag(),
  pickupAddress: Label(),
  requestLocation: Flag('The checkout requests a location pin.'),
  notifyStatuses: List(NotifiedStatus, 'Order statuses that the customer is notified about.'),
  areas: List(DeliveryArea, 'In the order checkout lists them.'),
  freeDeliveryAboveCents: Maybe(Whole()),
  cashOnDelivery: Maybe(Flag('Whether customers of a store with wallets may pay in cash instead. Default: false.')),
  cartValidDays: Maybe(Whole('Days for which the prices of an open cart are valid. 0: without limit. Default: 7.')),
  unpaidHours: Maybe(Whole('Hours after checkout when an unpaid order is cancelled. 0: never. Default: 24.')),
});
/** (Specification 1, 'Delivery settings'.) */
export type DeliverySettings = Stored<typeof DeliverySettings>;

export const deliveryEvents = defineEvents({
  DeliverySettingsSaved: event('The store saves its delivery settings, as a whole.', DeliverySettings.properties),
});
export type DeliveryEvent = EventsOf<typeof deliveryEvents>;
