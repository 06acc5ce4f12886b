/** Payments of a store: its account at the payment provider, and the wallets that customers can use. */

import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { FormEnd, Outcome, SavedFormEnd, Sure, useActing } from '../ui/actions.js';
import { CheckField, Fields } from '../ui/fields.js';
import { useLoad } from '../ui/load.js';
import { Own, When } from '../ui/parts.js';
import { canChange } from '../ui/permission.js';
import { useSending } from '../ui/sending.js';
import { Empty, Shown } from '../ui/states.js';
import { faultAt, TextField } from '../ui/textField.js';

const PAYMENTS = '/workspaces/{workspaceId}/commerce/payments';

type Settings = Schemas['PaymentSettingsBody'];
type Wallet = Schemas['PaymentWallet'];

const REFUSALS = {
  refused: 'The provider rejects this key.',
  unreachable: 'The provider is unreachable. Try again later.',
} as const;

interface PartProps {
  readonly store: ConsoleStoreBody;
  readonly settings: Settings;
  readonly mayChange: boolean;
  reload(): void;
}

/** Shows the saved account. Checks its key or disconnects it. */
function Account({ store, settings, mayChange, reload }: PartProps) {
  const { workspaceId, timezone: zone } = store;
  const acting = useActing(reload);
  const [checked, setChecked] = useState<string>();
  const { merchantId = '', last4, updatedAt } = settings;
  const check = async (): Promise<void> => {
    setChecked(undefined);
    const { ok, reason = 'refused' } = await act(`POST ${PAYMENTS}/check`, { workspaceId }, undefined);
    setChecked(ok ? 'The provider accepts this key. Nobody was charged.' : REFUSALS[reason]);
  };
  return (
    <section class="card">
      <h2>Account</h2>
      <dl class="facts">
        <div>
          <dt>Merchant id</dt>
          <dd>
            <Own text={merchantId} />
          </dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            <code>…{last4}</code>
          </dd>
        </div>
        {updatedAt !== undefined && (
          <div>
            <dt>Saved</dt>
            <dd>
              <When at={updatedAt} zone={zone} />
            </dd>
          </div>
        )}
      </dl>
      {mayChange && (
        <>
          <p class="actions">
            <button type="button" class="button small" disabled={acting.busy} onClick={() => acting.run(check, '')}>
              Check the key
            </button>
            <Sure
              yes="Yes, disconnect. Customers then pay outside the chat."
              disabled={acting.busy}
              onYes={() => acting.run(() => act(`DELETE ${PAYMENTS}`, { workspaceId }, undefined), 'Disconnected.')}
            >
              Disconnect
            </Sure>
          </p>
          <p class="fine" role="status">
            {checked}
          </p>
          <Outcome acting={acting} />
        </>
      )}
    </section>
  );
}

/** Connects an account or replaces it. The key is never shown again. */
function AccountForm({ store, settings, reload }: Omit<PartProps, 'mayChange'>) {
  const { workspaceId } = store;
  const empty = { merchantId: settings.merchantId ?? '', apiKey: '' };
  const [draft, setDraft] = useState(empty);
  const { busy, error, renew, send } = useSending();
  const set = (part: Partial<typeof empty>): void => {
    renew();
    setDraft((before) => ({ ...before, ...part }));
  };
  const fault = (place: string): string | undefined => faultAt(error?.faults, new RegExp(`^body\\.${place}`));
  const submit = (event: SubmitEvent): void =>
    send(
      event,
      () => act(`PUT ${PAYMENTS}`, { workspaceId }, draft),
      () => {
        setDraft((before) => ({ ...before, apiKey: '' }));
        reload();
      },
    );
  const title = settings.saved ? 'Connect another account' : 'Connect an account';
  return (
    <form class="card command" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      <Fields>
        <TextField
          {...{ id: 'payments-merchant', name: 'merchantId', label: 'Merchant id', most: 64, required: true }}
          {...{ about: 'From the payment provider.', value: draft.merchantId, fault: fault('merchantId') }}
          change={(merchantId) => set({ merchantId })}
        />
        <div class="field">
          <label for="payments-key">
            Key <span class="fine">required</span>
          </label>
          <input
            id="payments-key"
            type="password"
            autocomplete="off"
            value={draft.apiKey}
            required
            maxLength={512}
            aria-describedby="payments-key-about"
            aria-invalid={fault('apiKey') !== undefined}
            onInput={({ currentTarget }) => set({ apiKey: currentTarget.value })}
          />
          <p class="fine" id="payments-key-about">
            {fault('apiKey') !== undefined && <span class="bad">{fault('apiKey')} </span>}
            Stored encrypted, and never shown again.
          </p>
        </div>
      </Fields>
      <FormEnd submit="Save" {...{ busy, error }} away={() => setDraft(empty)} />
    </form>
  );
}

/** Wallets, in the order of the provider's list. */
function Wallets({ store, settings, mayChange, reload }: PartProps) {
  const { workspaceId } = store;
  const { options } = settings;
  const [wallets, setWallets] = useState<readonly Wallet[]>(settings.wallets);
  const [isSaved, setSaved] = useState(false);
  const { busy, error, renew, send } = useSending();
  const change = (some: readonly Wallet[]): void => {
    renew();
    setSaved(false);
    setWallets(some);
  };
  const submit = (event: SubmitEvent): void =>
    send(
      event,
      () => act(`PUT ${PAYMENTS}/wallets`, { workspaceId }, { wallets }),
      () => {
        setSaved(true);
        reload();
      },
    );
  const chosen = (id: Wallet, checked: boolean): readonly Wallet[] =>
    options.map((one) => one.id).filter((one) => (one === id ? checked : wallets.includes(one)));
  return (
    <form class="card command" aria-label="Wallets" onSubmit={submit}>
      <h2>Wallets</h2>
      <p class="fine">Customers choose a wallet at checkout. If none is selected, they pay outside the chat.</p>
      <fieldset class="bare" disabled={!mayChange}>
        <Fields>
          {options.map(({ id, name }) => (
            <CheckField
              key={id}
              {...{ id: `wallet-${id}`, label: name, checked: wallets.includes(id) }}
              change={(checked) => change(chosen(id, checked))}
            />
          ))}
        </Fields>
      </fieldset>
      {mayChange && (
        <SavedFormEnd
          submit="Save the wallets"
          {...{ busy, error }}
          away={() => change(settings.wallets)}
          saved={isSaved ? 'The wallets are saved.' : undefined}
        />
      )}
    </form>
  );
}

export function Payments({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { workspaceId } = store;
  const load = useLoad(`payments ${workspaceId}`, () => read(PAYMENTS, { workspaceId }));
  const mayChange = canChange(session, 'payments:manage');
  return (
    <section class="page">
      <header class="title">
        <h1>Payments</h1>
        <p class="fine">A change of the account does not affect payments in progress.</p>
      </header>
      <Shown load={load} rows={6}>
        {(settings) => {
          if (!settings.available)
            return <Empty title="No payment provider">Ask the operator to set SUUQ_PAYMENT_URL.</Empty>;
          const parts = { store, settings, mayChange, reload: load.reload };
          return (
            <>
              {settings.saved ? <Account {...parts} /> : <p class="soft">No account is connected.</p>}
              {mayChange && <AccountForm {...parts} />}
              {settings.saved && <Wallets {...parts} />}
            </>
          );
        }}
      </Shown>
    </section>
  );
}
