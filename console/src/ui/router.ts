/** The address is the state: a path below /console, and a query. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { BASE_PATH } from '../api/frameAccess.js';

const BASE = BASE_PATH;

export interface Place {
  /** Below /console, with its slash. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname.slice(BASE.length).replace(/\/$/, '') || '/',
  query: new URLSearchParams(location.search),
});

const watchers = new Set<() => void>();
const moved = (): void => {
  for (const watcher of watchers) watcher();
};
addEventListener('popstate', moved);

/** An address of the console for links. */
export const hrefOf = (path: string, query?: Readonly<Record<string, string | number | undefined>>): string => {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return `${BASE}${path}${text === '' ? '' : `?${text}`}`;
};

/** Goes there; `replace`: without a step for the Back button. */
export function go(href: string, { replace = false } = {}): void {
  if (href === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  moved();
}

/** Changes the query, keeping the rest of it; undefined removes. */
export function refine(
  changes: Readonly<Record<string, string | number | undefined>>,
  options = { replace: true },
): void {
  const { path, query } = here();
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  const text = query.toString();
  go(`${BASE}${path === '/' ? '' : path}${text === '' ? '' : `?${text}`}`, options);
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  // Before anything is painted: what is typed or pressed at once is seen.
  useLayoutEffect(() => {
    const changed = (): void => setPlace(here());
    watchers.add(changed);
    return () => void watchers.delete(changed);
  }, []);
  return place;
}

/** Links of the console are followed without loading the page again. */
addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.hasAttribute('download'))
    return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(BASE)) return;
  event.preventDefault();
  go(url.pathname + url.search);
});

/** `/s/{store}/orders/{id}` against a path: the values, or undefined. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const requested = pattern.split('/');
  const given = path.split('/');
  if (requested.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [i, part] of requested.entries()) {
    if (part.startsWith('{')) values[part.slice(1, -1)] = decodeURIComponent(given[i]!);
    else if (part !== given[i]) return undefined;
  }
  return values;
}
