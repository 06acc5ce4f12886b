/** Number lists of a store. A promotion can be limited to the customers of a list. */

import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, type Failed, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { FormEnd, Outcome, Sure, useActing } from '../ui/actions.js';
import { optional, wholeText } from '../ui/amounts.js';
import { Fields, SelectField } from '../ui/fields.js';
import { count } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Own } from '../ui/parts.js';
import { canChange } from '../ui/permission.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { useSending } from '../ui/sending.js';
import { Empty, Shown } from '../ui/states.js';
import { Table } from '../ui/table.js';
import { faultAt, TextField } from '../ui/textField.js';

const LISTS = '/workspaces/{workspaceId}/commerce/number-lists';
/** 10,000 numbers of 15 digits with plus and line break, and room for blanks. */
const MOST_CHARACTERS = 300_000;
/** Maximum number of refused numbers shown. */
const MOST_NAMED = 20;

type List = Schemas['NumberListBody'];
type Kind = List['kind'];

const KINDS: readonly (readonly [Kind, string])[] = [
  ['uploaded', 'Numbers that you enter'],
  ['past_orders', 'Customers with past orders'],
];

interface Draft {
  readonly name: string;
  readonly kind: Kind;
  /** One number on each line. */
  readonly phones: string;
  readonly minOrders: string;
}

const draftOf = (list: List | undefined): Draft => ({
  name: list?.name ?? '',
  kind: list?.kind ?? 'uploaded',
  phones: (list?.phones ?? []).join('\n'),
  minOrders: wholeText(list?.minOrders ?? 1),
});

/** Numbers of a text or a CSV: cells between line breaks, commas, semicolons and tabs. */
const phonesIn = (text: string): readonly string[] => text.split(/[\n\r,;\t]+/).flatMap((cell) => cell.trim() || []);

const fieldsOf = ({ name, kind, phones, minOrders }: Draft): Schemas['NumberListFields'] => ({
  ...{ name, kind },
  ...(kind === 'uploaded' ? { phones: phonesIn(phones) } : optional('minOrders', minOrders, Number)),
});

