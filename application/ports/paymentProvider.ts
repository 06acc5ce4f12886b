import type { PaymentFailureReason } from '../../domain/orders/orderEvents.js';

/** A store's account at the payment provider, unsealed: only in memory, never in logs, errors or events. */
export interface PaymentAccount {
  readonly merchantId: string;
  readonly apiKey: string;
}

export interface Charge {
  /**
   * Our reference, the same for every repeat: at most 50 letters, digits, dots, dashes, underscores. The provider charges a reference once.
   */
  readonly reference: string;
  /** The customer's wallet: '+' and digits. */
  readonly payer: string;
  /** Whole US cents. */
  readonly amountCents: number;
  /** Text that the customer sees next to the amount. */
  readonly description: string;
}

/** Permanent reason why nobody was charged, as far as a provider can know it. */
export type PaymentFailure = Exclude<
  PaymentFailureReason,
  'unavailable' | 'closed' | 'store_closed' | 'withdrawn' | 'not_confirmed' | 'too_many' | 'goods_gone'
>;

export type PaymentOutcome =
  | { readonly state: 'approved'; readonly transactionId: string }
  /** `code`: the provider's, for the store. */
  | { readonly state: 'failed'; readonly reason: PaymentFailure; readonly code?: string }
  /** It may or may not have been charged: query it with `find`. */
  | { readonly state: 'unknown'; readonly code: string }
  /** The provider was not reached: certainly nothing was charged. */
  | { readonly state: 'not_sent'; readonly code: string };

/** The provider's information about a reference. `none`: unknown. `pending`: the customer has not answered yet. */
export type FoundPayment =
  | Exclude<PaymentOutcome, { state: 'not_sent' }>
  | { readonly state: 'none' }
  | { readonly state: 'pending' };

export interface Refund {
  readonly reference: string;
  /** The provider's id of the charge. */
  readonly transactionId: string;
  readonly description: string;
}

/** `failed`: temporary. The same request may succeed later. A charge that was refunded before is `refunded`. */
export type RefundOutcome =
  | { readonly state: 'refunded'; readonly refundId: string }
  | { readonly state: 'failed'; readonly code: string };

/** Charges customers for stores. Bounded in time. Returns outcomes, and throws only if `signal` is aborted. */
export interface PaymentProvider {
  /** Requests the money from the customer and waits for the answer: up to five minutes. */
  charge(account: PaymentAccount, charge: Charge, signal: AbortSignal): Promise<PaymentOutcome>;
  find(account: PaymentAccount, reference: string, signal: AbortSignal): Promise<FoundPayment>;
  /** Refunds the whole charge to the payer. */
  refund(account: PaymentAccount, refund: Refund, signal: AbortSignal): Promise<RefundOutcome>;
  /** Checks whether the provider accepts the account. Charges nobody. */
  check(account: PaymentAccount, signal: AbortSignal): Promise<'accepted' | 'refused' | 'unreachable'>;
}
