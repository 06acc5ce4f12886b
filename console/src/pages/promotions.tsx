/** List of promotions, with a form that shows only the fields which the kind needs. */

import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { FormEnd, Outcome, Sure, useActing } from '../ui/actions.js';
import { cents, dollars, optional, wholeText } from '../ui/amounts.js';
import { CheckField, Fields, SelectField, TimeField } from '../ui/fields.js';
import { count, day, fieldTime, fieldValue, money, words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own } from '../ui/parts.js';
import { canChange } from '../ui/permission.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { useSending } from '../ui/sending.js';
import { Empty, Shown } from '../ui/states.js';
import { Table } from '../ui/table.js';
import { faultAt, TextField } from '../ui/textField.js';

const PROMOTIONS = '/workspaces/{workspaceId}/commerce/promotions';

type Promotion = Schemas['PromotionBody'];
type Kind = Promotion['kind'];
type Scope = Promotion['scope'];

const KINDS: readonly (readonly [Kind, string])[] = [
  ['coupon', 'Coupon: a code that customers enter at checkout'],
  ['flash_sale', 'Flash sale: lower prices for a limited time'],
  ['number_list', 'Number list: for the customers of a list'],
];
const SCOPES: readonly (readonly [Scope, string])[] = [
  ['all', 'All products'],
  ['products', 'Some products'],
  ['categories', 'Some categories'],
];

interface Draft {
  readonly name: string;
  readonly kind: Kind;
  readonly code: string;
  readonly numberListId: string;
  /** `percent` or `amount`. */
  readonly off: string;
  readonly percentOff: string;
  readonly amountOff: string;
  readonly scope: Scope;
  /** Ids of products or categories, by blanks or commas. */
  readonly ids: string;
  readonly minSubtotal: string;
  readonly maxPerCustomer: string;
  readonly maxRedemptions: string;
  readonly combinable: boolean;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly active: boolean;
}

const NEW_DRAFT: Draft = {
  ...{ name: '', kind: 'coupon', code: '', numberListId: '', off: 'percent', percentOff: '', amountOff: '' },
  ...{ scope: 'all', ids: '', minSubtotal: '', maxPerCustomer: '', maxRedemptions: '', combinable: false },
  ...{ startsAt: '', endsAt: '', active: true },
};

const draftOf = (promotion: Promotion, zone: string): Draft => ({
  ...{ name: promotion.name, kind: promotion.kind, scope: promotion.scope, active: promotion.active },
  code: promotion.code ?? '',
  numberListId: promotion.numberListId ?? '',
  off: promotion.percentOff === undefined ? 'amount' : 'percent',
  percentOff: wholeText(promotion.percentOff),
  amountOff: dollars(promotion.amountOffCents),
  ids: [...promotion.productExternalIds, ...promotion.categoryExternalIds].join(' '),
  minSubtotal: dollars(promotion.minSubtotalCents),
  maxPerCustomer: wholeText(promotion.maxPerCustomer),
  maxRedemptions: wholeText(promotion.maxRedemptions),
  combinable: promotion.combinable ?? false,
  startsAt: promotion.startsAt === undefined ? '' : fieldValue(promotion.startsAt, zone),
  endsAt: promotion.endsAt === undefined ? '' : fieldValue(promotion.endsAt, zone),
});

function fieldsOf(draft: Draft, zone: string): Schemas['PromotionFields'] {
  const { name, kind, scope, combinable, active } = draft;
  const ids = draft.ids.split(/[\s,]+/).filter((id) => id !== '');
  const time = (text: string): string => fieldTime(text, zone) ?? text;
  return {
    ...{ name, kind, scope, combinable, active },
    ...(kind === 'coupon' && optional('code', draft.code, String)),
    ...(kind === 'number_list' && optional('numberListId', draft.numberListId, String)),
    ...(draft.off === 'percent'
      ? optional('percentOff', draft.percentOff, Number)
      : optional('amountOffCents', draft.amountOff, cents)),
    ...(scope === 'products' && { productExternalIds: ids }),
    ...(scope === 'categories' && { categoryExternalIds: ids }),
    ...(kind !== 'flash_sale' && {
      ...optional('minSubtotalCents', draft.minSubtotal, cents),
      ...optional('maxPerCustomer', draft.maxPerCustomer, Number),
      ...optional('maxRedemptions', draft.maxRedemptions, Number),
    }),
    ...optional('startsAt', draft.startsAt, time),
    ...optional('endsAt', draft.endsAt, time),
  };
}

interface FormProps {
  readonly store: ConsoleStoreBody;
  /** The promotion that is edited; a new one when absent. */
  readonly promotion?: Promotion;
  done(): void;
  away(): void;
}

