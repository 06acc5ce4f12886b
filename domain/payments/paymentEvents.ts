/** Stored for ever: a store's payment settings, stream `payments-{workspaceId}`. Add fields as optional, never change a meaning. */
import { OneOf } from '../schema.js';
import { resealingEvents } from '../secrets/resealing.js';
import { Code, defineEvents, type EventsOf, event, Id, List, type Stored } from '../storedEvents.js';

/** Wallets that customers can pay with, in the order in which they are offered to the store. */
export const WALLET_IDS = ['evc_plus', 'zaad', 'sahal', 'waafi', 'edahab', 'jeeb'] as const;
export const WalletId = OneOf(...WALLET_IDS);
export type WalletId = Stored<typeof WalletId>;

export const paymentSettingsEvents = defineEvents({
  PaymentSettingsSaved: event('The store connects its account at the payment provider, or another.', {
    merchantId: Id(),
    apiKeySealed: Code(
      "The provider's key, encrypted with the master key (context `payments {workspaceId}`). Never stored in clear text.",
    ),
    last4: Code('The last four characters of the key, the only part that is shown.'),
  }),
  PaymentWalletsSaved: event('The store chooses the wallets that customers may pay with from now on.', {
    wallets: List(WalletId, 'In display order.'),
  }),
  PaymentSettingsDeleted: event('The store disconnects its account.', { merchantId: Id() }),
  ...resealingEvents,
});
export type PaymentSettingsEvent = EventsOf<typeof paymentSettingsEvents>;
