import { payments, savePaymentWallets as saveWallets, walletProblems } from '../../../domain/payments/payments.js';
import { operation } from '../../contract/operation.js';
import { PaymentSettingsBody, PaymentWalletsInputBody } from './schemas.js';
import { settingsOf } from './settingsBody.js';

export const savePaymentWallets = operation({
  id: 'savePaymentWallets',
  route: 'PUT {C}/payments/wallets',
  summary: 'Sets the wallets that customers may pay with, in display order. An empty list turns payments off.',
  tag: 'Store payments',
  scope: 'payments:manage',
  feature: 'commerce.orders',
  body: PaymentWalletsInputBody,
  rules: [{ fields: [], problems: ({ wallets }) => (Array.isArray(wallets) ? walletProblems(wallets) : []) }],
  answers: { 200: PaymentSettingsBody },
  problems: ['validation_failed'],
  async handle(request) {
    const { body, workspace, commands } = request;
    await commands.decide(payments, workspace.workspaceId, saveWallets(body.wallets));
    return { status: 200, body: await settingsOf(request) };
  },
});
