import { payments, deletePaymentSettings as remove } from '../../../domain/payments/payments.js';
import { operation } from '../../contract/operation.js';

/** Payments that were begun are still found out and given back where they must be. */
export const deletePaymentSettings = operation({
  id: 'deletePaymentSettings',
  route: 'DELETE {C}/payments',
  summary: 'Removes the payment settings and the chosen wallets. The store then accepts no payments.',
  tag: 'Store payments',
  scope: 'payments:manage',
  feature: 'commerce.orders',
  answers: { 204: null },
  problems: ['not_found'],
  async handle({ workspace: { workspaceId }, commands }) {
    await commands.decide(payments, workspaceId, remove());
    return { status: 204 };
  },
});
