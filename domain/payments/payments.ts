/** How a store is paid: its account at the payment provider, and the wallets that its customers may pay with. */
import { type Aggregate, type Decision, type FieldProblem, refuse, type WithMeta } from '../decider.js';
import { resealedBy } from '../secrets/resealing.js';
import type { PaymentSettingsEvent, WalletId } from './paymentEvents.js';

// Events: PaymentSettingsEvent in paymentEvents.ts ---------------------------------------------------------------

// State: only what decisions and payments need -------------------------------------------------------------------
export interface PaymentSettings {
  /** The account that new payments go to; undefined: the store takes none. */
  readonly merchantId: string | undefined;
  readonly last4: string | undefined;
  readonly wallets: readonly WalletId[];
  /**
   * Sealed keys by merchant, the latest saved last; also of accounts that are not used any more, so that what was paid to
   * them can be looked up and given back.
   */
  readonly accounts: ReadonlyMap<string, string>;
}

/** Accounts whose key is remembered: far more than a store has while anything is owed to its customers. */
const KEPT_ACCOUNTS = 20;

function remembered(accounts: ReadonlyMap<string, string>, merchantId: string, sealed: string): Map<string, string> {
  const next = new Map(accounts);
  next.delete(merchantId);
  next.set(merchantId, sealed);
  for (const oldest of next.keys()) {
    if (next.size <= KEPT_ACCOUNTS) break;
    next.delete(oldest);
  }
  return next;
}

function evolve(state: PaymentSettings, event: WithMeta<PaymentSettingsEvent>): PaymentSettings {
  switch (event.type) {
    case 'PaymentSettingsSaved': {
      const { merchantId, apiKeySealed, last4 } = event.data;
      return { ...state, merchantId, last4, accounts: remembered(state.accounts, merchantId, apiKeySealed) };
    }
    case 'PaymentWalletsSaved':
      return { ...state, wallets: event.data.wallets };
    case 'SecretsResealed': {
      const sealedNow = resealedBy(event);
      const accounts = new Map([...state.accounts].map(([merchantId, sealed]) => [merchantId, sealedNow(sealed)]));
      return { ...state, accounts };
    }
    case 'PaymentSettingsDeleted':
      return { ...state, merchantId: undefined, last4: undefined, wallets: [] };
  }
}

/** Stream `payments-{workspaceId}`. */
export const payments: Aggregate<PaymentSettings, PaymentSettingsEvent> = {
  name: 'payments',
  initial: () => ({ merchantId: undefined, last4: undefined, wallets: [], accounts: new Map() }),
  evolve,
  weigh: ({ accounts }) => 500 + accounts.size * 1_000,
};

// Decisions ------------------------------------------------------------------------------------------------------
type PaymentDecision = Decision<PaymentSettings, PaymentSettingsEvent>;

export interface SavePaymentSettings {
  readonly merchantId: string;
  readonly apiKeySealed: string;
  readonly last4: string;
  /** Sealed under which the same key is stored already, if it is: then nothing changes. */
  readonly sameAs: string | undefined;
}

/** The account that payments go to from now on. Wallets that were chosen stay chosen. */
export const savePaymentSettings =
  ({ sameAs, ...account }: SavePaymentSettings): PaymentDecision =>
  (state) => {
    const known = state.merchantId === account.merchantId ? state.accounts.get(account.merchantId) : undefined;
    return known !== undefined && known === sameAs ? [] : [{ type: 'PaymentSettingsSaved', data: account }];
  };

/** A problem for each wallet that was sent before. The list may hold anything. */
export function walletProblems(wallets: readonly unknown[]): FieldProblem[] {
  const first = new Map<unknown, number>();
  return wallets.flatMap((wallet, at) => {
    if (!first.has(wallet)) first.set(wallet, at);
    return first.get(wallet) === at
      ? []
      : [{ message: 'This wallet was sent twice.', location: `body.wallets[${at}]`, value: wallet }];
  });
}

/** Which wallets customers may pay with, in display order. Refuses `validation_failed` for one that was sent twice. */
export const savePaymentWallets =
  (wallets: readonly WalletId[]): PaymentDecision =>
  (state) => {
    const problems = walletProblems(wallets);
    if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
    const same = wallets.length === state.wallets.length && wallets.every((wallet, at) => wallet === state.wallets[at]);
    return same ? [] : [{ type: 'PaymentWalletsSaved', data: { wallets } }];
  };

/** Ends payments at once, with the choice of wallets. Refuses `not_found` where nothing is saved. */
export const deletePaymentSettings = (): PaymentDecision => (state) => {
  if (state.merchantId === undefined) refuse('not_found', 'The store has no payment settings.');
  return [{ type: 'PaymentSettingsDeleted', data: { merchantId: state.merchantId } }];
};

// Queries --------------------------------------------------------------------------------------------------------
/** Where and with what customers pay now; undefined: the store takes no payments. */
export function takesPayments({
  merchantId,
  wallets,
}: PaymentSettings): { readonly merchantId: string; readonly wallets: readonly WalletId[] } | undefined {
  return merchantId === undefined || wallets.length === 0 ? undefined : { merchantId, wallets };
}
