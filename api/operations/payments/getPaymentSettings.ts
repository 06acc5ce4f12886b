import { operation } from '../../contract/operation.js';
import { PaymentSettingsBody } from './schemas.js';
import { settingsOf } from './settingsBody.js';

/** (Specification 2, 'Store payments'; paths: the plan of the area.) */
export const getPaymentSettings = operation({
  id: 'getPaymentSettings',
  route: 'GET {C}/payments',
  summary:
    'Reads the payment settings: the account at the payment provider, and the wallets that customers may pay with.',
  tag: 'Store payments',
  scope: 'payments:manage',
  feature: 'commerce.orders',
  answers: { 200: PaymentSettingsBody },
  handle: async (request) => ({ status: 200, body: await settingsOf(request) }),
});
