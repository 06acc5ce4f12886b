/** A list of `suuq admin`: its filters, its rows with scrolling, and the chosen row. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type {
  ConsoleCommandAnswerBody,
  ConsoleCommandBody,
  ConsoleSessionBody,
  ConsoleStoreBody,
} from '../../../api/console/contract.js';
import { readConsole } from '../api/client.js';
import { Search } from '../ui/filters.js';
import { count, words } from '../ui/format.js';
import { useLoad, useSettled } from '../ui/load.js';
import { type Page, usePaged } from '../ui/paged.js';
import { Result, type ShownTable, tableIn } from '../ui/result.js';
import { refine, usePlace } from '../ui/router.js';
import { Empty, Failure, Loading } from '../ui/states.js';
import { fieldWords, optionsOf } from './adminField.js';
import { AdminRow } from './adminRow.js';
import { type Found, matching, Rows, rowsIn } from './adminTable.js';
import type { RowBody } from './rowBody.js';

export interface AdminProps {
  readonly session: ConsoleSessionBody;
  readonly stores: readonly ConsoleStoreBody[];
  /** The store that was last looked at. */
  readonly store: ConsoleStoreBody | undefined;
  readonly area: string | undefined;
}

/** Parameters of a long list other than its filters. */
const OF_PAGES: ReadonlySet<string> = new Set(['search', 'page', 'after']);
const ROWS = 200;
/** So long nothing is typed before a long list is looked through, in ms. */
const TYPED_MS = 250;
/** Most empty answers in a row before scrolling loads no more. */
const MOST_EMPTY = 20;

/** Parameters of the list: those of the address, and the last store where one is required. */
function queryOf({ fields }: ConsoleCommandBody, query: URLSearchParams, store: ConsoleStoreBody | undefined) {
  const requested: Record<string, string> = {};
  for (const { name, required } of fields.filter(({ name }) => !OF_PAGES.has(name))) {
    const value = query.get(name) || (required && name === 'workspace' ? store?.workspaceId : undefined);
    if (value) requested[name] = value;
  }
  return requested;
}

interface FieldsProps {
  readonly command: ConsoleCommandBody;
  readonly query: Readonly<Record<string, string>>;
  readonly stores: readonly ConsoleStoreBody[];
}

