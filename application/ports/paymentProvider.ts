import type { PaymentFailureReason } from '../../domain/orders/orderEvents.js';

/** A store's account at the payment provider, in clear: only in memory, never in logs, errors or events. */
export interface PaymentAccount {
  readonly merchantId: string;
  readonly apiKey: string;
}

export interface Charge {
  /** Ours, the same for every repeat: at most 50 letters, digits, dots, dashes, underscores. One reference is charged once. */
  readonly reference: string;
  /** The customer's wallet: '+' and digits. */
  readonly payer: string;
  /** Whole US cents. */
  readonly amountCents: number;
  /** What the customer reads beside the amount. */
  readonly description: string;
}

/** Why nobody was charged, for good: what a provider can know of it. */
export type PaymentFailure = Exclude<
  PaymentFailureReason,
  'unavailable' | 'closed' | 'store_closed' | 'withdrawn' | 'not_confirmed' | 'too_many' | 'goods_gone'
>;

export type PaymentOutcome =
  | { readonly state: 'approved'; readonly transactionId: string }
  /** `code`: the provider's, for the store. */
  | { readonly state: 'failed'; readonly reason: PaymentFailure; readonly code?: string }
  /** It may or may not have been charged: ask again with `find`. */
  | { readonly state: 'unknown'; readonly code: string }
  /** The provider has not been reached: certainly nothing was charged. */
  | { readonly state: 'not_sent'; readonly code: string };

/** What the provider knows of a reference; `none`: nothing. `pending`: the customer has not answered yet. */
export type FoundPayment =
  | Exclude<PaymentOutcome, { state: 'not_sent' }>
  | { readonly state: 'none' }
  | { readonly state: 'pending' };

export interface Refund {
  readonly reference: string;
  /** The provider's name of the charge. */
  readonly transactionId: string;
  readonly description: string;
}

/** `failed`: not now; the same request may succeed later. A charge that was given back before is `refunded`. */
export type RefundOutcome =
  | { readonly state: 'refunded'; readonly refundId: string }
  | { readonly state: 'failed'; readonly code: string };

/** Takes customers' money for stores. Bounded in time; answers outcomes, throws only when `signal` aborted. */
export interface PaymentProvider {
  /** Asks the customer for the money and waits for the answer: up to five minutes. */
  charge(account: PaymentAccount, charge: Charge, signal: AbortSignal): Promise<PaymentOutcome>;
  find(account: PaymentAccount, reference: string, signal: AbortSignal): Promise<FoundPayment>;
  /** The whole of a charge, back to who paid it. */
  refund(account: PaymentAccount, refund: Refund, signal: AbortSignal): Promise<RefundOutcome>;
  /** Whether the provider accepts the account. Charges nobody. */
  check(account: PaymentAccount, signal: AbortSignal): Promise<'accepted' | 'refused' | 'unreachable'>;
}
