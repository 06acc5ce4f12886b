/** From an operation's route to paths of the router and of the reference. */
import type { Operation } from '../operation.js';

export const API = '/api/v1';

export interface Route {
  readonly method: string;
  /** With `{names}`, as in the reference. */
  readonly path: string;
  /** Names of the path's parameters, in order. */
  readonly params: readonly string[];
  /** Whose things it is about. */
  readonly about: 'workspace' | 'partner' | 'session';
}

const BASES: Readonly<Record<string, string>> = {
  '{C}': `${API}/workspaces/{workspaceId}/commerce`,
  '{W}': `${API}/workspaces/{workspaceId}`,
  '{P}': `${API}/partner`,
  '{S}': `${API}/sdk/sessions`,
};

const ABOUT: Readonly<Record<string, Route['about']>> = { '{P}': 'partner', '{S}': 'session' };

/** Throws for a route that is not `METHOD {C|W|P|S}/…`: a mistake in the declaration, found at the start. */
export function routeOf(operation: Pick<Operation, 'id' | 'route'>): Route {
  const [method = '', rest = ''] = operation.route.split(' ');
  const base = BASES[rest.slice(0, 3)];
  if (base === undefined) throw new Error(`${operation.id}: no such base in route ${operation.route}`);
  const path = base + rest.slice(3);
  const params = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
  return { method, path, params, about: ABOUT[rest.slice(0, 3)] ?? 'workspace' };
}

/** As the router writes parameters. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** The methods that a path has, when it has any: for 405 and OPTIONS. `path` without query. */
export function methodsFinder(routes: readonly { method: string; path: string }[]): (path: string) => string[] {
  const patterns = routes.map(({ method, path }) => {
    const source = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
    return { method, matches: new RegExp(`^${source}$`) };
  });
  return (path) => {
    const methods = new Set(patterns.filter(({ matches }) => matches.test(path)).map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  };
}
