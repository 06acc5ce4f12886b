/** A store's payment settings: its account at the payment provider, and the wallets that its customers may pay with. */
import { type Aggregate, type Decision, type FieldProblem, refuse, type WithMeta } from '../decider.js';
import { resealedBy } from '../secrets/resealing.js';
import type { PaymentSettingsEvent, WalletId } from './paymentEvents.js';

// Events: PaymentSettingsEvent in paymentEvents.ts ---------------------------------------------------------------

// State: only what decisions and payments need -------------------------------------------------------------------
export interface PaymentSettings {
  /** Account that new payments go to. Undefined: the store accepts none. */
  readonly merchantId: string | undefined;
  readonly last4: string | undefined;
  readonly wallets: readonly WalletId[];
  /**
   * Sealed keys by merchant, the last saved one last. Keys of previous accounts are retained, so that their payments can be queried and
   * refunded.
   */
  readonly accounts: ReadonlyMap<string, string>;
}

/** Maximum accounts whose key is retained: far more than a store has while a refund is pending. */
const KEPT_ACCOUNTS = 20;

function withAccount(accounts: ReadonlyMap<string, string>, merchantId: string, sealed: string): Map<string, string> {
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
      return { ...state, merchantId, last4, accounts: withAccount(state.accounts, merchantId, apiKeySealed) };
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
  /** Sealed form of the same key if it is stored already. Then nothing changes. */
  readonly sameAs: string | undefined;
}

/** Saves the account for new payments. The chosen wallets do not change. */
export const savePaymentSettings =
  ({ sameAs, ...account }: SavePaymentSettings): PaymentDecision =>
  (state) => {
    const known = state.merchantId === account.merchantId ? state.accounts.get(account.merchantId) : undefined;
    return known !== undefined && known === sameAs ? [] : [{ type: 'PaymentSettingsSaved', data: account }];
  };

/** Returns a problem for each repeated wallet. The list may contain any values. */
export function walletProblems(wallets: readonly unknown[]): FieldProblem[] {
  const first = new Map<unknown, number>();
  return wallets.flatMap((wallet, at) => {
    if (!first.has(wallet)) first.set(wallet, at);
    return first.get(wallet) === at
      ? []
      : [{ message: 'This wallet was sent twice.', location: `body.wallets[${at}]`, value: wallet }];
  });
}

/** Saves the wallets that customers may pay with, in display order. Refuses `validation_failed` for a repeated wallet. */
export const savePaymentWallets =
  (wallets: readonly WalletId[]): PaymentDecision =>
  (state) => {
    const problems = walletProblems(wallets);
    if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
    const same = wallets.length === state.wallets.length && wallets.every((wallet, at) => wallet === state.wallets[at]);
    return same ? [] : [{ type: 'PaymentWalletsSaved', data: { wallets } }];
  };

/** Ends payments at once, and clears the wallets. Refuses `not_found` if nothing is saved. */
export const deletePaymentSettings = (): PaymentDecision => (state) => {
  if (state.merchantId === undefined) refuse('not_found', 'The store has no payment settings.');
  return [{ type: 'PaymentSettingsDeleted', data: { merchantId: state.merchantId } }];
};

// Queries --------------------------------------------------------------------------------------------------------
/** Returns the account and the wallets for new payments. Undefined: the store accepts no payments. */
export function takesPayments({
  merchantId,
  wallets,
}: PaymentSettings): { readonly merchantId: string; readonly wallets: readonly WalletId[] } | undefined {
  return merchantId === undefined || wallets.length === 0 ? undefined : { merchantId, wallets };
}