function ListFields({ command, query, stores }: FieldsProps) {
  const set = (name: string) => ({
    name,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      refine({ [name]: currentTarget.value.trim(), row: undefined, do: undefined }),
  });
  return (
    <form class="filters fields" onSubmit={(event) => event.preventDefault()} aria-label="Filters">
      <Search />
      {command.fields
        .filter(({ name }) => !OF_PAGES.has(name))
        .map((field) => {
          const { name, required } = field;
          const options = optionsOf(field, stores);
          const id = `list-${name}`;
          const shared = { id, ...set(name), value: query[name] ?? '' };
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
  /** The form for a new row. */
  readonly begin: ComponentChildren;
  changed(): void;
}

type ListQuery = Readonly<Record<string, string>>;

/** The last answer without its rows. */
interface Frame {
  readonly table?: ShownTable | undefined;
  readonly texts: readonly string[];
  readonly shown: ConsoleCommandAnswerBody['shown'];
}

const rowsOf = (list: ConsoleCommandBody, { result, shown }: ConsoleCommandAnswerBody): readonly Found[] => {
  const { table } = tableIn(shown);
  return table === undefined ? [] : rowsIn(table, (result[list.list ?? ''] ?? []) as readonly RowBody[]);
};

/** A page of a long list; a short one comes whole, and is searched here. */
function useRows(list: ConsoleCommandBody, requested: ListQuery | undefined, search: string) {
  const { name, fields } = list;
  const isLong = fields.some((field) => field.name === 'after');
  const settled = useSettled(search, isLong ? TYPED_MS : 0);
  const frame = useRef<Frame | undefined>(undefined);
  const key = JSON.stringify([name, requested, isLong ? settled : '']);
  const request = async (after: string | undefined): Promise<Page<Found>> => {
    if (requested === undefined) return { rows: [] };
    let place = after;
    for (let turn = 0; ; turn++) {
      const page = isLong ? { page: String(ROWS), search: settled, after: place } : {};
      const answer = await readConsole('/commands/{name}', { name }, { ...requested, ...page });
      const { table, texts } = tableIn(answer.shown);
      const { next } = answer.result;
      frame.current = { table, texts: typeof next === 'string' ? [] : texts, shown: answer.shown };
      const rows = rowsOf(list, answer);
      place = typeof next === 'string' ? next : undefined;
      if (rows.length > 0 || place === undefined || turn === MOST_EMPTY) return { rows, next: place };
    }
  };
  const paged = usePaged(key, request);
  const rows = isLong || frame.current?.table === undefined ? paged.rows : matching(paged.rows, search);
  return { paged, rows, isLong, frame: frame.current, isSearched: search !== '' };
}

/** The chosen row, though it may be none of those that have come. */
function useChosen(
  list: ConsoleCommandBody,
  requested: ListQuery | undefined,
  rows: readonly Found[],
  isLong: boolean,
  version: number,
) {
  const { query } = usePlace();
  const chosen = query.get('row') ?? undefined;
  const here = rows.find(({ id }) => id === chosen);
  const isAway = isLong && chosen !== undefined && here === undefined && requested !== undefined;
  const away = useLoad(isAway ? `${list.name} ${chosen} ${version}` : 'none', async () => {
    if (!isAway) return undefined;
    const answer = await readConsole(
      '/commands/{name}',
      { name: list.name },
      { ...requested, search: chosen, page: '5' },
    );
    return rowsOf(list, answer).find(({ id }) => id === chosen);
  });
  return { chosen, row: here ?? (isAway ? away.data : undefined) };
}

export function List({ area, areas, list, commands, session, stores, store, version, begin, changed }: ListProps) {
  const { query } = usePlace();
  const given = queryOf(list, query, store);
  const isMissing = list.fields.some(({ name, required }) => required && given[name] === undefined);
  const requested = isMissing ? undefined : given;
  const { paged, rows, isLong, frame, isSearched } = useRows(list, requested, query.get('search') ?? '');
  const { chosen, row } = useChosen(list, requested, rows, isLong, version);
  const { renew } = paged;
  // What is shown stays until what has changed is there.
  useEffect(() => {
    if (version > 0) renew();
  }, [version]);
  const { loading, error, next } = paged;
  const nothing = () => {
    if (requested === undefined) return <Empty title="No stores yet">{list.about}</Empty>;
    if (loading) return <Loading rows={8} />;
    if (error !== undefined) return <Failure error={error} retry={paged.again} />;
    if (frame?.table === undefined) return <Result shown={frame?.shown ?? ''} />;
    return <Empty title={isSearched ? 'No matches' : frame.table.none} />;
  };
  return (
    <>
      <div class="fields begin">
        <ListFields command={list} query={given} stores={stores} />
        {begin}
      </div>
      <div class={row === undefined ? 'list-and-row alone' : 'list-and-row'}>
        {rows.length === 0 || frame?.table === undefined ? (
          nothing()
        ) : (
          <Rows table={frame.table} {...{ rows, chosen, stores }} label={words(area)} reach={paged.more} />
        )}
        {row !== undefined && (
          <AdminRow
            {...{ area, areas, commands, session, stores, id: row.id, body: row.body }}
            workspace={given.workspace ?? session.workspaceId}
            open={query.get('do') ?? undefined}
            choose={(command) => refine({ do: command })}
            close={() => refine({ row: undefined, do: undefined })}
            reload={changed}
          />
        )}
        <p class="fine counted" role="status">
          {rows.length > 0 && error !== undefined ? (
            <>
              {error.message}{' '}
              <button type="button" class="button small" onClick={paged.again}>
                Try again
              </button>
            </>
          ) : (
            rows.length > 0 &&
            `${count(rows.length)}${next === undefined ? ' in all' : ' so far'} ${frame?.texts.join(' ') ?? ''}`
          )}
        </p>
      </div>
    </>
  );
}
