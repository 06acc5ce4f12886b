import type { Operation } from '../../contract/operation.js';
import { checkPaymentKey } from './checkPaymentKey.js';
import { deletePaymentSettings } from './deletePaymentSettings.js';
import { getPaymentSettings } from './getPaymentSettings.js';
import { savePaymentSettings } from './savePaymentSettings.js';
import { savePaymentWallets } from './savePaymentWallets.js';

export const paymentOperations: readonly Operation[] = [
  getPaymentSettings,
  savePaymentSettings,
  savePaymentWallets,
  checkPaymentKey,
  deletePaymentSettings,
];
