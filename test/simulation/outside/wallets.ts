/** The payment provider and its customers: decisions are slow, and answers are sometimes unknown. */
import type {
  Charge,
  FoundPayment,
  PaymentOutcome,
  PaymentProvider,
  RefundOutcome,
} from '../../../application/ports/paymentProvider.js';
import type { Remote } from './remote.js';

export interface Charged {
  readonly reference: string;
  readonly amountCents: number;
  /** Number of requests for this charge. The customer would see a prompt for each. */
  requests: number;
  state: 'pending' | 'approved' | 'failed';
  refunds: number;
}

export interface Wallets extends PaymentProvider {
  /** Charges by reference. */
  readonly charges: ReadonlyMap<string, Charged>;
  /** References of all attempted charges, including those that could not reach the provider. */
  readonly tried: ReadonlySet<string>;
  /** Answer to the last request of each charge that a process received. */
  readonly answers: ReadonlyMap<string, PaymentOutcome['state']>;
}

/** Share of calls that the provider answers or shows late. */
const LATE_SHARE = 0.1;

const transactionOf = (reference: string): string => `tx.${reference}`;

/**
 * `unreachable`: share of charges that cannot reach the provider. `slow`, `declined`: shares of customers who decide
 * late, and who do not pay.
 */
export function wallets(remote: Remote, { unreachable = 0.08, slow = 0.15, declined = 0.2 } = {}): Wallets {
  const charges = new Map<string, Charged>();
  const tried = new Set<string>();
  const answers = new Map<string, PaymentOutcome['state']>();

  function known(reference: string): Exclude<FoundPayment, { state: 'pending' }> | { state: 'pending' } {
    const charge = charges.get(reference);
    if (charge === undefined) return { state: 'none' };
    if (charge.state === 'approved') return { state: 'approved', transactionId: transactionOf(reference) };
    return charge.state === 'pending' ? { state: 'pending' } : { state: 'failed', reason: 'cancelled', code: '5310' };
  }

  function begin(reference: string, amountCents: number, decides: number): void {
    const before = charges.get(reference);
    if (before !== undefined) {
      before.requests += 1;
      return;
    }
    const charge: Charged = { reference, amountCents, requests: 1, state: 'pending', refunds: 0 };
    charges.set(reference, charge);
    const pays = remote.between(0, 1) < 1 - declined;
    remote.later(decides, `customer answers ${reference}`, () => {
      charge.state = pays ? 'approved' : 'failed';
    });
  }

  /** Returns a long duration for some calls, in ms. */
  const takes = (): { readonly takes?: number } =>
    remote.lies(LATE_SHARE) ? { takes: remote.between(2_000, 20_000) } : {};

  async function charge({ reference, amountCents }: Charge, signal?: AbortSignal): Promise<PaymentOutcome> {
    tried.add(reference);
    if (remote.lies(unreachable)) {
      const away = { what: `charge ${reference}, away`, signal };
      return remote.request<PaymentOutcome>(away, () => ({ state: 'not_sent', code: 'unreachable' }));
    }
    const decides = remote.lies(slow) ? remote.between(20_000, 90_000) : remote.between(300, 6_000);
    const silent = remote.lies(0.2);
    if (remote.lies(LATE_SHARE)) {
      // The charge is accepted, but not visible for a while.
      remote.later(remote.between(500, 8_000), `${reference} is there`, () => begin(reference, amountCents, decides));
      return remote.request({ what: 'gone', signal, takes: 4_000 }, () => ({ state: 'unknown', code: 'timeout' }));
    }
    await remote.request({ what: `charge ${reference}`, signal }, () => begin(reference, amountCents, decides));
    if (silent)
      return remote.request({ what: 'gone', signal, takes: 4_000 }, () => ({ state: 'unknown', code: 'timeout' }));
    return remote.request<PaymentOutcome>({ what: `charged ${reference}`, signal, takes: 2 * decides + 20 }, () => {
      const outcome = known(reference);
      return outcome.state === 'approved' || outcome.state === 'failed'
        ? outcome
        : { state: 'unknown', code: 'timeout' };
    });
  }

  return {
    charges,
    tried,
    answers,
    check: async () => 'accepted',
    charge(_, request, signal) {
      const outcome = charge(request, signal);
      const notify = ({ state }: PaymentOutcome): void => void answers.set(request.reference, state);
      outcome.then(notify, () => undefined);
      return outcome;
    },
    find: (_, reference, signal) =>
      remote.request<FoundPayment>({ what: `find ${reference}`, signal, ...takes() }, () =>
        remote.lies(0.2) ? { state: 'unknown', code: 'bad_answer' } : known(reference),
      ),
    refund: (_, { reference }, signal) =>
      remote.request<RefundOutcome>({ what: `refund ${reference}`, signal, ...takes() }, () => {
        const charge = charges.get(reference);
        if (charge?.state !== 'approved' || remote.lies(0.15)) return { state: 'failed', code: 'busy' };
        charge.refunds += 1;
        return remote.lies(0.2)
          ? { state: 'failed', code: 'no_answer' }
          : { state: 'refunded', refundId: `refund.${reference}` };
      }),
  };
}