function PromotionForm({ store, promotion, done, away }: FormProps) {
  const { workspaceId, timezone: zone } = store;
  const [draft, setDraft] = useState<Draft>(() => (promotion === undefined ? NEW_DRAFT : draftOf(promotion, zone)));
  const { busy, error, renew, send } = useSending();
  const lists = useLoad(`lists ${workspaceId}`, () =>
    read('/workspaces/{workspaceId}/commerce/number-lists', { workspaceId }),
  );
  const set = (part: Partial<Draft>): void => {
    renew();
    setDraft((before) => ({ ...before, ...part }));
  };
  const fault = (place: string): string | undefined => faultAt(error?.faults, new RegExp(`^body\\.${place}`));
  const submit = (event: SubmitEvent): void =>
    send(
      event,
      (once) =>
        promotion === undefined
          ? act(`POST ${PROMOTIONS}`, { workspaceId }, fieldsOf(draft, zone), {}, once)
          : act(`PUT ${PROMOTIONS}/{promotionId}`, { workspaceId, promotionId: promotion.id }, fieldsOf(draft, zone)),
      done,
    );
  const text = <P extends keyof Draft>(part: P, place: string, label: string, about: string, most = 16) => ({
    ...{ id: `promotion-${part}`, name: part, value: String(draft[part]), label, about, most },
    fault: fault(place),
    change: (value: string) => set({ [part]: value }),
  });
  const title = promotion === undefined ? 'New promotion' : `Edit ${promotion.name}`;
  const { kind, scope } = draft;
  return (
    <form class="card command" onSubmit={submit} aria-label={title}>
      <h2>{title}</h2>
      <Fields>
        <TextField {...text('name', 'name', 'Name', 'Shown with the discount.', 120)} required />
        <SelectField
          {...{ id: 'promotion-kind', label: 'Kind', value: kind, options: KINDS, fault: fault('kind') }}
          disabled={promotion !== undefined}
          change={(value) => set({ kind: value as Kind })}
        />
        {kind === 'coupon' && (
          <TextField {...text('code', 'code', 'Code', 'Upper and lower case are equal.', 32)} required />
        )}
        {kind === 'number_list' && (
          <SelectField
            {...{ id: 'promotion-list', label: 'Number list', value: draft.numberListId, fault: fault('numberListId') }}
            options={[['', 'Choose'], ...(lists.data?.lists ?? []).map(({ id, name }) => [id, name] as const)]}
            change={(numberListId) => set({ numberListId })}
          />
        )}
        <SelectField
          {...{ id: 'promotion-off', label: 'Discount', value: draft.off }}
          options={[
            ['percent', 'Percent'],
            ['amount', 'Amount'],
          ]}
          change={(off) => set({ off })}
        />
        {draft.off === 'percent' ? (
          <TextField {...text('percentOff', 'percentOff', 'Percent off', '1 to 100.', 3)} required />
        ) : (
          <TextField
            {...text(
              'amountOff',
              'amountOffCents',
              'Amount off',
              kind === 'flash_sale' ? 'Of each unit, in US dollars.' : 'In US dollars.',
            )}
            required
          />
        )}
        <SelectField
          {...{ id: 'promotion-scope', label: 'Applies to', value: scope, options: SCOPES, fault: fault('scope') }}
          change={(value) => set({ scope: value as Scope })}
        />
        {scope !== 'all' && (
          <TextField
            {...text(
              'ids',
              scope === 'products' ? 'productExternalIds' : 'categoryExternalIds',
              scope === 'products' ? 'Product ids' : 'Category ids',
              'Separated by spaces.',
              20_000,
            )}
            rows={2}
            required
          />
        )}
        {kind !== 'flash_sale' && (
          <>
            <TextField
              {...text('minSubtotal', 'minSubtotalCents', 'Minimum', 'Subtotal of the cart, in US dollars.')}
            />
            <TextField {...text('maxPerCustomer', 'maxPerCustomer', 'Uses per customer', 'Empty: no limit.', 9)} />
            <TextField {...text('maxRedemptions', 'maxRedemptions', 'Uses in total', 'Empty: no limit.', 9)} />
          </>
        )}
        <TimeField
          {...{ id: 'promotion-starts', label: 'Begins', zone, value: draft.startsAt, fault: fault('startsAt') }}
          change={(startsAt) => set({ startsAt })}
        />
        <TimeField
          {...{ id: 'promotion-ends', label: 'Ends', zone, value: draft.endsAt, fault: fault('endsAt') }}
          change={(endsAt) => set({ endsAt })}
        />
        <CheckField
          {...{ id: 'promotion-combinable', label: 'Combinable', checked: draft.combinable }}
          about="Adds to other combinable promotions. Otherwise only the best discount applies."
          change={(combinable) => set({ combinable })}
        />
        <CheckField
          {...{ id: 'promotion-active', label: 'Active', checked: draft.active }}
          change={(active) => set({ active })}
        />
      </Fields>
      <FormEnd submit={promotion === undefined ? 'Create the promotion' : 'Save'} {...{ busy, error, away }} />
    </form>
  );
}

