/** Wallets that a store offers, and the customer's choice. */
import type { WalletId } from '../../domain/payments/paymentEvents.js';
import { payments, takesPayments } from '../../domain/payments/payments.js';
import { walletName } from '../../domain/payments/wallets.js';
import type { CommandHandler } from '../../engine/commandHandler/commands.js';
import { answered, type Fields } from '../channel/formFields.js';
import type { ReadTyped } from '../phones.js';

/** Problem of the chosen wallet. */
export type WrongWallet = 'wallet' | 'walletOrCash' | 'number';

/** Payment methods of a store. */
export interface Offered {
  readonly merchantId: string;
  /** In display order, at least one. */
  readonly wallets: readonly WalletId[];
}

/** Undefined: the store accepts no payments. `available`: true if a payment provider is configured. */
export const walletsOffered = async (
  commands: Pick<CommandHandler, 'query'>,
  workspaceId: string,
  available: boolean,
): Promise<Offered | undefined> => (available ? commands.query(payments, workspaceId, takesPayments) : undefined);

/** Options in a form. */
export const walletOptions = (wallets: readonly WalletId[]): { id: WalletId; title: string }[] =>
  wallets.map((id) => ({ id, title: walletName(id) }));

export type Choice =
  | { readonly wrong: readonly WrongWallet[] }
  | { readonly wrong?: never; readonly wallet: WalletId; readonly payer: string };

/** Option in the checkout form of a store that also accepts cash. */
export const CASH = 'cash';

/** Payment method that a customer chose. */
export type PaysWith = Choice | { readonly wrong?: never; readonly cash: true };

/** Parses the field `wallet` of the checkout form if cash is an option. */
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

/** Parses the fields `wallet` (an id; the only wallet if there is one) and `wallet_phone` (default: the customer's own number). */
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
