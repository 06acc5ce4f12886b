import { paymentAccount, saveAccount } from '../../application/payments/accounts.js';
import { refuse } from '../../domain/decider.js';
import {
  payments,
  deletePaymentSettings as remove,
  savePaymentWallets as saveWallets,
} from '../../domain/payments/payments.js';
import { WALLETS } from '../../domain/payments/wallets.js';
import { paymentSettings } from '../../projections/paymentSettings.js';
import { type Operation, operation, type Request } from '../operation.js';
import {
  PaymentKeyCheckBody,
  PaymentSettingsBody,
  PaymentSettingsInputBody,
  PaymentSettingsSavedBody,
  PaymentWalletsInputBody,
} from './schemas.js';

const declared = { tag: 'Store payments', scope: 'payments:manage', feature: 'commerce.orders' } as const;

/** Longest wait of `checkPaymentKey` for the provider, in ms. */
const CHECK_MS = 15_000;

type Asked = Pick<Request<Record<never, never>>, 'read' | 'services' | 'workspace'>;

async function settingsOf({ read, services, workspace }: Asked): Promise<object> {
  const found = await read.get(paymentSettings, workspace.workspaceId);
  const available = services.paymentProvider !== undefined;
  return { available, options: WALLETS, ...(found?.body ?? { saved: false, wallets: [] }) };
}

/** (Specification 2, 'Store payments'; paths: the plan of the area.) */
export const getPaymentSettings = operation({
  ...declared,
  id: 'getPaymentSettings',
  route: 'GET {C}/payments',
  summary: 'How the store is paid: its account at the payment provider and the wallets that customers may pay with.',
  answers: { 200: PaymentSettingsBody },
  handle: async (request) => ({ status: 200, body: await settingsOf(request) }),
});

/** The store takes payments once a wallet is chosen too. */
export const savePaymentSettings = operation({
  ...declared,
  id: 'savePaymentSettings',
  route: 'PUT {C}/payments',
  summary: "Saves the store's merchant id and key at the payment provider; the key is never shown again.",
  body: PaymentSettingsInputBody,
  answers: { 200: PaymentSettingsSavedBody },
  problems: ['validation_failed'],
  async handle({ body, workspace: { workspaceId }, commands, services: { secretBox } }) {
    const { last4 } = await saveAccount({ commands, secretBox }, workspaceId, body);
    return { status: 200, body: { saved: true, last4 } };
  },
});

/** Payments that were begun are still found out and given back where they must be. */
export const deletePaymentSettings = operation({
  ...declared,
  id: 'deletePaymentSettings',
  route: 'DELETE {C}/payments',
  summary: 'Removes the payment settings and the choice of wallets: the store takes no payments any more.',
  answers: { 204: null },
  problems: ['not_found'],
  async handle({ workspace: { workspaceId }, commands }) {
    await commands.decide(payments, workspaceId, remove());
    return { status: 204 };
  },
});

export const savePaymentWallets = operation({
  ...declared,
  id: 'savePaymentWallets',
  route: 'PUT {C}/payments/wallets',
  summary: 'Sets the wallets that customers may pay with, in display order; none: the store takes no payments.',
  body: PaymentWalletsInputBody,
  answers: { 200: PaymentSettingsBody },
  problems: ['validation_failed'],
  async handle(request) {
    const { body, workspace, commands } = request;
    await commands.decide(payments, workspace.workspaceId, saveWallets(body.wallets));
    return { status: 200, body: await settingsOf(request) };
  },
});

/** Asks the provider whether it accepts the saved key. */
export const checkPaymentKey = operation({
  ...declared,
  id: 'checkPaymentKey',
  route: 'POST {C}/payments/check',
  summary: 'Asks the payment provider whether it accepts the saved key. Nobody is charged.',
  answers: { 200: PaymentKeyCheckBody },
  problems: ['not_found'],
  async handle({ workspace: { workspaceId }, commands, services: { secretBox, paymentProvider } }) {
    const account = await paymentAccount({ commands, secretBox }, workspaceId);
    if (account === undefined)
      return refuse('not_found', 'The store has saved no payment settings that could be checked.');
    const answer = await paymentProvider
      ?.check(account, AbortSignal.timeout(CHECK_MS))
      .catch(() => 'unreachable' as const);
    if (answer === 'accepted') return { status: 200, body: { ok: true } };
    return { status: 200, body: { ok: false, reason: answer ?? 'unreachable' } };
  },
});

export const paymentOperations: readonly Operation[] = [
  getPaymentSettings,
  savePaymentSettings,
  savePaymentWallets,
  checkPaymentKey,
  deletePaymentSettings,
];