const discountOf = ({ percentOff, amountOffCents = 0 }: Promotion): string =>
  percentOff === undefined ? money(amountOffCents) : `${percentOff} %`;

/** Until when it runs, or why it does not. */
function stateOf({ open, active, startsAt, endsAt }: Promotion, zone: string): readonly [chip: string, note: string] {
  if (open) return ['active', endsAt === undefined ? '' : `until ${day(endsAt, zone)}`];
  if (!active) return ['inactive', ''];
  const isAhead = startsAt !== undefined && Date.parse(startsAt) > Date.now();
  return isAhead ? ['queued', `from ${day(startsAt, zone)}`] : ['inactive', 'ended'];
}

interface RowProps {
  readonly store: ConsoleStoreBody;
  readonly promotion: Promotion;
  readonly mayChange: boolean;
  reload(): void;
}

function Row({ store, promotion, mayChange, reload }: RowProps) {
  const acting = useActing(reload);
  const { id, name, kind, code, redemptions, maxRedemptions } = promotion;
  const [state, note] = stateOf(promotion, store.timezone);
  const of = { workspaceId: store.workspaceId, promotionId: id };
  return (
    <tr>
      <th scope="row">
        <Own text={name} /> {code !== undefined && <code>{code}</code>}
      </th>
      <td>{words(kind)}</td>
      <td class="num">{discountOf(promotion)}</td>
      <td>
        <Chip value={state} label={state === 'queued' ? 'Not yet' : words(state)} /> <span class="fine">{note}</span>
      </td>
      <td class="num">
        {count(redemptions)}
        {maxRedemptions !== undefined && ` of ${count(maxRedemptions)}`}
      </td>
      {mayChange && (
        <td>
          <span class="actions">
            <button type="button" class="button small" aria-label={`Edit ${name}`} onClick={() => refine({ do: id })}>
              Edit
            </button>
            <Sure
              yes="Yes, delete it"
              label={`Delete ${name}`}
              disabled={acting.busy}
              onYes={() => acting.run(() => act(`DELETE ${PROMOTIONS}/{promotionId}`, of, undefined), 'Deleted.')}
            >
              Delete
            </Sure>
          </span>
          <Outcome acting={acting} />
        </td>
      )}
    </tr>
  );
}

export function Promotions({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { workspaceId } = store;
  const doing = usePlace().query.get('do');
  const mayChange = canChange(session, 'commerce:manage');
  const load = useLoad(`promotions ${workspaceId}`, () => read(PROMOTIONS, { workspaceId }));
  const close = (): void => refine({ do: undefined });
  const done = (): void => {
    close();
    load.reload();
  };
  return (
    <section class="page">
      <header class="title">
        <h1>Promotions</h1>
        <a class="button" href={hrefOf(`/s/${workspaceId}/number-lists`)}>
          Number lists
        </a>
        {mayChange && doing !== 'new' && (
          <button type="button" class="button primary" onClick={() => refine({ do: 'new' })}>
            New promotion
          </button>
        )}
      </header>
      {mayChange && doing === 'new' && <PromotionForm {...{ store, done }} away={close} />}
      <Shown load={load} rows={6}>
        {({ promotions }) => {
          const edited = promotions.find(({ id }) => id === doing);
          if (promotions.length === 0)
            return <Empty title="No promotions yet">Create a coupon to give customers a discount.</Empty>;
          return (
            <>
              {mayChange && edited !== undefined && (
                <PromotionForm key={edited.id} {...{ store, done }} promotion={edited} away={close} />
              )}
              <Table
                label="Promotions, newest first"
                columns={[
                  ...[{ name: 'Promotion' }, { name: 'Kind' }, { name: 'Discount', num: true as const }],
                  ...[{ name: 'State' }, { name: 'Used', num: true as const }],
                  ...(mayChange ? [{ name: 'Actions', unseen: true as const }] : []),
                ]}
              >
                {promotions.map((promotion) => (
                  <Row key={promotion.id} {...{ store, promotion, mayChange }} reload={load.reload} />
                ))}
              </Table>
            </>
          );
        }}
      </Shown>
    </section>
  );
}
