/** The customer's answers to the checkout form, held against the store's delivery settings. */
import { activeArea } from '../../domain/delivery/delivery.js';
import type { DeliveryArea, DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import type { CheckOut } from '../../domain/orders/checkout.js';
import type { Handover, Priced } from '../../domain/pricing/pricing.js';
import type { ReadTyped } from '../phones.js';
import type { WrongAnswer } from './texts.js';

const MOST_NAME = 120;
const MOST_ADDRESS = 500;

/** Fields of the form: `fulfilment`, `area` (id or name), `name`, and optionally `contact_phone`, `address`, `coupon`. */
export type Fields = Readonly<Record<string, unknown>>;

/** What the customer said, apart from what it costs. */
export type Said = Omit<CheckOut, 'messageId' | 'couponCode' | 'unusedCouponCode' | keyof Priced>;

export type Answers =
  | { readonly wrong: readonly WrongAnswer[] }
  | { readonly wrong?: never; readonly said: Said; readonly handover: Handover };

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

interface Chosen {
  readonly fulfilment: 'delivery' | 'pickup';
  readonly area?: DeliveryArea;
}

/** How the customer wants to get the goods, or what is wrong with that. */
function chosen(fields: Fields, settings: DeliverySettings): Chosen | WrongAnswer {
  switch (text(fields.fulfilment).toLowerCase()) {
    case 'pickup':
      return settings.pickupEnabled ? { fulfilment: 'pickup' } : 'noPickup';
    case 'delivery': {
      if (!settings.deliveryEnabled) return 'noDelivery';
      const area = activeArea(settings, text(fields.area));
      return area === undefined ? 'area' : { fulfilment: 'delivery', area };
    }
    default:
      return 'fulfilment';
  }
}

/** All that is wrong at once, or the checkout. Settings are those of now: an area may have gone since the form was sent. */
export function readAnswers(fields: Fields, settings: DeliverySettings, readPhone: ReadTyped): Answers {
  const choice = chosen(fields, settings);
  const customerName = text(fields.name);
  const address = text(fields.address);
  const contact = text(fields.contact_phone);
  const contactPhone = contact === '' ? undefined : readPhone(contact);
  const wrong: WrongAnswer[] = [];
  if (typeof choice === 'string') wrong.push(choice);
  if (customerName === '' || customerName.length > MOST_NAME) wrong.push('name');
  if (contact !== '' && contactPhone === undefined) wrong.push('phone');
  if (address.length > MOST_ADDRESS) wrong.push('address');
  if (typeof choice === 'string' || wrong.length > 0) return { wrong };
  return {
    said: {
      ...saidOf(choice, settings),
      customerName,
      ...(contactPhone === undefined ? {} : { contactPhone }),
      ...(address === '' ? {} : { address }),
    },
    handover: handoverOf(choice, settings),
  };
}

const saidOf = ({ fulfilment, area }: Chosen, { requestLocation }: DeliverySettings) => ({
  fulfilment,
  ...(area === undefined ? {} : { deliveryArea: area.name, deliveryAreaId: area.id }),
  requestLocation: area !== undefined && requestLocation,
});

const handoverOf = ({ area }: Chosen, { freeDeliveryAboveCents }: DeliverySettings): Handover =>
  area === undefined
    ? { fulfilment: 'pickup' }
    : { fulfilment: 'delivery', areaFeeCents: area.feeCents, freeDeliveryAboveCents };

/** The coupon's code as the customer entered it; undefined when the field was left empty. */
export function couponIn(fields: Fields): string | undefined {
  const code = text(fields.coupon);
  return code === '' ? undefined : code;
}
