/** The wallets by the names that stores and customers know. */
import { WALLET_IDS, type WalletId } from './paymentEvents.js';

const NAMES: Readonly<Record<WalletId, string>> = {
  evc_plus: 'EVC Plus',
  zaad: 'ZAAD',
  sahal: 'Sahal',
  waafi: 'WAAFI',
  edahab: 'eDahab',
  jeeb: 'Jeeb',
};

/** Names of brands: the same in every language. */
export const walletName = (id: WalletId): string => NAMES[id];

export const WALLETS: readonly { readonly id: WalletId; readonly name: string }[] = WALLET_IDS.map((id) => ({
  id,
  name: NAMES[id],
}));
