/** Parts of order events, stored with them for ever. Add fields as optional, never change a meaning. */
import { OneOf, Type } from '../schema.js';
import { Code, Decimal, Flag, Id, Label, List, Maybe, Personal, Shape, type Stored, Whole } from '../storedEvents.js';

const NOTIFIED = [
  'awaiting_payment',
  'paid',
  'preparing',
  'out_for_delivery',
  'delivered',
  'cancelled',
  'refunded',
] as const;

/** A status that the customer may be notified of. */
export const NotifiedStatus = OneOf(...NOTIFIED);
export const OrderStatus = OneOf('new', ...NOTIFIED);
export type OrderStatus = Stored<typeof OrderStatus>;

export const Fulfilment = OneOf('delivery', 'pickup');
export type Fulfilment = Stored<typeof Fulfilment>;

const FlashSaleName = Shape('FlashSaleName', { promotionId: Id(), name: Label() }, 'A flash sale by its name of then.');
/** A flash sale with its name at that time. */
export type FlashSaleName = Stored<typeof FlashSaleName>;

const FlashSalePrice = Shape('FlashSalePrice', {
  unitPriceCents: Whole('Of one unit.'),
  sales: List(FlashSaleName, 'The flash sales that lower it to that; at most 10 are named.'),
});
/** Price of one unit in whole cents, and the flash sales that lower it to that. At most 10 are listed. */
export type FlashSalePrice = Stored<typeof FlashSalePrice>;

const FlashSalePrices = Shape('FlashSalePrices', {
  storeCents: Whole("The store's price without them."),
  best: FlashSalePrice,
  combinable: Maybe(
    Type.Union([FlashSalePrice, Type.Literal('best')]),
    "The combinable ones together, 'best' when that is the best; absent when there are none.",
  ),
  beaten: Maybe(List(FlashSaleName), 'Others, which neither of the two has; at most 2.'),
});
/** `best`: the best single flash sale, or the combinable ones together if they cost less. */
export type FlashSalePrices = Stored<typeof FlashSalePrices>;

export const OrderLine = Shape('OrderLine', {
  productExternalId: Id(),
  retailerId: Id(),
  name: Label(),
  size: Maybe(Label()),
  color: Maybe(Label()),
  quantity: Whole(),
  unitPriceCents: Whole("The store's price of one when the order was priced, sale prices and flash sales applied."),
  listPriceCents: Maybe(Whole('While a sale price applied: the price of one without it.')),
  categoryExternalId: Maybe(Id("The product's category when the order was priced; promotions at checkout use it.")),
  flashSaleIds: Maybe(List(Id()), 'Under flash sales: which.'),
  withoutFlashSaleCents: Maybe(Whole('Under flash sales: the price of one without them.')),
  flashSales: Maybe(
    FlashSalePrices,
    'What the flash sales that were open for it make of its price, whether they lowered it or something else was better: ' +
      'they compete with other promotions again at checkout. Absent when there were none, and on lines of before, whose ' +
      'price stays as it is.',
  ),
});
export type OrderLine = Stored<typeof OrderLine>;

const AppliedPromotion = Shape(
  'AppliedPromotion',
  {
    promotionId: Id(),
    kind: OneOf('number_list', 'coupon'),
    name: Label(),
    code: Maybe(Code()),
    discountCents: Whole("Its part of the order's discount."),
    percentOff: Maybe(Whole()),
    amountOffCents: Maybe(Whole()),
    combinable: Flag(),
    minSubtotalCents: Maybe(Whole('Minimum price of the goods; absent if there is none.')),
    lines: Maybe(List(Whole()), "Indexes, from 0, of the order's lines in its scope; all lines if absent."),
  },
  "A promotion that takes part in an order's discount, on the terms that the order got. Exactly one of `percentOff` and " +
    '`amountOffCents`.',
);
/**
 * A promotion in an order's discount, on the order's terms, which do not change when the promotion is changed or deleted. Exactly one of
 * `percentOff` and `amountOffCents`.
 */
export type AppliedPromotion = Stored<typeof AppliedPromotion>;

