import { saveAccount } from '../../../application/payments/paymentAccounts.js';
import { operation } from '../../contract/operation.js';
import { PaymentSettingsInputBody, PaymentSettingsSavedBody } from './schemas.js';

/** The store takes payments once a wallet is chosen too. */
export const savePaymentSettings = operation({
  id: 'savePaymentSettings',
  route: 'PUT {C}/payments',
  summary: "Saves the store's merchant id and key at the payment provider; the key is never shown again.",
  tag: 'Store payments',
  scope: 'payments:manage',
  feature: 'commerce.orders',
  body: PaymentSettingsInputBody,
  answers: { 200: PaymentSettingsSavedBody },
  problems: ['validation_failed'],
  async handle({ body, workspace: { workspaceId }, commands, services: { secretBox } }) {
    const { last4 } = await saveAccount({ commands, secretBox }, workspaceId, body);
    return { status: 200, body: { saved: true, last4 } };
  },
});
