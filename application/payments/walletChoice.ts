/** The wallets that a store offers, and the one that a customer chose. */
import type { WalletId } from '../../domain/payments/paymentEvents.js';
import { payments, takesPayments } from '../../domain/payments/payments.js';
import { walletName } from '../../domain/payments/wallets.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { answered, type Fields } from '../channel/formFields.js';
import type { ReadTyped } from '../phones.js';

/** What was wrong with the choice of a wallet. */
export type WrongWallet = 'wallet' | 'walletOrCash' | 'number';

/** What customers of a store pay with. */
export interface Offered {
  readonly merchantId: string;
  /** In display order, one at least. */
  readonly wallets: readonly WalletId[];
}

/** Undefined: the store takes no payments. `available`: whether a payment provider is configured. */
export const walletsOffered = async (
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  available: boolean,
): Promise<Offered | undefined> => (available ? commands.query(payments, workspaceId, takesPayments) : undefined);

/** As a form lists them. */
export const walletOptions = (wallets: readonly WalletId[]): { id: WalletId; title: string }[] =>
  wallets.map((id) => ({ id, title: walletName(id) }));

export type Choice =
  | { readonly wrong: readonly WrongWallet[] }
  | { readonly wrong?: never; readonly wallet: WalletId; readonly payer: string };

/** Stands beside the wallets in the checkout form of a store that takes cash too. */
export const CASH = 'cash';

/** What a customer chose to pay an order with. */
export type PaysWith = Choice | { readonly wrong?: never; readonly cash: true };

/** The field `wallet` of the checkout form, where cash is a choice beside the wallets. */
export function readWalletOrCash(
  fields: Fields,
  offered: Pick<Offered, 'wallets'>,
  customerPhone: string,
  readPhone: ReadTyped,
): PaysWith {
  const named = answered(fields, 'wallet')?.toLowerCase();
  if (named === CASH) return { cash: true };
  if (named === '') return { wrong: ['walletOrCash'] };
  const choice = readWallet(fields, offered, customerPhone, readPhone);
  if (choice.wrong === undefined) return choice;
  return { wrong: choice.wrong.map((one) => (one === 'wallet' ? 'walletOrCash' : one)) };
}

/**
 * Fields `wallet` (an id; the only wallet when there is one) and `wallet_phone` (the customer's own number when left out).
 */
export function readWallet(
  fields: Fields,
  { wallets }: Pick<Offered, 'wallets'>,
  customerPhone: string,
  readPhone: ReadTyped,
): Choice {
  const named = answered(fields, 'wallet')?.toLowerCase();
  const wallet = named === '' && wallets.length === 1 ? wallets[0] : wallets.find((id) => id === named);
  const given = answered(fields, 'wallet_phone');
  const payer = given === '' ? customerPhone : (readPhone(given ?? '') ?? '');
  const wrong: WrongWallet[] = [];
  if (wallet === undefined) wrong.push('wallet');
  if (payer === '') wrong.push('number');
  return wallet === undefined || wrong.length > 0 ? { wrong } : { wallet, payer };
}
