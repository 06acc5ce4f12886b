/** The sandbox's payment provider: which customers pay, which do not, and what was charged and given back. */

import { randomInt } from 'node:crypto';
import type { Clock } from '../../engine/ports/clock.js';
import { dropOldest } from '../dropOldest.js';

/** Result of a payment; the service may be notified of less. */
export type PaymentEnd = 'APPROVED' | 'DECLINED' | 'CANCELLED' | 'PENDING';

export interface SandboxPayment {
  readonly reference: string;
  readonly merchantId: string;
  /** Digits. */
  readonly payer: string;
  /** As requested, such as 10.00. */
  readonly amount: string;
  readonly description: string;
  readonly transactionId: string;
  /** ms since 1970. */
  readonly at: number;
  state: PaymentEnd;
  /** While PENDING: when it is approved by itself, ms since 1970; never when absent. */
  readonly settlesAt?: number;
  /** The money went back. */
  reversed: boolean;
  /** Number of requests of the service: more than one is a fault of the service. */
  asked: number;
}

/** A payment as the journal keeps it. */
export interface PaymentEntry {
  readonly kind: 'payment';
  readonly payment: SandboxPayment;
}

/** How a customer meets a payment. */
export const PAYER_ACTS = [
  'pays',
  'cancels',
  'has_too_little',
  'does_not_answer',
  'mistypes_pin',
  'unknown_number',
  /** Is charged, but the connection breaks before the service hears of it. */
  'answer_lost',
  /** The connection breaks, and the customer pays some seconds later. */
  'pays_late',
  /** The connection breaks before the provider has understood the request. */
  'not_taken',
] as const;
export type PayerAct = (typeof PAYER_ACTS)[number];

/** Without a fault on demand, the last digits of the customer's number decide. */
const BY_ENDING: Readonly<Record<string, PayerAct>> = {
  '9901': 'cancels',
  '9902': 'has_too_little',
  '9903': 'does_not_answer',
  '9904': 'answer_lost',
  '9905': 'pays_late',
  '9906': 'mistypes_pin',
  '9907': 'unknown_number',
  '9908': 'not_taken',
};
export const actOf = (payer: string): PayerAct => BY_ENDING[payer.slice(-4)] ?? 'pays';

const LATE_MS = 3_000;
const KEPT = 10_000;

const ENDS: Readonly<Partial<Record<PayerAct, PaymentEnd>>> = {
  pays: 'APPROVED',
  answer_lost: 'APPROVED',
  pays_late: 'PENDING',
  cancels: 'CANCELLED',
};

export type NewPayment = Pick<SandboxPayment, 'reference' | 'merchantId' | 'payer' | 'amount' | 'description'>;

export interface SandboxPayments {
  /** Undefined: the reference was used before, which counts as a repeated request. */
  add(request: NewPayment, act: PayerAct): SandboxPayment | undefined;
  find(reference: string): SandboxPayment | undefined;
  byTransaction(transactionId: string): SandboxPayment | undefined;
  /** Decides a pending one; false: there is none. */
  settle(reference: string, state: 'APPROVED' | 'DECLINED'): boolean;
  list(): readonly SandboxPayment[];
  entry(payment: SandboxPayment): PaymentEntry;
  apply(entry: PaymentEntry): void;
  entries(): Iterable<PaymentEntry>;
}

export function createPayments(clock: Clock): SandboxPayments {
  const payments = new Map<string, SandboxPayment>();
  const store = (payment: SandboxPayment): void => {
    payments.set(payment.reference, payment);
    dropOldest(payments, KEPT);
  };
  const current = (payment: SandboxPayment | undefined): SandboxPayment | undefined => {
    if (payment?.state === 'PENDING' && payment.settlesAt !== undefined && payment.settlesAt <= clock.now())
      payment.state = 'APPROVED';
    return payment;
  };
  const entry = (payment: SandboxPayment): PaymentEntry => ({ kind: 'payment', payment });
  return {
    add(request, act) {
      const known = payments.get(request.reference);
      if (known !== undefined) {
        known.asked += 1;
        return undefined;
      }
      const at = clock.now();
      const payment: SandboxPayment = {
        ...request,
        transactionId: String(randomInt(1_000_000, 100_000_000)),
        at,
        state: ENDS[act] ?? 'DECLINED',
        ...(act === 'pays_late' ? { settlesAt: at + LATE_MS } : {}),
        reversed: false,
        asked: 1,
      };
      store(payment);
      return payment;
    },
    find: (reference) => current(payments.get(reference)),
    byTransaction(transactionId) {
      for (const payment of payments.values()) if (payment.transactionId === transactionId) return current(payment);
      return undefined;
    },
    settle(reference, state) {
      const payment = current(payments.get(reference));
      if (payment?.state !== 'PENDING') return false;
      payment.state = state;
      return true;
    },
    list: () => [...payments.values()].map((payment) => current(payment)!),
    entry,
    apply: ({ payment }) => store(payment),
    *entries() {
      for (const payment of payments.values()) yield entry(payment);
    },
  };
}
