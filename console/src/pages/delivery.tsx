/** Delivery settings of a store: what checkout offers, its areas with their fees, and what customers are notified of. */

import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { SavedFormEnd } from '../ui/actions.js';
import { cents, dollars, optional, wholeText } from '../ui/amounts.js';
import { CheckField, Fields } from '../ui/fields.js';
import { words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { canChange } from '../ui/permission.js';
import { useSending } from '../ui/sending.js';
import { Shown } from '../ui/states.js';
import { faultAt, TextField } from '../ui/textField.js';

const DELIVERY = '/workspaces/{workspaceId}/commerce/delivery';

type Settings = Schemas['DeliveryBody'];
type Status = Settings['notifyStatuses'][number];

const NOTIFIED: readonly Status[] = [
  ...(['awaiting_payment', 'paid', 'preparing', 'out_for_delivery'] as const),
  ...(['delivered', 'cancelled', 'refunded'] as const),
];

interface AreaDraft {
  readonly id?: string;
  readonly name: string;
  readonly fee: string;
  readonly active: boolean;
}

interface Draft extends Pick<Settings, 'deliveryEnabled' | 'pickupEnabled' | 'pickupAddress' | 'requestLocation'> {
  readonly notifyStatuses: readonly Status[];
  readonly areas: readonly AreaDraft[];
  readonly freeAbove: string;
  readonly cashOnDelivery: boolean;
  readonly cartValidDays: string;
  readonly unpaidHours: string;
}

const draftOf = (settings: Settings): Draft => ({
  deliveryEnabled: settings.deliveryEnabled,
  pickupEnabled: settings.pickupEnabled,
  pickupAddress: settings.pickupAddress,
  requestLocation: settings.requestLocation,
  notifyStatuses: settings.notifyStatuses,
  areas: settings.areas.map(({ id, name, feeCents, active }) => ({
    ...(id !== undefined && { id }),
    ...{ name, active, fee: dollars(feeCents) },
  })),
  freeAbove: dollars(settings.freeDeliveryAboveCents),
  cashOnDelivery: settings.cashOnDelivery ?? false,
  cartValidDays: wholeText(settings.cartValidDays),
  unpaidHours: wholeText(settings.unpaidHours),
});

const fieldsOf = (draft: Draft): Schemas['DeliverySettingsBody'] => ({
  deliveryEnabled: draft.deliveryEnabled,
  pickupEnabled: draft.pickupEnabled,
  pickupAddress: draft.pickupAddress,
  requestLocation: draft.requestLocation,
  notifyStatuses: draft.notifyStatuses,
  areas: draft.areas.map(({ fee, ...area }) => ({ ...area, feeCents: cents(fee) })),
  cashOnDelivery: draft.cashOnDelivery,
  ...optional('freeDeliveryAboveCents', draft.freeAbove, cents),
  ...optional('cartValidDays', draft.cartValidDays, Number),
  ...optional('unpaidHours', draft.unpaidHours, Number),
});

interface AreasProps {
  readonly areas: readonly AreaDraft[];
  faultOf(at: number): string | undefined;
  change(areas: readonly AreaDraft[]): void;
}

function Areas({ areas, faultOf, change }: AreasProps) {
  const set = (at: number, part: Partial<AreaDraft>): void =>
    change(areas.map((area, i) => (i === at ? { ...area, ...part } : area)));
  const move = (at: number, by: -1 | 1): void => {
    const moved = [...areas];
    const [area] = moved.splice(at, 1);
    moved.splice(at + by, 0, area!);
    change(moved);
  };
  return (
    <fieldset class="variants">
      <legend>Areas, in the order of checkout</legend>
      {areas.map((area, at) => (
        <div class="variant" role="group" aria-label={`Area ${at + 1}`} key={area.id ?? `new ${at}`}>
          <label>
            <span class="fine">Name</span>
            <input
              value={area.name}
              required
              maxLength={30}
              aria-invalid={faultOf(at) !== undefined}
              onInput={({ currentTarget }) => set(at, { name: currentTarget.value })}
            />
          </label>
          <label>
            <span class="fine">Fee, US dollars</span>
            <input
              value={area.fee}
              required
              inputMode="decimal"
              onInput={({ currentTarget }) => set(at, { fee: currentTarget.value })}
            />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={area.active}
              onChange={({ currentTarget }) => set(at, { active: currentTarget.checked })}
            />{' '}
            Offered
          </label>
          <span class="actions">
            <button
              type="button"
              class="button small"
              disabled={at === 0}
              aria-label={`Move area ${at + 1} up`}
              onClick={() => move(at, -1)}
            >
              Up
            </button>
            <button
              type="button"
              class="button small"
              disabled={at === areas.length - 1}
              aria-label={`Move area ${at + 1} down`}
              onClick={() => move(at, 1)}
            >
              Down
            </button>
            <button
              type="button"
              class="button small"
              aria-label={`Remove area ${at + 1}`}
              onClick={() => change(areas.filter((_, i) => i !== at))}
            >
              Remove
            </button>
          </span>
          {faultOf(at) !== undefined && <p class="bad">{faultOf(at)}</p>}
        </div>
      ))}
      <button
        type="button"
        class="button small"
        disabled={areas.length >= 100}
        onClick={() => change([...areas, { name: '', fee: '', active: true }])}
      >
        Add an area
      </button>
    </fieldset>
  );
}

interface FormProps {
  readonly store: ConsoleStoreBody;
  readonly settings: Settings;
  readonly mayChange: boolean;
  reload(): void;
}

function DeliveryForm({ store, settings, mayChange, reload }: FormProps) {
  const { workspaceId } = store;
  const [draft, setDraft] = useState<Draft>(() => draftOf(settings));
  const [isSaved, setSaved] = useState(false);
  const { busy, error, renew, send } = useSending();
  const set = (part: Partial<Draft>): void => {
    renew();
    setSaved(false);
    setDraft((before) => ({ ...before, ...part }));
  };
  const fault = (place: string): string | undefined => faultAt(error?.faults, new RegExp(`^body\\.${place}`));
  const submit = (event: SubmitEvent): void =>
    send(
      event,
      () => act(`PUT ${DELIVERY}`, { workspaceId }, fieldsOf(draft)),
      () => {
        setSaved(true);
        reload();
      },
    );
  const check = (part: 'deliveryEnabled' | 'pickupEnabled' | 'requestLocation' | 'cashOnDelivery', label: string) => (
    <CheckField
      {...{ id: `delivery-${part}`, label, checked: draft[part] }}
      change={(checked) => set({ [part]: checked })}
    />
  );
  const text = (part: 'freeAbove' | 'cartValidDays' | 'unpaidHours', place: string, label: string, about: string) => (
    <TextField
      {...{ id: `delivery-${part}`, name: part, label, about, value: draft[part], most: 12, fault: fault(place) }}
      change={(value) => set({ [part]: value })}
    />
  );
  return (
    <form class="card command" aria-label="Delivery settings" onSubmit={submit}>
      <fieldset class="bare" disabled={!mayChange}>
        <Fields>
          {check('deliveryEnabled', 'Delivery')}
          {check('pickupEnabled', 'Pickup')}
          {check('requestLocation', 'Ask for a location pin')}
          {check('cashOnDelivery', 'Cash on delivery, next to wallets')}
          {text(
            'freeAbove',
            'freeDeliveryAboveCents',
            'Free delivery from',
            'Order amount in US dollars. Empty: never.',
          )}
          {text(
            'cartValidDays',
            'cartValidDays',
            'Prices hold for',
            'Days until an order is priced again. Default: 7.',
          )}
          {text('unpaidHours', 'unpaidHours', 'Unpaid orders end after', 'Hours. Default: 24. 0: never.')}
        </Fields>
        <Fields one>
          <TextField
            {...{ id: 'delivery-address', name: 'pickupAddress', label: 'Pickup address', most: 500, rows: 2 }}
            {...{ about: 'Shown to customers who pick up.', value: draft.pickupAddress, fault: fault('pickupAddress') }}
            change={(pickupAddress) => set({ pickupAddress })}
          />
        </Fields>
        <Areas areas={draft.areas} faultOf={(at) => fault(`areas\\[${at}\\]`)} change={(areas) => set({ areas })} />
        <fieldset class="variants">
          <legend>Customers are notified of</legend>
          <Fields>
            {NOTIFIED.map((status) => (
              <CheckField
                key={status}
                {...{ id: `notify-${status}`, label: words(status), checked: draft.notifyStatuses.includes(status) }}
                change={(checked) =>
                  set({
                    notifyStatuses: NOTIFIED.filter((one) =>
                      one === status ? checked : draft.notifyStatuses.includes(one),
                    ),
                  })
                }
              />
            ))}
          </Fields>
        </fieldset>
      </fieldset>
      {mayChange && (
        <SavedFormEnd
          submit="Save"
          {...{ busy, error }}
          away={() => setDraft(draftOf(settings))}
          saved={isSaved ? 'The settings are saved.' : undefined}
        />
      )}
    </form>
  );
}

export function Delivery({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { workspaceId } = store;
  const load = useLoad(`delivery ${workspaceId}`, () => read(DELIVERY, { workspaceId }));
  return (
    <section class="page">
      <header class="title">
        <h1>Delivery</h1>
        <p class="fine">Customers at checkout must confirm again when a fee changes.</p>
      </header>
      <Shown load={load} rows={8}>
        {(settings) => (
          <DeliveryForm
            {...{ store, settings }}
            mayChange={canChange(session, 'commerce:manage')}
            reload={load.reload}
          />
        )}
      </Shown>
    </section>
  );
}
