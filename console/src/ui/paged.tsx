/** A list that comes in pages, more of it as one scrolls; and what is shown while there is none of it. */
import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Failed } from '../api/client.js';
import { asFailed } from './load.js';
import { Failure, Loading } from './states.js';
import { Virtual } from './virtual.js';

/** Rows before the end at which the next page is loaded. */
const AHEAD = 20;

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
}

export interface Paged<Row> extends Page<Row> {
  readonly loading: boolean;
  readonly error?: Failed;
  /** `last`: of the rows in view. */
  more(last: number): void;
  again(): void;
  /** Reloads the first page and puts its rows before the others. `idOf` returns the id of a row. */
  fresh(idOf: (row: Row) => string): void;
  /** Reloads all pages, and shows the current rows meanwhile. */
  renew(): void;
}

type State<Row> = Omit<Paged<Row>, 'more' | 'again' | 'fresh' | 'renew' | 'rows'> & {
  readonly key: string;
  readonly rows: Row[];
};

/** Loads rows page by page. Another key starts again. */
export function usePaged<Row>(key: string, request: (cursor: string | undefined) => Promise<Page<Row>>): Paged<Row> {
  const [pages, setPages] = useState<State<Row>>({ key, rows: [], loading: true });
  const current = useRef(key);
  current.current = key;
  const pendingRequest = useRef(request);
  pendingRequest.current = request;
  const run = useCallback(
    async (before: Row[], cursor: string | undefined) => {
      setPages({ key, rows: before, loading: true, next: cursor });
      try {
        const { rows, next } = await pendingRequest.current(cursor);
        // To the same list: of a million rows none is made again for each hundred.
        for (const row of rows) before.push(row);
        if (current.current === key) setPages({ key, rows: before, next, loading: false });
      } catch (error) {
        if (current.current === key)
          setPages({ key, rows: before, next: cursor, loading: false, error: asFailed(error) });
      }
    },
    [key],
  );
  useEffect(() => void run([], undefined), [run]);
  const shown: State<Row> = pages.key === key ? pages : { key, rows: [], loading: true };
  const more = useCallback(
    (last: number) => {
      const { loading, next, rows } = shown;
      if (!loading && next !== undefined && last >= rows.length - AHEAD) void run(rows, next);
    },
    [shown, run],
  );
  const fresh: Paged<Row>['fresh'] = (idOf) =>
    void pendingRequest.current(undefined).then(
      ({ rows, next }) =>
        setPages((was) => {
          if (was.key !== key || was.loading) return was;
          const ids = new Set(rows.map(idOf));
          const others = was.rows.filter((row) => !ids.has(idOf(row)));
          return others.length === 0
            ? { key, rows: [...rows], next, loading: false }
            : { ...was, rows: [...rows, ...others] };
        }),
      // The shown rows stay; the next change retries.
      () => undefined,
    );
  const renew = async (): Promise<void> => {
    const rows: Row[] = [];
    let next: string | undefined;
    try {
      do {
        const page = await pendingRequest.current(next);
        rows.push(...page.rows);
        next = page.next;
      } while (next !== undefined && rows.length < shown.rows.length && current.current === key);
    } catch {
      // The shown rows stay; the next change retries.
      return;
    }
    if (current.current === key) setPages({ key, rows, next, loading: false });
  };
  return { ...shown, more, fresh, renew: () => void renew(), again: () => void run(shown.rows, shown.next) };
}

interface PagedListProps<Row> {
  readonly of: Paged<Row>;
  readonly label: string;
  /** Height of a row, in px. */
  readonly height: number;
  readonly head: ComponentChildren;
  row(row: Row, index: number): ComponentChildren;
  /** Shown if there are no rows. */
  readonly empty: VNode;
}

export function PagedList<Row>({ of, label, height, head, row, empty }: PagedListProps<Row>) {
  const { rows, next, loading, error, more, again } = of;
  if (rows.length === 0) {
    if (loading) return <Loading rows={10} />;
    return error === undefined ? empty : <Failure error={error} retry={again} />;
  }
  const foot =
    error === undefined ? (
      next !== undefined && <p class="more fine">Loading more…</p>
    ) : (
      <p class="more" role="alert">
        {error.message}{' '}
        <button type="button" class="button small" onClick={again}>
          Try again
        </button>
      </p>
    );
  return (
    <Virtual
      count={rows.length}
      height={height}
      label={label}
      onReach={more}
      row={(i) => row(rows[i]!, i)}
      head={head}
      foot={foot}
    />
  );
}

interface HeadProps {
  /** CSS of the row's columns. */
  readonly cells: string;
  readonly names: readonly string[];
  /** Those whose values are numbers. */
  readonly numbers?: readonly string[];
}

export const ListHead = ({ cells, names, numbers = [] }: HeadProps) => (
  <div class="head" role="rowgroup">
    <div class={`cells ${cells}`} role="row">
      {names.map((name) => (
        <span role="columnheader" key={name} class={numbers.includes(name) ? 'num' : ''}>
          {name}
        </span>
      ))}
    </div>
  </div>
);

interface TabsProps {
  readonly label: string;
  readonly chosen: string;
  /** Value and name. */
  readonly tabs: readonly (readonly [string, string])[];
  choose(value: string): void;
}

export const Tabs = ({ label, chosen, tabs, choose }: TabsProps) => (
  <div class="tabs" role="group" aria-label={label}>
    {tabs.map(([value, name]) => (
      <button key={value} type="button" aria-pressed={chosen === value} onClick={() => choose(value)}>
        {name}
      </button>
    ))}
  </div>
);
