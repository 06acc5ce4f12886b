/** Stored for ever: events of one order, stream `order-{orderId}`. Add fields as optional, never change a meaning. */
import { WalletId } from '../payments/paymentEvents.js';
import { Type } from '../schema.js';
import {
  Code,
  defineEvents,
  type EventsOf,
  event,
  Flag,
  Id,
  Label,
  List,
  Mark,
  Maybe,
  Personal,
  Text,
  Time,
  Whole,
} from '../storedEvents.js';
import {
  CancelCause,
  DiscountParts,
  Fulfilment,
  GeoPoint,
  LeftOutItem,
  OfferedArea,
  OrderLine,
  OrderStatus,
  OrderTotals,
  PaymentFailureReason,
} from './orderShapes.js';

export type {
  AppliedPromotion,
  CancelCause,
  DiscountParts,
  FlashSaleName,
  FlashSalePrice,
  FlashSalePrices,
  Fulfilment,
  GeoPoint,
  LeftOutItem,
  OfferedArea,
  OrderLine,
  OrderStatus,
  OrderTotals,
  PassedOver,
  PaymentFailureReason,
} from './orderShapes.js';

const attempt = Whole('Which try to pay, from 1.');
const leftOut = Maybe(List(LeftOutItem), 'The same as `note` for machines, at most 50.');

