/** Stored for ever: events of one order, stream `order-{orderId}`. Add fields as optional, never change a meaning. */
import type { DomainEvent } from '../decider.js';
import type { WalletId } from '../payments/paymentEvents.js';

export type OrderStatus =
  | 'new'
  | 'awaiting_payment'
  | 'paid'
  | 'preparing'
  | 'out_for_delivery'
  | 'delivered'
  | 'cancelled'
  | 'refunded';

export type Fulfilment = 'delivery' | 'pickup';

export interface OrderLine {
  readonly productExternalId: string;
  readonly retailerId: string;
  readonly name: string;
  readonly size?: string;
  readonly color?: string;
  readonly quantity: number;
  /** The store's price of one when the order was priced, sale prices and flash sales applied. */
  readonly unitPriceCents: number;
  /** The product's category when the order was priced: promotions at checkout look at it. */
  readonly categoryExternalId?: string;
  /** Under flash sales: which, and the price of one without them. */
  readonly flashSaleIds?: readonly string[];
  readonly withoutFlashSaleCents?: number;
  /**
   * What the flash sales that were open for it make of its price, whether they lowered it or something else was better:
   * they compete with other promotions again at checkout. Absent when there were none, and on lines of before, whose
   * price stays as it is.
   */
  readonly flashSales?: FlashSalePrices;
}

/** A flash sale by its name of then. */
export interface FlashSaleName {
  readonly promotionId: string;
  readonly name: string;
}

/** Whole cents of one unit, and the flash sales that lower it to that; at most 10 of them are named. */
export interface FlashSalePrice {
  readonly unitPriceCents: number;
  readonly sales: readonly FlashSaleName[];
}

export interface FlashSalePrices {
  /** The store's price without them. */
  readonly storeCents: number;
  /** The best single one, or the combinable ones together where that is less. */
  readonly best: FlashSalePrice;
  /** The combinable ones together, `'best'` when that is the best; absent when there are none. */
  readonly combinable?: FlashSalePrice | 'best';
  /** Others, which neither of the two has; at most 2. */
  readonly beaten?: readonly FlashSaleName[];
}

/**
 * A promotion that takes part in an order's discount, on the terms that the order got: they stay when the promotion is
 * changed or deleted. Exactly one of `percentOff` and `amountOffCents`.
 */
export interface AppliedPromotion {
  readonly promotionId: string;
  readonly kind: 'number_list' | 'coupon';
  readonly name: string;
  readonly code?: string;
  /** Its part of the order's discount. */
  readonly discountCents: number;
  readonly percentOff?: number;
  readonly amountOffCents?: number;
  readonly combinable: boolean;
  /** What the goods have to come to for it; absent when there is no minimum. */
  readonly minSubtotalCents?: number;
  /** The places, from 0, of the order's lines in its scope; all of them when absent. */
  readonly lines?: readonly number[];
}

/**
 * A promotion that could have been used and is not. `not_combinable`: it does not add to what applies, which is better.
 * `min_subtotal`: a minimum would not be reached.
 */
export interface PassedOver {
  readonly promotionId: string;
  readonly kind: 'flash_sale' | 'number_list' | 'coupon';
  readonly name: string;
  readonly code?: string;
  /** free_delivery: with it the goods would cost less, and the order with its delivery more. */
  readonly why: 'not_combinable' | 'min_subtotal' | 'free_delivery';
}

/**
 * How a price came about. `promotions` and `lineDiscounts` sum to `totals.discountCents`, and are absent without a
 * discount.
 */
export interface DiscountParts {
  readonly promotions?: readonly AppliedPromotion[];
  /** Off each of the order's lines, in their order, in whole cents. */
  readonly lineDiscounts?: readonly number[];
  /** Flash sales that are in the unit prices, at most 20. */
  readonly flashSales?: readonly FlashSaleName[];
  /** At most 20; coupons first, then flash sales. */
  readonly passedOver?: readonly PassedOver[];
}

export interface OrderTotals {
  readonly subtotalCents: number;
  readonly discountCents: number;
  readonly deliveryFeeCents: number;
  readonly totalCents: number;
}

/** A cart item that is not part of the order. `why`: domain/pricing/leftOut.ts; `stock`: how many there were. */
export interface LeftOutItem {
  readonly retailerId: string;
  readonly why: string;
  readonly name?: string;
  readonly stock?: number;
}

/** Why nobody was charged. */
export type PaymentFailureReason =
  /** The customer said no. */
  | 'cancelled'
  /** The customer did not answer in time. */
  | 'no_answer'
  | 'insufficient_funds'
  | 'wrong_pin'
  /** There is no such wallet. */
  | 'wrong_number'
  /** The provider does not accept the store's account. */
  | 'store_account'
  | 'refused'
  | 'unavailable'
  /** The order was cancelled before the customer was asked. */
  | 'closed'
  /** The store took no orders any more when the customer was to be asked: closed, or a plan without them. */
  | 'store_closed'
  /** The store took the money otherwise before the customer was asked. */
  | 'withdrawn';

