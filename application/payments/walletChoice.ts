/** The wallets that a store offers, and the one that a customer chose. */
import type { WalletId } from '../../domain/payments/paymentEvents.js';
import { payments, takesPayments } from '../../domain/payments/payments.js';
import { walletName } from '../../domain/payments/wallets.js';
import type { CommandHandler } from '../commands.js';
import type { ReadTyped } from '../phones.js';
import type { WrongWallet } from './paymentTexts.js';

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

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/**
 * Fields `wallet` (an id; the only wallet when there is one) and `wallet_phone` (the customer's own number when left out).
 */
export function readWallet(
  fields: Readonly<Record<string, unknown>>,
  { wallets }: Offered,
  customerPhone: string,
  readPhone: ReadTyped,
): Choice {
  const named = text(fields.wallet).toLowerCase();
  const wallet = named === '' && wallets.length === 1 ? wallets[0] : wallets.find((id) => id === named);
  const given = text(fields.wallet_phone);
  const payer = given === '' ? customerPhone : (readPhone(given) ?? '');
  const wrong: WrongWallet[] = [];
  if (wallet === undefined) wrong.push('wallet');
  if (payer === '') wrong.push('number');
  return wallet === undefined || wrong.length > 0 ? { wrong } : { wallet, payer };
}