/** Lists the refused numbers with the reason of each. */
function RefusedNumbers({ error, phones }: { error: Failed | undefined; phones: readonly string[] }) {
  const refused = (error?.faults ?? []).flatMap(({ location = '', message }) => {
    const at = /^body\.phones\[(\d+)\]/.exec(location)?.[1];
    return at === undefined ? [] : [{ phone: phones[Number(at)] ?? '', message }];
  });
  if (refused.length === 0) return null;
  return (
    <div role="alert">
      <p class="bad">{count(refused.length)} of the numbers cannot be used:</p>
      <ul>
        {refused.slice(0, MOST_NAMED).map(({ phone, message }, at) => (
          <li key={`${at} ${phone}`}>
            <code>
              <bdi>{phone}</bdi>
            </code>{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FormProps {
  readonly store: ConsoleStoreBody;
  /** With its numbers. Absent: a new list. */
  readonly list?: List;
  done(): void;
  away(): void;
}

function ListForm({ store, list, done, away }: FormProps) {
  const { workspaceId } = store;
  const [draft, setDraft] = useState(() => draftOf(list));
  /** Numbers of the last request. The indexes in its errors refer to them. */
  const [sent, setSent] = useState<readonly string[]>([]);
  const { busy, error, renew, send } = useSending();
  const set = (part: Partial<Draft>): void => {
    renew();
    setDraft((before) => ({ ...before, ...part }));
  };
  const fault = (place: string): string | undefined => faultAt(error?.faults, new RegExp(`^body\\.${place}$`));
  const submit = (event: SubmitEvent): void => {
    const fields = fieldsOf(draft);
    setSent(fields.phones ?? []);
    send(
      event,
      (once) =>
        list === undefined
          ? act(`POST ${LISTS}`, { workspaceId }, fields, {}, once)
          : act(`PUT ${LISTS}/{listId}`, { workspaceId, listId: list.id }, fields),
      done,
    );
  };
  const upload = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) set({ phones: phonesIn(`${draft.phones}\n${await file.text()}`).join('\n') });
  };
  const title = list === undefined ? 'New number list' : `Edit ${list.name}`;
  const isUploaded = draft.kind === 'uploaded';
  return (
    <form class="card command" onSubmit={submit} aria-label={title}>
      <h2>{title}</h2>
      <Fields>
        <TextField
          {...{ id: 'list-name', name: 'name', label: 'Name', about: 'Unique in the store.', most: 120 }}
          {...{ value: draft.name, fault: fault('name') }}
          required
          change={(name) => set({ name })}
        />
        <SelectField
          {...{ id: 'list-kind', label: 'Customers', value: draft.kind, options: KINDS, fault: fault('kind') }}
          disabled={list !== undefined}
          change={(kind) => set({ kind: kind as Kind })}
        />
        {!isUploaded && (
          <TextField
            {...{ id: 'list-orders', name: 'minOrders', label: 'Paid orders', about: 'Minimum number.', most: 6 }}
            {...{ value: draft.minOrders, fault: fault('minOrders') }}
            required
            change={(minOrders) => set({ minOrders })}
          />
        )}
      </Fields>
      {isUploaded && (
        <Fields one>
          <TextField
            {...{ id: 'list-phones', name: 'phones', label: 'Numbers', rows: 6, most: MOST_CHARACTERS }}
            about="With country code, one on each line. At most 10,000."
            {...{ value: draft.phones, fault: fault('phones') }}
            change={(phones) => set({ phones })}
          />
          <div class="field">
            <label for="list-file">Add numbers from a file</label>
            <input
              id="list-file"
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
            />
          </div>
        </Fields>
      )}
      <RefusedNumbers error={error} phones={sent} />
      <FormEnd submit={list === undefined ? 'Create the list' : 'Save'} {...{ busy, error, away }} />
    </form>
  );
}

/** Loads a list with its numbers. The response with all lists has none. */
function EditedList({ store, listId, done, away }: Omit<FormProps, 'list'> & { readonly listId: string }) {
  const { workspaceId } = store;
  const load = useLoad(`number list ${listId}`, () => read(`${LISTS}/{listId}`, { workspaceId, listId }));
  return (
    <Shown load={load} rows={4}>
      {(list) => <ListForm {...{ store, list, done, away }} />}
    </Shown>
  );
}

interface RowProps {
  readonly store: ConsoleStoreBody;
  readonly list: List;
  readonly mayChange: boolean;
  reload(): void;
}

function Row({ store, list, mayChange, reload }: RowProps) {
  const acting = useActing(reload);
  const { id, name, kind, size, usedBy, minOrders } = list;
  const of = { workspaceId: store.workspaceId, listId: id };
  return (
    <tr>
      <th scope="row">
        <Own text={name} />
      </th>
      <td>{kind === 'uploaded' ? 'Entered numbers' : `At least ${count(minOrders ?? 1)} paid orders`}</td>
      <td class="num">{count(size)}</td>
      <td class="num">{count(usedBy)}</td>
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
              onYes={() => acting.run(() => act(`DELETE ${LISTS}/{listId}`, of, undefined), 'Deleted.')}
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

export function NumberLists({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { workspaceId } = store;
  const doing = usePlace().query.get('do');
  const mayChange = canChange(session, 'commerce:manage');
  const load = useLoad(`number lists ${workspaceId}`, () => read(LISTS, { workspaceId }));
  const away = (): void => refine({ do: undefined });
  const done = (): void => {
    away();
    load.reload();
  };
  return (
    <section class="page">
      <header class="title">
        <p class="crumbs">
          <a href={hrefOf(`/s/${workspaceId}/promotions`)}>Promotions</a>
        </p>
        <h1>Number lists</h1>
        {mayChange && doing !== 'new' && (
          <button type="button" class="button primary" onClick={() => refine({ do: 'new' })}>
            New number list
          </button>
        )}
      </header>
      {mayChange && doing === 'new' && <ListForm {...{ store, done, away }} />}
      <Shown load={load} rows={4}>
        {({ lists }) => {
          const edited = lists.find(({ id }) => id === doing);
          if (lists.length === 0)
            return <Empty title="No number lists yet">Create one to give a discount to selected customers.</Empty>;
          return (
            <>
              {mayChange && edited !== undefined && (
                <EditedList key={edited.id} {...{ store, done, away }} listId={edited.id} />
              )}
              <Table
                label="Number lists"
                columns={[
                  ...[{ name: 'List' }, { name: 'Customers' }, { name: 'Numbers', num: true as const }],
                  { name: 'Promotions', num: true as const },
                  ...(mayChange ? [{ name: 'Actions', unseen: true as const }] : []),
                ]}
              >
                {lists.map((list) => (
                  <Row key={list.id} {...{ store, list, mayChange }} reload={load.reload} />
                ))}
              </Table>
            </>
          );
        }}
      </Shown>
    </section>
  );
}