export const orderEvents = defineEvents(
  {
    OrderPlaced: event('A customer sends a cart that can be ordered, or part of it.', {
      number: Whole('Of the order in its store, from 1.'),
      lines: List(OrderLine),
      totals: OrderTotals,
      currency: Type.Literal('USD'),
      customerPhone: Personal('phone', Text()),
      customerName: Maybe(Personal('name', Text())),
      conversationId: Maybe(Personal('derivedId', Text())),
      teamId: Maybe(Id('Of the conversation when the cart came; absent when it had none.')),
      note: Maybe(Label('Cart items that were left out, and why.')),
      customerNote: Maybe(Personal('text', Text('Note that the customer sent with the cart.'))),
      leftOut,
      discountReason: Maybe(Label()),
      ...DiscountParts.properties,
    }),
    OrderSummarySent: event('The customer is sent the order with its checkout form.', { messageId: Id() }),
    OrderCheckoutOffered: event(
      'A checkout form is sent to the customer. The event has its content. A customer is never charged more than the answered form showed.',
      {
        token: Id('Comes back with the answers; each form has its own.'),
        messageId: Id('The message that carries the form.'),
        totals: OrderTotals,
        areas: List(OfferedArea, 'Empty where the store does not deliver.'),
        freeDeliveryAboveCents: Maybe(Whole('As the form names it; absent when it names none.')),
        pricesHoldUntil: Maybe(Time('Later answers are priced from the catalog again. If absent, never.')),
      },
    ),
    OrderPromotionsClaimed: event(
      'Uses of these promotions may be reserved for the order from now on; those that it does not need are given back.',
      { promotionIds: List(Id()) },
    ),
    OrderRepriced: event(
      'A promotion that it was placed with can no longer be used, its form was answered late, or some of its goods are unavailable.',
      {
        totals: OrderTotals,
        discountReason: Maybe(Label()),
        lines: Maybe(
          List(OrderLine),
          'If priced from the catalog, all remaining lines; otherwise as in `OrderCheckedOut`.',
        ),
        fromCatalog: Mark('The form was answered late, so the current prices of the catalog apply.'),
        note: Maybe(Label('The earlier note, with the removed lines and the reasons.')),
        leftOut,
        ...DiscountParts.properties,
      },
    ),
    OrderCheckedOut: event("The customer fills the order's checkout form.", {
      fulfilment: Fulfilment,
      totals: OrderTotals,
      lines: Maybe(
        List(OrderLine),
        'The same lines at other prices; absent when all stay: a flash sale gave way to a coupon, or the other way round.',
      ),
      deliveryArea: Maybe(Personal('address', Text())),
      deliveryAreaId: Maybe(Personal('address', Text())),
      customerName: Maybe(Personal('name', Text())),
      contactPhone: Maybe(Personal('phone', Text())),
      address: Maybe(Personal('address', Text())),
      couponCode: Maybe(Code('A coupon that is part of the discount.')),
      unusedCouponCode: Maybe(
        Code('A coupon that was entered and could have been used, but another discount is better.'),
      ),
      discountReason: Maybe(Label()),
      requestLocation: Flag('True if the checkout requests a location pin.'),
      messageId: Maybe(
        Id("The customer's message that answered the form. It distinguishes a repeated message from a second answer."),
      ),
      payment: Maybe(Type.Literal('cash'), 'The customer pays the store in cash, though it takes wallets.'),
      ...DiscountParts.properties,
    }),
    OrderLocationShared: event('The customer sends a location pin.', {
      ...GeoPoint.properties,
      receivedAt: Maybe(Time('When the pin came.')),
    }),
    OrderPaymentOffered: event('The customer is sent a form to pay again, with this content.', {
      token: Id('Comes back with the answers; each form has its own.'),
      messageId: Id('The message that carries the form.'),
      attempt: Whole('The try that the form begins, from 1.'),
      totalCents: Whole('What the form asks for.'),
    }),
    OrderPaymentRequested: event('The customer chooses a wallet, and a payment is started.', {
      attempt,
      reference: Id('Reference of the attempt at the provider.'),
      wallet: WalletId,
      payer: Personal('account', Text("'+' and digits.")),
      amountCents: Whole(),
      merchantId: Id("The store's account at the provider."),
      messageId: Maybe(Id("The customer's message that chose the wallet.")),
      awaitsAnnouncement: Mark('The provider is called after `OrderPaymentAnnounced`; immediately if absent.'),
      awaitsConfirmation: Mark("The number is not the chat's: the provider is called after `OrderPaymentConfirmed`."),
    }),
    OrderPaymentAnnounced: event(
      'The customer was shown the final total of the attempt. Only now may the payment be requested.',
      { attempt },
    ),
    OrderPaymentConfirmed: event('The customer confirms the payment from a number other than the number of the chat.', {
      attempt,
      messageId: Id("The customer's message that confirmed it."),
    }),
    OrderPaymentBegun: event(
      'The payment is about to be requested. An attempt is sent once, and only looked up afterwards.',
      {
        attempt,
        sender: Maybe(Id('The only process that may send the attempt, once.')),
      },
    ),
    OrderPaid: event('The customer has paid. Comes with the change to `paid`.', {
      attempt,
      transactionId: Id(),
      amountCents: Whole(),
      wallet: WalletId,
    }),
    OrderPaymentFailed: event('An attempt failed, and nobody was charged.', {
      attempt,
      reason: PaymentFailureReason,
      code: Maybe(Code("The provider's.")),
      messageId: Maybe(Id("The customer's message that refused the number to pay from.")),
    }),
    OrderPaymentSurplus: event(
      'The customer was charged, but the order was already cancelled or paid by another attempt. The payment will be refunded.',
      {
        attempt,
        transactionId: Id(),
        amountCents: Whole(),
        why: Maybe(
          Type.Literal('store_closed'),
          'The store stopped taking orders before the charge was known; the order is then cancelled too.',
        ),
      },
    ),
    OrderRefunded: event('The payment of an attempt was refunded.', {
      attempt,
      refundId: Id(),
      amountCents: Whole(),
    }),
    OrderStatusChanged: event('The store, a payment or the service changes the status of the order.', {
      from: OrderStatus,
      to: OrderStatus,
      note: Maybe(Personal('text', Text())),
      cause: Maybe(CancelCause, 'Why the service cancelled it.'),
    }),
    CustomerNotified: event('The customer is notified of a status change.', { status: OrderStatus, messageId: Id() }),
    CustomerNotNotified: event('The customer could not be notified of a status change.', {
      status: OrderStatus,
      reason: Label(),
      messageId: Maybe(Id('The message that did not reach the customer. Absent if none could be sent.')),
    }),
  },
  'stream',
);
export type OrderEvent = EventsOf<typeof orderEvents>;

/** Numbers of a store's orders, stream `orderNumbers-{workspaceId}`: from 1, without duplicates. */
export const orderNumberEvents = defineEvents({
  OrderNumberAssigned: event('A cart is about to become an order.', { orderId: Id(), number: Whole() }),
});
export type OrderNumberEvent = EventsOf<typeof orderNumberEvents>;
