/** A store's message templates: how each stands at the provider, and what customers read. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { refine, usePlace } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';

type Template = Schemas['TemplateBody'];

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

function One({ template, store }: { template: Template; store: ConsoleStoreBody }) {
  const { name, language, category, status, quality, definition, rejectedReason, errorMessage, editPending } = template;
  const { header, body, footer, buttons = [] } = definition;
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
      <blockquote class="template">
        {header?.text !== undefined && (
          <p>
            <b>
              <Own text={header.text} />
            </b>
          </p>
        )}
        {body.text !== undefined && (
          <p class="said">
            <Own text={body.text} />
          </p>
        )}
        {footer !== undefined && (
          <p class="fine">
            <Own text={footer.text ?? ''} />
          </p>
        )}
        {buttons.length > 0 && (
          <p class="fine">
            {buttons.map((button) => ('text' in button ? String(button.text) : button.type)).join(' · ')}
          </p>
        )}
      </blockquote>
    </li>
  );
}

export function Templates({ store }: { store: ConsoleStoreBody }) {
  const { query } = usePlace();
  const { workspaceId, timezone } = store;
  const load = useLoad(`templates ${workspaceId}`, () => allOf(workspaceId));
  const search = (query.get('search') ?? '').toLowerCase();
  return (
    <section class="page">
      <header class="title">
        <h1>Templates</h1>
        {load.data?.syncedAt !== undefined && (
          <p class="fine">
            as the provider said <When at={load.data.syncedAt} zone={timezone} />
          </p>
        )}
      </header>
      <form class="filters fields" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
        <label>
          Search{' '}
          <input
            type="search"
            name="search"
            value={query.get('search') ?? ''}
            onInput={({ currentTarget }) => refine({ search: currentTarget.value })}
          />
        </label>
      </form>
      {load.data?.syncError !== undefined && <p class="note bad">{load.data.syncError}</p>}
      <Shown load={load} rows={4}>
        {({ templates }) => {
          const found = templates.filter(({ name, definition, status }) =>
            `${name} ${status} ${definition.body.text ?? ''}`.toLowerCase().includes(search),
          );
          return found.length === 0 ? (
            <Empty title={templates.length === 0 ? 'No template yet' : 'No template is like this'}>
              Templates reach customers who have not written for 24 hours. The API’s <code>createTemplate</code> makes
              one.
            </Empty>
          ) : (
            <ul class="cards">
              {found.map((template) => (
                <One key={template.id} template={template} store={store} />
              ))}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}
