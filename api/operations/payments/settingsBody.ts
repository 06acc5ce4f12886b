import { WALLETS } from '../../../domain/payments/wallets.js';
import { paymentSettings } from '../../../projections/paymentSettings.js';
import type { Request } from '../../contract/operation.js';

type OperationRequest = Pick<Request<Record<never, never>>, 'read' | 'services' | 'workspace'>;

/** The store's payment settings as they are answered, also while none are saved. */
export async function settingsOf({ read, services, workspace }: OperationRequest): Promise<object> {
  const found = await read.get(paymentSettings, workspace.workspaceId);
  const available = services.paymentProvider !== undefined;
  return { available, options: WALLETS, ...(found?.body ?? { saved: false, wallets: [] }) };
}
