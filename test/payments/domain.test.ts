import { expect } from 'chai';
import type { PaymentSettingsEvent } from '../../domain/payments/paymentEvents.js';
import {
  deletePaymentSettings,
  payments,
  savePaymentSettings,
  savePaymentWallets,
  takesPayments,
} from '../../domain/payments/payments.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import { paymentSettings, type SavedPayments } from '../../projections/paymentSettings.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';

const account = (merchantId: string, apiKeySealed: string): PaymentSettingsEvent => ({
  type: 'PaymentSettingsSaved',
  data: { merchantId, apiKeySealed, last4: '5AHX' },
});
const wallets = (...ids: ('zaad' | 'evc_plus')[]): PaymentSettingsEvent => ({
  type: 'PaymentWalletsSaved',
  data: { wallets: ids },
});
const deleted: PaymentSettingsEvent = { type: 'PaymentSettingsDeleted', data: { merchantId: 'M1' } };
const save = (merchantId: string, apiKeySealed: string, sameAs?: string) =>
  savePaymentSettings({ merchantId, apiKeySealed, last4: '5AHX', sameAs });

describe("a store's payment settings", () => {
  it('are saved once, and again only if something differs', () => {
    given(payments)
      .when(save('M1', 'sealed-1'))
      .then([account('M1', 'sealed-1')]);
    given(payments, account('M1', 'sealed-1'))
      .when(save('M1', 'sealed-1', 'sealed-1'))
      .then([]);
    given(payments, account('M1', 'sealed-1'))
      .when(save('M1', 'sealed-2'))
      .then([account('M1', 'sealed-2')]);
    // The same key again, after another account was used, is a change.
    given(payments, account('M1', 'sealed-1'), account('M2', 'sealed-2'))
      .when(save('M1', 'sealed-1', 'sealed-1'))
      .then([account('M1', 'sealed-1')]);
  });

  it('keep wallets in their order, each once', () => {
    given(payments)
      .when(savePaymentWallets(['zaad', 'evc_plus']))
      .then([wallets('zaad', 'evc_plus')]);
    given(payments, wallets('zaad', 'evc_plus'))
      .when(savePaymentWallets(['zaad', 'evc_plus']))
      .then([]);
    given(payments, wallets('zaad', 'evc_plus'))
      .when(savePaymentWallets(['evc_plus', 'zaad']))
      .then([wallets('evc_plus', 'zaad')]);
    const refused = given(payments)
      .when(savePaymentWallets(['zaad', 'zaad']))
      .thenRefused('validation_failed');
    expect(refused.problems.map(({ location }) => location)).to.deep.equal(['body.wallets[1]']);
  });

  it('accept payments with an account and a wallet, and none after they were deleted', () => {
    const takes = (...events: PaymentSettingsEvent[]) => takesPayments(stateAfter(payments, events));
    expect(takes()).to.equal(undefined);
    expect(takes(account('M1', 's'))).to.equal(undefined);
    expect(takes(wallets('zaad'))).to.equal(undefined);
    expect(takes(account('M1', 's'), wallets('zaad'))).to.deep.equal({ merchantId: 'M1', wallets: ['zaad'] });
    expect(takes(account('M1', 's'), wallets('zaad'), deleted)).to.equal(undefined);
    expect(takes(account('M1', 's'), wallets('zaad'), deleted, account('M1', 's'))).to.equal(undefined);
    given(payments).when(deletePaymentSettings()).thenRefused('not_found');
    given(payments, account('M1', 's'), deleted).when(deletePaymentSettings()).thenRefused('not_found');
    given(payments, account('M1', 's')).when(deletePaymentSettings()).then([deleted]);
  });

  it('keep the newest twenty keys of earlier accounts for pending payments', () => {
    const accounts = Array.from({ length: 25 }, (_, n) => account(`M${n}`, `sealed-${n}`));
    const state = stateAfter(payments, [...accounts, account('M7', 'sealed-new'), deleted]);
    expect(state.accounts.size).to.equal(20);
    expect(state.accounts.get('M7')).to.equal('sealed-new');
    expect(state.accounts.has('M4')).to.equal(false);
    expect(state.accounts.get('M24')).to.equal('sealed-24');
  });

  it('are shown without the key, the same when every event is applied twice', () => {
    const views = new Map<string, View<SavedPayments> | undefined>();
    const seen = (event: PaymentSettingsEvent, revision: number): void => {
      for (const _ of [1, 2])
        foldEvent(paymentSettings, views, {
          ...event,
          id: `e${revision}`,
          stream: 'payments-store',
          revision,
          position: revision,
          meta: specMeta,
        });
    };
    [wallets('zaad'), account('M1', 'sealed-1')].forEach(seen);
    expect(views.get('store')?.body).to.deep.equal({
      saved: true,
      merchantId: 'M1',
      last4: '5AHX',
      wallets: ['zaad'],
      updatedAt: specMeta.at,
    });
    expect(JSON.stringify(views.get('store'))).to.not.include('sealed-1');
    seen(deleted, 3);
    expect(views.get('store')).to.equal(undefined);
  });
});
