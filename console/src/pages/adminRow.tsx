/** One row of a list of the operator's: all that is known of it, where it leads, and what can be done with it. */
import type { ConsoleCommandBody, ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { exact } from '../ui/format.js';
import { Own } from '../ui/parts.js';
import { hrefOf } from '../ui/router.js';
import { fieldWords } from './adminField.js';
import { CommandForm, restWords, type Values } from './adminForm.js';
import { RecordingSound } from './recordingSound.js';
import type { RowBody } from './rowBody.js';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** As people call it. */
export const calledOf = (body: RowBody, id: string): string =>
  [body.name, body.email, body.displayPhoneNumber].find(isText) ?? (isText(body.last4) ? `…${body.last4}` : id);

const isFeature = (value: unknown): value is { key: string; enabled: boolean; limit?: number } =>
  typeof value === 'object' && value !== null && 'key' in value && 'enabled' in value;

/** A value as the field of a form takes it. */
function typedValue(value: unknown): string {
  if (isText(value) || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return '';
  return value
    .map((one: unknown) =>
      isFeature(one) ? `${one.key}${one.enabled ? '' : '=off'}${one.limit === undefined ? '' : `=${one.limit}`}` : one,
    )
    .join('\n');
}

/** Fields of a team's definition. */
const DEFINITION = ['id', 'name', 'color', 'members', 'queue', 'workingHours'] as const;

/** Returns the initial values of a form for the row. */
export function initialOf(
  command: ConsoleCommandBody,
  id: string,
  body: RowBody,
  workspace: string | undefined,
): Values {
  const values: Record<string, string> = {};
  for (const { name, json } of command.fields) {
    if (json) {
      const definition = Object.fromEntries(
        DEFINITION.flatMap((field) => (field in body ? [[field, body[field]]] : [])),
      );
      values[name] = JSON.stringify(definition, undefined, 2);
    } else if (name === 'id') values[name] = id;
    else if (name === 'workspace') values[name] = isText(body.workspaceId) ? body.workspaceId : (workspace ?? '');
    else values[name] = typedValue(body[name]);
  }
  return values;
}

/** Commands of recordings that start a new one, or that the row offers by other means. */
const ELSEWHERE: ReadonlySet<string> = new Set(['recordings.put', 'recordings.save']);

/** Returns true if a command changes a row of its area, rather than creating one. */
export const isOfRow = ({ name, fields, changes }: ConsoleCommandBody): boolean =>
  changes &&
  !name.endsWith('.create') &&
  (fields.some((field) => field.name === 'id') || /^(stores|plans|numbers)\.|\.put$/.test(name)) &&
  !ELSEWHERE.has(name);

/** Returns true if a command creates something. */
export const isNew = (command: ConsoleCommandBody): boolean =>
  command.changes && !(command.fields.some(({ name }) => name === 'id') || /^stores\.(?!create)/.test(command.name));

interface LinksProps {
  readonly workspace: string | undefined;
  readonly area: string;
  readonly id: string;
  readonly areas: readonly string[];
}

function Links({ workspace, area, id, areas }: LinksProps) {
  const links: (readonly [string, string])[] = [];
  const to = (other: string, name: string, query: Record<string, string>): void => {
    if (areas.includes(other)) links.push([name, hrefOf(`/admin/${other}`, query)]);
  };
  if (area === 'partners') {
    to('stores', 'Partner’s stores', { partner: id });
    to('keys', 'Partner’s keys', { partner: id });
    links.push(['Partner’s webhooks', hrefOf(`/admin/partners/${id}/webhooks`)]);
  }
  if (area === 'stores') {
    links.push(['Store’s orders', hrefOf(`/s/${id}/orders`)]);
    for (const other of ['keys', 'numbers', 'members', 'teams', 'recordings'])
      to(other, `Store’s ${other}`, { workspace: id });
  }
  if (area === 'keys') links.push(['Requests with this key', hrefOf('/requests', { key: id })]);
  if (area === 'conversations') links.push(['Open in the inbox', hrefOf(`/s/${workspace}/inbox/${id}`)]);
  return links.length === 0 ? null : (
    <p class="actions">
      {links.map(([name, href]) => (
        <a key={name} class="button small" href={href}>
          {name}
        </a>
      ))}
    </p>
  );
}

function Value({ value }: { value: unknown }) {
  if (isText(value) && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return <time title={exact(value)}>{value}</time>;
  if (typeof value !== 'object' || value === null) return <Own text={String(value)} />;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return <Own text={value.join(', ') || '—'} />;
  return <code class="wrap">{JSON.stringify(value)}</code>;
}

interface RowProps {
  readonly area: string;
  readonly id: string;
  readonly body: RowBody;
  readonly workspace: string | undefined;
  readonly commands: readonly ConsoleCommandBody[];
  readonly areas: readonly string[];
  readonly session: ConsoleSessionBody;
  readonly stores: readonly ConsoleStoreBody[];
  /** The command that is open. */
  readonly open: string | undefined;
  choose(command: string | undefined): void;
  close(): void;
  reload(): void;
}

export function AdminRow({
  area,
  id,
  body,
  workspace,
  commands,
  areas,
  stores,
  open,
  choose,
  close,
  reload,
}: RowProps) {
  const mine = commands.filter(isOfRow);
  const command = mine.find(({ name }) => name === open);
  const called = calledOf(body, id);
  return (
    <aside class="card beside" aria-label={called}>
      <header class="title">
        <h2>
          <Own text={called} />
        </h2>
        <button type="button" class="button small" onClick={close}>
          Close
        </button>
      </header>
      <Links workspace={workspace} area={area} id={id} areas={areas} />
      {area === 'recordings' && workspace !== undefined && (
        <RecordingSound key={`${workspace} ${id} ${body.updatedAt}`} workspaceId={workspace} id={id} body={body} />
      )}
      {mine.length > 0 && (
        <div class="tabs" role="group" aria-label="Actions">
          {mine.map(({ name, typed }) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === open}
              onClick={() => choose(name === open ? undefined : name)}
            >
              {restWords(typed)}
            </button>
          ))}
        </div>
      )}
      {command !== undefined && (
        <CommandForm
          key={`${command.name} ${id}`}
          command={command}
          initial={initialOf(command, id, body, workspace)}
          stores={stores}
          called={command.final === undefined ? undefined : called}
          fixed={area === 'stores' ? ['workspace'] : ['id']}
          done={reload}
        />
      )}
      <dl class="facts">
        {Object.entries(body).map(([name, value]) => (
          <div key={name}>
            <dt>{fieldWords(name)}</dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
