/** Checkout and payment forms as the channel would show them, and their answers. */
import { useState } from 'preact/hooks';
import { phoneOf, useInChat } from './chat.js';
import { Sheet } from './sheet.js';
import type { Flow, FlowData, Option } from './wire.js';
import { useTongue } from './words/words.js';

/** Text of an option, with its description. */
const optionText = ({ title, description }: Option): string => (description ? `${title} · ${description}` : title);
const FORM = 'form-of-the-store';

function Wallets({ wallets, walletPhone }: Pick<FlowData, 'wallets' | 'walletPhone'>) {
  const { translate } = useTongue();
  const { who } = useInChat();
  const [wallet, setWallet] = useState(wallets?.[0]?.id ?? '');
  if (wallets === undefined) return null;
  return (
    <>
      <label class="asked">
        {translate('payWith')}
        <select
          class="field"
          name="wallet"
          value={wallet}
          onChange={({ currentTarget }) => setWallet(currentTarget.value)}
        >
          {wallets.map((one) => (
            <option key={one.id} value={one.id}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
      {wallet !== 'cash' && (
        <>
          <label class="asked">
            {translate('wallet')}
            <input
              class="field"
              name="wallet_phone"
              type="tel"
              dir="ltr"
              maxLength={20}
              defaultValue={walletPhone ?? phoneOf(who)}
            />
          </label>
          <p class="hint">{translate('walletHelp')}</p>
        </>
      )}
    </>
  );
}

function CheckoutFields({ data }: { data: FlowData }) {
  const { translate } = useTongue();
  const { who } = useInChat();
  const ways = (['delivery', 'pickup'] as const).filter((way) => data[way] !== false);
  const [way, setWay] = useState(ways[0] ?? 'delivery');
  return (
    <>
      <label class="asked">
        {translate('how')}
        <select
          class="field"
          name="fulfilment"
          value={way}
          onChange={({ currentTarget }) => setWay(currentTarget.value as typeof way)}
        >
          {ways.map((one) => (
            <option key={one} value={one}>
              {translate(one)}
            </option>
          ))}
        </select>
      </label>
      {way === 'delivery' && (
        <>
          <label class="asked">
            {translate('area')}
            <select class="field" name="area">
              {(data.areas ?? []).map((one) => (
                <option key={one.id} value={one.id}>
                  {optionText(one)}
                </option>
              ))}
            </select>
          </label>
          <label class="asked">
            {translate('address')}
            <input class="field" name="address" maxLength={500} dir="auto" />
          </label>
        </>
      )}
      <label class="asked">
        {translate('name')}
        <input class="field" name="name" maxLength={120} required dir="auto" defaultValue={who.name} />
      </label>
      <label class="asked">
        {translate('contactPhone')}
        <input class="field" name="phone" type="tel" dir="ltr" maxLength={20} defaultValue={phoneOf(who)} />
      </label>
      <label class="asked">
        {translate('coupon')}
        <input class="field" name="coupon" maxLength={32} dir="auto" />
      </label>
    </>
  );
}

export function FormSheet({ flow, close }: { flow: Flow; close(): void }) {
  const { translate } = useTongue();
  const { act } = useInChat();
  const [busy, setBusy] = useState(false);
  const { data = {}, token, cta } = flow;
  const isPayment = flow.screen === 'PAYMENT';
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const given = [...new FormData(event.currentTarget as HTMLFormElement)];
    const answers = Object.fromEntries(given.filter(([name, value]) => name !== 'coupon' || value !== ''));
    await act({ checkout: { flowToken: token, ...answers } });
    setBusy(false);
    close();
  }
  return (
    <Sheet
      title={translate(isPayment ? 'payment' : 'checkout')}
      close={close}
      foot={
        <button type="submit" form={FORM} class="main" disabled={busy}>
          <bdi>{cta}</bdi>
          <bdi>{data.totalText}</bdi>
        </button>
      }
    >
      <form id={FORM} onSubmit={send} class="asking">
        <p class="heading">{translate('order', { number: data.orderNumber ?? '' })}</p>
        {!isPayment && <CheckoutFields data={data} />}
        <Wallets {...data} />
      </form>
    </Sheet>
  );
}
