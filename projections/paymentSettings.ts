import type { PaymentSettingsEvent, WalletId } from '../domain/payments/paymentEvents.js';
import { defineProjection, type Projection, type View } from '../engine/projections/projection.js';

/** Stored part of the API's `PaymentSettingsBody`. (Specification 2, 'Store payments'.) */
export interface SavedPayments {
  readonly saved: boolean;
  readonly merchantId?: string;
  readonly last4?: string;
  readonly wallets: readonly WalletId[];
  readonly updatedAt: string;
}

const view = (body: SavedPayments): View<SavedPayments> => ({ keys: {}, body });

/** One document a store that has saved payment settings or wallets, by workspace id. */
export const paymentSettings: Projection<SavedPayments, PaymentSettingsEvent> = defineProjection<
  SavedPayments,
  PaymentSettingsEvent
>({
  name: 'paymentSettings',
  version: 1,
  partitionedBy: 'store',
  categories: ['payments'],
  keys: {},
  indexes: [],
  on: {
    PaymentSettingsSaved: (before, { data: { merchantId, last4 }, meta }) =>
      view({ saved: true, merchantId, last4, wallets: before?.body.wallets ?? [], updatedAt: meta.at }),
    PaymentWalletsSaved: (before, { data: { wallets }, meta }) =>
      view({ ...(before?.body ?? { saved: false }), wallets, updatedAt: meta.at }),
    PaymentSettingsDeleted: () => undefined,
  },
});
