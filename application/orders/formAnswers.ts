/** The customer's answers to the checkout form, validated against the store's delivery settings. */
import { activeArea } from '../../domain/delivery/delivery.js';
import type { DeliveryArea, DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import type { CheckOut } from '../../domain/orders/checkout.js';
import type { Handover, Priced } from '../../domain/pricing/pricing.js';
import { lengthOf } from '../../domain/templates/textVariables.js';
import { answered, type Fields } from '../channel/formFields.js';
import type { ReadTyped } from '../phones.js';

/** Problem in the answers to the checkout form. */
export type WrongAnswer =
  | 'fulfilment'
  | 'noDelivery'
  | 'noPickup'
  | 'area'
  | 'name'
  | 'phone'
  | 'address'
  /** Neither a text nor a number. */
  | 'addressUnread'
  | 'couponUnread';

/** Maximum characters. */
const MOST_NAME = 120;
const MOST_ADDRESS = 500;

/** The customer's answers, without prices. */
export type ReadAnswers = Omit<CheckOut, 'messageId' | 'couponCode' | 'unusedCouponCode' | 'payment' | keyof Priced>;

export type Answers =
  | { readonly wrong: readonly WrongAnswer[] }
  | {
      readonly wrong?: never;
      readonly answers: ReadAnswers;
      readonly handover: Handover;
      /** Undefined for pickup. */
      readonly area: DeliveryArea | undefined;
      /** Code of the coupon as entered. Undefined if the field was empty. */
      readonly coupon: string | undefined;
    };

interface Chosen {
  readonly fulfilment: 'delivery' | 'pickup';
  readonly area?: DeliveryArea;
}

/** Returns the chosen fulfilment, or its problem. */
function chosen(fields: Fields, settings: DeliverySettings): Chosen | WrongAnswer {
  switch (answered(fields, 'fulfilment')?.toLowerCase()) {
    case 'pickup':
      return settings.pickupEnabled ? { fulfilment: 'pickup' } : 'noPickup';
    case 'delivery': {
      if (!settings.deliveryEnabled) return 'noDelivery';
      const area = activeArea(settings, answered(fields, 'area') ?? '');
      return area === undefined ? 'area' : { fulfilment: 'delivery', area };
    }
    default:
      return 'fulfilment';
  }
}

/** Returns the entered fields. Undefined: unreadable. */
function enteredIn(fields: Fields, readPhone: ReadTyped) {
  const contact = answered(fields, 'contact_phone');
  return {
    name: answered(fields, 'name'),
    contactPhone: contact === undefined || contact === '' ? contact : readPhone(contact),
    address: answered(fields, 'address'),
    coupon: answered(fields, 'coupon'),
  };
}
type Entered = ReturnType<typeof enteredIn>;

function wrongIn({ name = '', contactPhone, address, coupon }: Entered): WrongAnswer[] {
  const wrong: WrongAnswer[] = [];
  if (name === '' || lengthOf(name) > MOST_NAME) wrong.push('name');
  if (contactPhone === undefined) wrong.push('phone');
  if (address === undefined) wrong.push('addressUnread');
  else if (lengthOf(address) > MOST_ADDRESS) wrong.push('address');
  if (coupon === undefined) wrong.push('couponUnread');
  return wrong;
}

/**
 * Returns all problems at once, or the answers. Fields: `fulfilment`, `area` (id or name), `name`, and optionally `contact_phone`,
 * `address`, `coupon`. Uses the current settings: an area may have been removed since the form was sent.
 */
export function readAnswers(fields: Fields, settings: DeliverySettings, readPhone: ReadTyped): Answers {
  const choice = chosen(fields, settings);
  const entered = enteredIn(fields, readPhone);
  const wrong = wrongIn(entered);
  if (typeof choice === 'string') return { wrong: [choice, ...wrong] };
  if (wrong.length > 0) return { wrong };
  const { name: customerName = '', contactPhone = '', address = '', coupon = '' } = entered;
  return {
    answers: {
      ...chosenHandover(choice, settings),
      customerName,
      ...(contactPhone === '' ? {} : { contactPhone }),
      ...(address === '' ? {} : { address }),
    },
    handover: handoverOf(choice, settings),
    area: choice.area,
    coupon: coupon === '' ? undefined : coupon,
  };
}

const chosenHandover = ({ fulfilment, area }: Chosen, { requestLocation }: DeliverySettings) => ({
  fulfilment,
  ...(area === undefined ? {} : { deliveryArea: area.name, deliveryAreaId: area.id }),
  requestLocation: area !== undefined && requestLocation,
});

const handoverOf = ({ area }: Chosen, settings: DeliverySettings): Handover =>
  area === undefined ? { fulfilment: 'pickup' } : deliveryTo(area, settings);

/** Delivery to this area, as far as the price depends on it. */
export const deliveryTo = (
  { feeCents }: Pick<DeliveryArea, 'feeCents'>,
  { freeDeliveryAboveCents }: Pick<DeliverySettings, 'freeDeliveryAboveCents'>,
): Handover => ({ fulfilment: 'delivery', areaFeeCents: feeCents, freeDeliveryAboveCents });
