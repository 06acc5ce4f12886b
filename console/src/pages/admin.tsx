/** What `suuq admin` can do, an area a page: its list, one of its rows, and its commands as forms. */
import { useEffect, useState } from 'preact/hooks';
import type {
  ConsoleCommandAnswerBody,
  ConsoleCommandBody,
  ConsoleSessionBody,
  ConsoleStoreBody,
} from '../../../api/console/contract.js';
import { Failed, look } from '../api/client.js';
import { count, words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Result, tableIn } from '../ui/result.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty, Failure, Shown } from '../ui/states.js';
import { CommandForm, fieldWords, optionsOf, restWords } from './adminForm.js';
import { AdminRow, isNew, type RowBody } from './adminRow.js';
import { found, Rows } from './adminTable.js';

export const areaOf = ({ name }: Pick<ConsoleCommandBody, 'name'>): string => name.split('.')[0]!;

export interface AdminProps {
  readonly session: ConsoleSessionBody;
  readonly stores: readonly ConsoleStoreBody[];
  /** The store that was last looked at. */
  readonly store: ConsoleStoreBody | undefined;
  readonly area: string | undefined;
}

/** What the list is asked with: the address's, and the store that was last looked at where one is needed. */
function askedWith({ fields }: ConsoleCommandBody, query: URLSearchParams, store: ConsoleStoreBody | undefined) {
  const asked: Record<string, string> = {};
  for (const { name, required } of fields) {
    const value = query.get(name) || (required && name === 'workspace' ? store?.workspaceId : undefined);
    if (value) asked[name] = value;
  }
  return asked;
}

interface FieldsProps {
  readonly command: ConsoleCommandBody;
  readonly asked: Readonly<Record<string, string>>;
  readonly stores: readonly ConsoleStoreBody[];
}

function ListFields({ command, asked, stores }: FieldsProps) {
  const { query } = usePlace();
  const set = (name: string) => ({
    name,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      refine({ [name]: currentTarget.value.trim(), row: undefined, do: undefined }),
  });
  return (
    <form class="filters fields" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
      <label>
        Search{' '}
        <input
          name="search"
          type="search"
          value={query.get('search') ?? ''}
          onInput={({ currentTarget }) => refine({ search: currentTarget.value })}
        />
      </label>
      {command.fields.map((field) => {
        const { name, required } = field;
        const options = optionsOf(field, stores);
        const id = `list-${name}`;
        const shared = { id, ...set(name), value: asked[name] ?? '' };
        return (
          <span class="labelled" key={name}>
            <label for={id}>{name === 'workspace' ? 'Store' : fieldWords(name)}</label>{' '}
            {options === undefined ? (
              <input {...shared} size={14} />
            ) : (
              <select {...shared}>
                {!required && <option value="">all</option>}
                {options.map(([value, called]) => (
                  <option key={value} value={value}>
                    {called}
                  </option>
                ))}
              </select>
            )}
          </span>
        );
      })}
    </form>
  );
}

interface ListProps extends AdminProps {
  readonly area: string;
  readonly areas: readonly string[];
  readonly list: ConsoleCommandBody;
  readonly commands: readonly ConsoleCommandBody[];
  readonly version: number;
  changed(): void;
}

