import { paymentAccount } from '../../../application/payments/paymentAccounts.js';
import { refuse } from '../../../domain/decider.js';
import { operation } from '../../contract/operation.js';
import { PaymentKeyCheckBody } from './schemas.js';

/** Longest wait for the provider, in ms. */
const CHECK_MS = 15_000;

/** Queries the provider if it accepts the saved key. */
export const checkPaymentKey = operation({
  id: 'checkPaymentKey',
  route: 'POST {C}/payments/check',
  summary: 'Checks whether the payment provider accepts the saved key. Nobody is charged.',
  tag: 'Store payments',
  scope: 'payments:manage',
  feature: 'commerce.orders',
  answers: { 200: PaymentKeyCheckBody },
  problems: ['not_found'],
  async handle({ workspace: { workspaceId }, commands, services: { secretBox, paymentProvider } }) {
    const account = await paymentAccount({ commands, secretBox }, workspaceId);
    if (account === undefined) return refuse('not_found', 'The store has no payment settings to check.');
    const answer = await paymentProvider
      ?.check(account, AbortSignal.timeout(CHECK_MS))
      .catch(() => 'unreachable' as const);
    if (answer === 'accepted') return { status: 200, body: { ok: true } };
    return { status: 200, body: { ok: false, reason: answer ?? 'unreachable' } };
  },
});
