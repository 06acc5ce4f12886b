/** Categories of a store's products: names and order. Rows are moved by drag and drop or by buttons. */

import { useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { SavedFormEnd } from '../ui/actions.js';
import { useLoad } from '../ui/load.js';
import { canChange } from '../ui/permission.js';
import { hrefOf } from '../ui/router.js';
import { useSending } from '../ui/sending.js';
import { Shown } from '../ui/states.js';
import { faultAt } from '../ui/textField.js';

const CATEGORIES = '/workspaces/{workspaceId}/commerce/categories';
const MOST = 500;

type Category = Schemas['CategoryBody'];

interface Draft {
  readonly externalId: string;
  readonly name: string;
  /** Existing categories keep their ids. */
  readonly isNew: boolean;
  /** Identifies the row while its id is typed. */
  readonly row: number;
}

const draftOf = (categories: readonly Category[]): readonly Draft[] =>
  categories.map(({ externalId, name }, row) => ({ externalId, name, isNew: false, row }));

function moved(drafts: readonly Draft[], from: number, to: number): readonly Draft[] {
  const all = [...drafts];
  const [one] = all.splice(from, 1);
  all.splice(to, 0, one!);
  return all;
}

interface RowProps {
  readonly draft: Draft;
  readonly at: number;
  readonly last: boolean;
  readonly fault: string | undefined;
  /** True while another row is dragged over this one. */
  readonly isTarget: boolean;
  set(part: Partial<Draft>): void;
  move(to: number): void;
  remove(): void;
  drag(at: number | undefined): void;
  over(): void;
  drop(): void;
}

function Row({ draft, at, last, fault, isTarget, set, move, remove, drag, over, drop }: RowProps) {
  const number = at + 1;
  return (
    <div
      class={isTarget ? 'variant category drop-target' : 'variant category'}
      role="group"
      aria-label={`Category ${number}`}
      onDragOver={(event) => {
        event.preventDefault();
        over();
      }}
      onDrop={(event) => {
        event.preventDefault();
        drop();
      }}
    >
      <span
        class="drag-handle"
        draggable
        aria-hidden="true"
        title="Drag to reorder"
        onDragStart={(event) => {
          event.dataTransfer?.setData('text/plain', draft.externalId);
          drag(at);
        }}
        onDragEnd={() => drag(undefined)}
      >
        ⠿
      </span>
      <label>
        <span class="fine">Id</span>
        <input
          value={draft.externalId}
          required
          readOnly={!draft.isNew}
          maxLength={100}
          onInput={({ currentTarget }) => set({ externalId: currentTarget.value })}
        />
      </label>
      <label>
        <span class="fine">Name</span>
        <input
          value={draft.name}
          required
          dir="auto"
          aria-invalid={fault !== undefined}
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </label>
      <span class="actions">
        <button
          type="button"
          class="button small"
          disabled={at === 0}
          aria-label={`Move category ${number} up`}
          onClick={() => move(at - 1)}
        >
          Up
        </button>
        <button
          type="button"
          class="button small"
          disabled={last}
          aria-label={`Move category ${number} down`}
          onClick={() => move(at + 1)}
        >
          Down
        </button>
        {draft.isNew && (
          <button type="button" class="button small" aria-label={`Remove category ${number}`} onClick={remove}>
            Remove
          </button>
        )}
      </span>
      {fault !== undefined && <p class="bad">{fault}</p>}
    </div>
  );
}

interface FormProps {
  readonly store: ConsoleStoreBody;
  readonly categories: readonly Category[];
  readonly mayChange: boolean;
  reload(): void;
}

function CategoriesForm({ store, categories, mayChange, reload }: FormProps) {
  const { workspaceId } = store;
  const [drafts, setDrafts] = useState(() => draftOf(categories));
  const [dragged, setDragged] = useState<number>();
  const [target, setTarget] = useState<number>();
  const [isSaved, setSaved] = useState(false);
  const { busy, error, renew, send } = useSending();
  const change = (all: readonly Draft[]): void => {
    renew();
    setSaved(false);
    setDrafts(all);
  };
  const drag = (at: number | undefined): void => {
    setDragged(at);
    setTarget(undefined);
  };
  const submit = (event: SubmitEvent): void =>
    send(
      event,
      (once) => {
        const body = { categories: drafts.map(({ externalId, name }) => ({ externalId, name })) };
        return act(`PUT ${CATEGORIES}`, { workspaceId }, body, {}, once);
      },
      (saved) => {
        setDrafts(draftOf(saved.categories));
        setSaved(true);
        reload();
      },
    );
  const add = (): void => {
    const row = Math.max(-1, ...drafts.map((draft) => draft.row)) + 1;
    change([...drafts, { externalId: '', name: '', isNew: true, row }]);
  };
  return (
    <form class="card command" aria-label="Categories" onSubmit={submit}>
      <fieldset class="bare" disabled={!mayChange}>
        <div class="variants">
          {drafts.length === 0 && <p class="soft">No categories yet. Add the first one.</p>}
          {drafts.map((draft, at) => (
            <Row
              key={draft.row}
              {...{ draft, at, drag }}
              last={at === drafts.length - 1}
              fault={faultAt(error?.faults, new RegExp(`^body\\.categories\\[${at}\\]`))}
              isTarget={dragged !== undefined && dragged !== at && target === at}
              set={(part) => change(drafts.map((one, i) => (i === at ? { ...one, ...part } : one)))}
              move={(to) => change(moved(drafts, at, to))}
              remove={() => change(drafts.filter((_, i) => i !== at))}
              over={() => setTarget(at)}
              drop={() => {
                if (dragged !== undefined && dragged !== at) change(moved(drafts, dragged, at));
                drag(undefined);
              }}
            />
          ))}
          <button type="button" class="button small" disabled={drafts.length >= MOST} onClick={add}>
            Add a category
          </button>
        </div>
      </fieldset>
      {mayChange && (
        <SavedFormEnd
          submit="Save"
          {...{ busy, error }}
          away={() => change(draftOf(categories))}
          saved={isSaved ? 'The categories are saved.' : undefined}
        />
      )}
    </form>
  );
}

export function Categories({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { workspaceId } = store;
  const load = useLoad(`categories ${workspaceId}`, () => read(CATEGORIES, { workspaceId }));
  return (
    <section class="page">
      <header class="title">
        <p class="crumbs">
          <a href={hrefOf(`/s/${workspaceId}/catalog`)}>Catalog</a>
        </p>
        <h1>Categories</h1>
        <p class="fine">Customers see the categories in this order.</p>
      </header>
      <Shown load={load} rows={6}>
        {({ categories }) => (
          <CategoriesForm
            {...{ store, categories }}
            mayChange={canChange(session, 'commerce:manage')}
            reload={load.reload}
          />
        )}
      </Shown>
    </section>
  );
}
