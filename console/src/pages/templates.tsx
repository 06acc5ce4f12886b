/** Message templates of a store: their state at the provider, and a preview. */

import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { Outcome, Sure, useActing } from '../ui/actions.js';
import { Search } from '../ui/filters.js';
import { words } from '../ui/format.js';
import { useEvery, useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { canChange } from '../ui/permission.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';
import { TemplateForm } from './templateForm.js';
import { AsRead } from './templateParts.js';

type Template = Schemas['TemplateBody'];

const TEMPLATES = '/workspaces/{workspaceId}/templates';
/** States that the provider will change: these templates are polled, in ms. */
const UNDER_WAY: ReadonlySet<string> = new Set(['submitting', 'pending', 'deleting', 'pending_deletion']);
const LOOK_MS = 3000;
/** In these the provider takes an edit. */
const EDITABLE: ReadonlySet<string> = new Set(['approved', 'rejected', 'paused', 'submit_failed']);
const PAGE = 200;
/** Templates that are shown; a store has some tens. */
const MOST = 1000;
const TONES: Readonly<Record<string, string>> = { pending: 'queued', in_appeal: 'queued', paused: 'rejected' };

async function allOf(workspaceId: string) {
  const templates: Template[] = [];
  let cursor: string | undefined;
  for (;;) {
    const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page = await read('/workspaces/{workspaceId}/templates', { workspaceId }, query);
    templates.push(...page.templates);
    cursor = page.next;
    if (cursor === undefined || templates.length >= MOST)
      return { templates, syncedAt: page.syncedAt, syncError: page.syncError };
  }
}

interface OneProps {
  readonly template: Template;
  readonly store: ConsoleStoreBody;
  /** An auditor only reads. */
  readonly may: boolean;
  remove(): void;
}

function One({ template, store, may, remove }: OneProps) {
  const { name, language, category, status, quality, definition, rejectedReason, errorMessage, editPending } = template;
  return (
    <li class="card">
      <h2>
        <Own text={name} /> <span class="fine">{language}</span>{' '}
        <Chip value={TONES[status] ?? status} label={words(status)} />
      </h2>
      <p class="fine">
        {category}
        {quality !== undefined && ` · quality ${quality.toLowerCase()}`}
        {editPending && ' · an edit waits for approval'} · changed{' '}
        <When at={template.updatedAt} zone={store.timezone} />
      </p>
      {[rejectedReason, errorMessage].map((reason) =>
        reason === undefined ? null : (
          <p class="bad" key={reason}>
            {reason}
          </p>
        ),
      )}
      <AsRead definition={definition} workspaceId={store.workspaceId} />
      {may && (
        <p class="actions">
          {EDITABLE.has(status) && category !== 'authentication' && (
            <a class="button small" href={hrefOf(`/s/${store.workspaceId}/templates`, { do: template.id })}>
              Edit
            </a>
          )}
          {status !== 'deleting' && (
            <Sure yes="Yes, delete it" label={`Delete ${name} ${language}`} onYes={remove}>
              Delete
            </Sure>
          )}
        </p>
      )}
    </li>
  );
}

export function Templates({ session, store }: { session: ConsoleSessionBody; store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const { workspaceId, timezone } = store;
  const load = useLoad(`templates ${workspaceId}`, () => allOf(workspaceId));
  const acting = useActing(load.reload);
  const waits = load.data?.templates.some(({ status, editPending }) => editPending || UNDER_WAY.has(status)) ?? false;
  const may = canChange(session, 'templates:manage');
  // Each look of an auditor is written down: they look again when they want to.
  useEvery(LOOK_MS, () => may && waits && load.reload());
  const open = query.get('do') ?? undefined;
  const close = (): void => refine({ do: undefined });
  const remove = ({ id: templateId }: Template): void =>
    acting.run(
      () => act(`DELETE ${TEMPLATES}/{templateId}`, { workspaceId, templateId }, undefined),
      'The template is being deleted.',
    );
  const sync = (): void =>
    acting.run(
      () => act(`POST ${TEMPLATES}/sync`, { workspaceId }, undefined),
      'Requesting the status from the provider.',
    );
  const search = (query.get('search') ?? '').toLowerCase();
  return (
    <section class="page">
      <header class="title">
        <h1>Templates</h1>
        {load.data?.syncedAt !== undefined && (
          <p class="fine">
            synced <When at={load.data.syncedAt} zone={timezone} />
          </p>
        )}
        {may && (
          <span class="actions">
            <button type="button" class="button" disabled={acting.busy} onClick={sync}>
              Sync with the provider
            </button>
            <button type="button" class="button primary" onClick={() => refine({ do: 'new' })}>
              New template
            </button>
          </span>
        )}
      </header>
      <Outcome acting={acting} />
      {open === undefined && (
        <form class="filters fields" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
          <Search />
        </form>
      )}
      {load.data?.syncError !== undefined && <p class="note bad">{load.data.syncError}</p>}
      <Shown load={load} rows={4}>
        {({ templates }) => {
          const found = templates.filter(({ name, definition, status }) =>
            `${name} ${status} ${definition.body.text ?? ''}`.toLowerCase().includes(search),
          );
          const edited = templates.find(({ id }) => id === open);
          const written = () => {
            close();
            load.reload();
          };
          if (may && (open === 'new' || edited !== undefined))
            return (
              <TemplateForm
                key={open}
                workspaceId={workspaceId}
                {...(edited !== undefined && { template: edited })}
                done={written}
                away={close}
              />
            );
          return found.length === 0 ? (
            <Empty title={templates.length === 0 ? 'No templates yet' : 'No matching templates'}>
              Templates reach customers who have not written for 24 hours.
            </Empty>
          ) : (
            <ul class="cards">
              {found.map((template) => (
                <One key={template.id} template={template} store={store} may={may} remove={() => remove(template)} />
              ))}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}
