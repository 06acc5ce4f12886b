/** From an operation's route to paths of the router and of the reference. */

import { UUID } from './formats.js';
import type { Operation } from './operation.js';

export const API = '/api/v1';

export interface Route {
  readonly method: string;
  /** With `{names}`, as in the reference. */
  readonly path: string;
  /** Names of the path's parameters, in order. */
  readonly params: readonly string[];
  /**
   * Returns true if a value has the form of the path's parameter. A path with any other value does not match this
   * route.
   */
  readonly takes: (param: string, value: string) => boolean;
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

/** Checks a text against the format and the pattern of a schema; its length is not checked. */
function hasForm(schema: { readonly format?: string; readonly pattern?: string } | undefined, text: string): boolean {
  const { format, pattern } = schema ?? {};
  return (format !== 'uuid' || UUID.test(text)) && (pattern === undefined || new RegExp(pattern, 'u').test(text));
}

/** Throws for a route that is not `METHOD {C|W|P|S}/…`: a mistake in the declaration, found at the start. */
export function routeOf(operation: Pick<Operation, 'id' | 'route' | 'params'>): Route {
  const [method = '', rest = ''] = operation.route.split(' ');
  const base = BASES[rest.slice(0, 3)];
  if (base === undefined) throw new Error(`${operation.id}: no such base in route ${operation.route}`);
  const path = base + rest.slice(3);
  const params = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
  const takes: Route['takes'] = (param, value) => hasForm(operation.params?.[param], value);
  return { method, path, params, takes, about: ABOUT[rest.slice(0, 3)] ?? 'workspace' };
}

/** The operation that reads what an update changes: that of the same path. Undefined: there is none, so there is no ETag. */
export function readOf(operation: Operation, operations: readonly Operation[]): Operation | undefined {
  const [method, path] = operation.route.split(' ');
  if (method === 'GET' || method === 'POST') return undefined;
  return operations.find(({ route }) => route === `GET ${path}`);
}

/** As the router writes parameters. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