/** Why the service cancelled an order: nobody checked it out, or nothing of it could be ordered when somebody did. */
export type CancelCause = 'abandoned' | 'nothing_left';

export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export type OrderEvent =
  | DomainEvent<
      'OrderPlaced',
      {
        number: number;
        lines: readonly OrderLine[];
        totals: OrderTotals;
        currency: 'USD';
        customerPhone: string;
        customerName?: string;
        conversationId?: string;
        /** Of the conversation when the cart came; absent when it had none. */
        teamId?: string;
        /** Cart items that were left out, and why. */
        note?: string;
        /** The same as `note` for machines, at most 50. */
        leftOut?: readonly LeftOutItem[];
        discountReason?: string;
      } & DiscountParts
    >
  | DomainEvent<'OrderSummarySent', { messageId: string }>
  /** Uses of these promotions may be reserved for the order from now on; those that it does not need are given back. */
  | DomainEvent<'OrderPromotionsClaimed', { promotionIds: readonly string[] }>
  /** Before its checkout: a promotion that it was placed with can no longer be used, or its form was answered late. */
  | DomainEvent<
      'OrderRepriced',
      {
        totals: OrderTotals;
        discountReason?: string;
        /** Where it is priced from the catalog, all that is left of it; else see `OrderCheckedOut`. */
        lines?: readonly OrderLine[];
        /** Its form was answered late: the catalog's prices of this moment hold from now on. */
        fromCatalog?: true;
        /** Of its lines, those that are no longer part of it, and why; beside what its note said before. */
        note?: string;
        /** The same as `note` for machines, at most 50. */
        leftOut?: readonly LeftOutItem[];
      } & DiscountParts
    >
  | DomainEvent<
      'OrderCheckedOut',
      {
        fulfilment: Fulfilment;
        /** Priced again: the discount and the fee at checkout. */
        totals: OrderTotals;
        /** The same lines at other prices; absent when all stay: a flash sale gave way to a coupon, or the other way round. */
        lines?: readonly OrderLine[];
        deliveryArea?: string;
        deliveryAreaId?: string;
        customerName?: string;
        contactPhone?: string;
        address?: string;
        /** A coupon that is part of the discount. */
        couponCode?: string;
        /** A coupon that was entered and could have been used, but another discount is better. */
        unusedCouponCode?: string;
        discountReason?: string;
        /** Whether the customer is asked for a location pin. */
        requestLocation: boolean;
        /** The customer's message that filled the form: how its repeat is told from a second answer. */
        messageId?: string;
        /** The customer pays the store in cash, though it takes wallets. */
        payment?: 'cash';
      } & DiscountParts
    >
  /** `receivedAt`: when the customer's pin came; RFC 3339. */
  | DomainEvent<'OrderLocationShared', GeoPoint & { receivedAt?: string }>
  /** The customer is to be asked for the money. `attempt`: from 1; `reference`: what the provider knows the try by. */
  | DomainEvent<
      'OrderPaymentRequested',
      {
        attempt: number;
        reference: string;
        wallet: WalletId;
        /** '+' and digits. */
        payer: string;
        amountCents: number;
        /** The store's account at the provider. */
        merchantId: string;
        /** The customer's message that chose the wallet. */
        messageId?: string;
        /** The provider is asked after `OrderPaymentAnnounced`; at once when absent. */
        awaitsAnnouncement?: true;
      }
    >
  /** The customer has been told the final total that the try asks for: only now the provider may be asked. */
  | DomainEvent<'OrderPaymentAnnounced', { attempt: number }>
  /** Written before the provider is asked: a try is sent once, and after this only looked up. */
  | DomainEvent<'OrderPaymentBegun', { attempt: number }>
  /** The order is paid; beside the move to `paid`. */
  | DomainEvent<'OrderPaid', { attempt: number; transactionId: string; amountCents: number; wallet: WalletId }>
  /** Nobody was charged. `code`: the provider's. */
  | DomainEvent<'OrderPaymentFailed', { attempt: number; reason: PaymentFailureReason; code?: string }>
  /**
   * Charged, but the order could not take it any more (cancelled, or paid by another try): it is to go back. `why`: the store
   * stopped taking orders before the charge was known; the order is then cancelled beside it.
   */
  | DomainEvent<
      'OrderPaymentSurplus',
      { attempt: number; transactionId: string; amountCents: number; why?: 'store_closed' }
    >
  /** The money of a try went back to the customer. */
  | DomainEvent<'OrderRefunded', { attempt: number; refundId: string; amountCents: number }>
  | DomainEvent<'OrderStatusChanged', { from: OrderStatus; to: OrderStatus; note?: string; cause?: CancelCause }>
  | DomainEvent<'CustomerNotified', { status: OrderStatus; messageId: string }>
  /** `messageId`: the message that did not reach the customer; absent when none could be sent. */
  | DomainEvent<'CustomerNotNotified', { status: OrderStatus; reason: string; messageId?: string }>;

/** Numbers of a store's orders, stream `orderNumbers-{workspaceId}`: from 1, without duplicates. */
export type OrderNumberEvent = DomainEvent<'OrderNumberAssigned', { orderId: string; number: number }>;