function List({ area, areas, list, commands, session, stores, store, version, changed }: ListProps) {
  const { query } = usePlace();
  const asked = askedWith(list, query, store);
  const isMissing = list.fields.some(({ name, required }) => required && asked[name] === undefined);
  const load = useLoad<ConsoleCommandAnswerBody | undefined>(`${list.name} ${JSON.stringify(asked)}`, () =>
    isMissing ? Promise.resolve(undefined) : look('/commands/{name}', { name: list.name }, asked),
  );
  const { reload } = load;
  // What is shown stays until what has changed is there.
  useEffect(() => {
    if (version > 0) reload();
  }, [version]);
  const chosen = query.get('row') ?? undefined;
  return (
    <>
      <ListFields command={list} asked={asked} stores={stores} />
      <Shown load={load} rows={8}>
        {(answer) => {
          if (answer === undefined) return <Empty title="No store yet">{list.about}</Empty>;
          const { table, said } = tableIn(answer.shown);
          if (table === undefined) return <Result shown={answer.shown} />;
          const bodies = (answer.result[list.list ?? ''] ?? []) as readonly RowBody[];
          const rows = found(table, bodies, query.get('search') ?? '');
          const row = rows.find(({ id }) => id === chosen);
          return (
            <div class={row === undefined ? 'list-and-row alone' : 'list-and-row'}>
              {rows.length === 0 ? (
                <Empty title={table.rows.length === 0 ? table.none : 'Nothing is like this'} />
              ) : (
                <Rows table={table} rows={rows} label={words(area)} chosen={chosen} />
              )}
              {row !== undefined && (
                <AdminRow
                  {...{ area, areas, commands, session, stores, id: row.id, body: row.body }}
                  workspace={asked.workspace}
                  open={query.get('do') ?? undefined}
                  choose={(command) => refine({ do: command })}
                  close={() => refine({ row: undefined, do: undefined })}
                  reload={changed}
                />
              )}
              <p class="fine counted" role="status">
                {count(rows.length)} of {count(table.rows.length)} {said.join(' ')}
              </p>
            </div>
          );
        }}
      </Shown>
    </>
  );
}

interface AreaProps extends AdminProps {
  readonly all: readonly ConsoleCommandBody[];
}

function Area({ all, area: named, ...props }: AreaProps) {
  const { query } = usePlace();
  const [version, setVersion] = useState(0);
  const areas = [...new Set(all.map(areaOf))];
  const area = named ?? areas[0]!;
  const commands = all.filter((command) => areaOf(command) === area);
  const list = commands.find(({ changes }) => !changes);
  const fresh = commands.filter(isNew);
  const open = query.has('row') ? undefined : fresh.find(({ name }) => name === query.get('do'));
  if (commands.length === 0) {
    const { role } = props.session;
    if (role === 'operator') return <Empty title="There is nothing at this address" />;
    return <Failure error={new Failed(403, 'permission_denied', `${words(area)} are not for the role ${role}.`)} />;
  }
  const changed = (): void => setVersion((before) => before + 1);
  return (
    <>
      <nav class="tabs" aria-label="Areas">
        {areas.map((one) => (
          <a key={one} href={hrefOf(`/admin/${one}`)} aria-current={one === area ? 'page' : undefined}>
            {words(one)}
          </a>
        ))}
      </nav>
      {fresh.length > 0 && (
        <p class="actions">
          {fresh.map(({ name, typed }) => (
            <button
              key={name}
              type="button"
              class="button small"
              aria-expanded={open?.name === name}
              onClick={() => refine({ do: open?.name === name ? undefined : name, row: undefined })}
            >
              {restWords(typed)}
            </button>
          ))}
        </p>
      )}
      {open !== undefined && (
        <section class="card" aria-label={open.typed}>
          <CommandForm
            key={open.name}
            command={open}
            initial={Object.fromEntries(
              open.fields.map(({ name }) => [
                name,
                query.get(name) ?? (name === 'workspace' && !open.either ? (props.store?.workspaceId ?? '') : ''),
              ]),
            )}
            stores={props.stores}
            called={undefined}
            done={changed}
          />
        </section>
      )}
      {list !== undefined && <List {...props} {...{ area, areas, list, commands, version, changed }} key={area} />}
    </>
  );
}

export function Admin(props: AdminProps) {
  const load = useLoad('commands', () => look('/commands'));
  const { role } = props.session;
  return (
    <section class="page fill admin">
      <header class="title">
        <h1>Administration</h1>
        <p class="fine">
          {role === 'operator' && (
            <>
              What <code>suuq admin</code> can do, by the same names.
            </>
          )}
          {role === 'auditor' && 'You read; what you read is recorded.'}
          {role === 'store' && 'What concerns your store. Its operator changes it.'}
        </p>
      </header>
      <Shown load={load} rows={8}>
        {({ commands }) => <Area {...props} all={commands} />}
      </Shown>
    </section>
  );
}
