/** Names of the wallets that stores and customers see. */
import { WALLET_IDS, type WalletId } from './paymentEvents.js';

const NAMES: Readonly<Record<WalletId, string>> = {
  evc_plus: 'EVC Plus',
  zaad: 'ZAAD',
  sahal: 'Sahal',
  waafi: 'WAAFI',
  edahab: 'eDahab',
  jeeb: 'Jeeb',
};

/** Returns the brand name, which is the same in every language. */
export const walletName = (id: WalletId): string => NAMES[id];

export const WALLETS: readonly { readonly id: WalletId; readonly name: string }[] = WALLET_IDS.map((id) => ({
  id,
  name: NAMES[id],
}));
