/** Stored for ever: how a store is paid, stream `payments-{workspaceId}`. Add fields as optional, never change a meaning. */
import type { DomainEvent } from '../decider.js';

/** Wallets that customers pay with, in the order in which they are offered to the store. */
export const WALLET_IDS = ['evc_plus', 'zaad', 'sahal', 'waafi', 'edahab', 'jeeb'] as const;
export type WalletId = (typeof WALLET_IDS)[number];

export type PaymentSettingsEvent =
  | DomainEvent<
      'PaymentSettingsSaved',
      {
        merchantId: string;
        /** The provider's key under the master key, context `payments {workspaceId}`. Never in clear. */
        apiKeySealed: string;
        /** The key's last four characters, all that is ever shown of it. */
        last4: string;
      }
    >
  /** The wallets that customers may pay with from now on, in display order. */
  | DomainEvent<'PaymentWalletsSaved', { wallets: readonly WalletId[] }>
  | DomainEvent<'PaymentSettingsDeleted', { merchantId: string }>;