const PassedOver = Shape(
  'PassedOver',
  {
    promotionId: Id(),
    kind: OneOf('flash_sale', 'number_list', 'coupon'),
    name: Label(),
    code: Maybe(Code()),
    why: OneOf('not_combinable', 'min_subtotal', 'free_delivery'),
  },
  'A promotion that could have been used and is not: it does not add to what applies, which is better; a minimum would not ' +
    'be reached; or with it the goods would cost less, and the order with its delivery more.',
);
/**
 * A promotion that could have been used but is not. `not_combinable`: it cannot be combined with a better one. `min_subtotal`: a minimum
 * would not be reached. `free_delivery`: with it the goods would cost less, but the order with its delivery more.
 */
export type PassedOver = Stored<typeof PassedOver>;

export const DiscountParts = Shape('DiscountParts', {
  promotions: Maybe(List(AppliedPromotion), 'They sum to `totals.discountCents`; absent without a discount.'),
  lineDiscounts: Maybe(List(Whole()), "Off each of the order's lines, in their order, in whole cents."),
  flashSales: Maybe(List(FlashSaleName), 'Flash sales that are in the unit prices, at most 20.'),
  passedOver: Maybe(List(PassedOver), 'At most 20; coupons first, then flash sales.'),
});
/** Parts of a price. `promotions` and `lineDiscounts` sum to `totals.discountCents`, and are absent without a discount. */
export type DiscountParts = Stored<typeof DiscountParts>;

export const OrderTotals = Shape('OrderTotals', {
  subtotalCents: Whole(),
  discountCents: Whole(),
  deliveryFeeCents: Whole(),
  totalCents: Whole(),
});
export type OrderTotals = Stored<typeof OrderTotals>;

export const OfferedArea = Shape(
  'OfferedArea',
  {
    id: Id(),
    name: Label(),
    feeCents: Whole("The area's fee, before free delivery."),
    totalCents: Whole('What the order costs with delivery to it.'),
  },
  'A delivery area as a checkout form shows it.',
);
/** A delivery area in a checkout form. */
export type OfferedArea = Stored<typeof OfferedArea>;

export const LeftOutItem = Shape('LeftOutItem', {
  retailerId: Id(),
  why: Code('domain/pricing/leftOutItems.ts has them all.'),
  name: Maybe(Label()),
  stock: Maybe(Whole('How many there were.')),
});
/** A cart item that is not part of the order. `why`: domain/pricing/leftOutItems.ts. `stock`: number of units in stock. */
export type LeftOutItem = Stored<typeof LeftOutItem>;

/**
 * Reason why nobody was charged. `cancelled`: the customer declined. `no_answer`: the customer did not answer in time. `wrong_number`: the
 * wallet does not exist. `store_account`: the provider does not accept the store's account. `closed`: the order was cancelled before the
 * payment request. `store_closed`: at the time of the payment request the store took no orders, because it was closed or its plan allowed
 * none. `withdrawn`: the store was paid in another way before the payment request. `not_confirmed`: the customer did not confirm a number
 * other than the chat's. `too_many`: the limit of prompts was reached. `goods_gone`: at the time of the payment request the store no longer
 * sold all of the goods.
 */
export const PaymentFailureReason = OneOf(
  'cancelled',
  'no_answer',
  'insufficient_funds',
  'wrong_pin',
  'wrong_number',
  'store_account',
  'refused',
  'unavailable',
  'closed',
  'store_closed',
  'withdrawn',
  'not_confirmed',
  'too_many',
  'goods_gone',
);
export type PaymentFailureReason = Stored<typeof PaymentFailureReason>;

/**
 * Reason why the service cancelled an order: it was not checked out, none of its goods were available, the customer deleted the cart, or it
 * was not paid in time.
 */
export const CancelCause = OneOf('abandoned', 'nothing_left', 'cart_deleted', 'unpaid');
export type CancelCause = Stored<typeof CancelCause>;

export const GeoPoint = Shape('GeoPoint', {
  latitude: Personal('place', Decimal()),
  longitude: Personal('place', Decimal()),
});
export type GeoPoint = Stored<typeof GeoPoint>;
