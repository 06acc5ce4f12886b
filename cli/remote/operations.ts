/** Operations of the API as they are typed: by name, or by method and path. */
import { OPERATIONS } from '../../client/src/generated.js';
import type { OperationSpec, Values } from '../../client/src/request.js';
import { UsageError } from '../../service/admin/declaration.js';
import { suggestionsFor } from '../../service/suggestions.js';

export const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

const BASE = '/api/v1';

export const operationNames = (): readonly string[] => Object.keys(OPERATIONS);

/** Throws UsageError with what may have been meant. */
export function operationNamed(name: string): OperationSpec {
  if (Object.hasOwn(OPERATIONS, name)) return OPERATIONS[name as keyof typeof OPERATIONS];
  const known = [...METHODS, ...operationNames()];
  const same = known.filter((one) => one.toLowerCase() === name.toLowerCase());
  const near = same.length > 0 ? same : suggestionsFor(name, known);
  const hint = near.length === 0 ? '' : `; did you mean ${near.map((one) => `'${one}'`).join(' or ')}?`;
  throw new UsageError(`there is no operation '${name}'${hint}`);
}

const placesOf = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Names of its path and query parameters. */
const namesOf = ({ path, query = [] }: OperationSpec): readonly string[] => [...placesOf(path), ...query];

/** `NAME=VALUE` each; of a name that is given again, the values behind each other. Throws UsageError. */
export function valuesTyped(pairs: readonly string[]): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined) throw new UsageError(`-q ${pair} is not of the form NAME=VALUE`);
    values[name] = Object.hasOwn(values, name) ? `${values[name]},${value}` : value!;
  }
  return values;
}

/** The arguments of an operation, with the store of the profile where none is named. Throws UsageError. */
export function argumentsOf(name: string, spec: OperationSpec, given: Values, workspaceId: string | undefined): Values {
  const names = namesOf(spec);
  for (const one of Object.keys(given)) {
    if (names.includes(one)) continue;
    const near = suggestionsFor(one, names);
    const hint =
      near.length > 0
        ? `; did you mean ${near.join(' or ')}?`
        : ` ${names.length > 0 ? `but ${names.join(', ')}` : ''}`;
    throw new UsageError(`${name} has no parameter ${one}${hint.trimEnd()}`);
  }
  const values = workspaceId === undefined ? given : { workspaceId, ...given };
  const missing = placesOf(spec.path).find((one) => !values[one]);
  const advice = missing === 'workspaceId' ? "; 'suuq login --store ID' sets it for the profile" : '';
  if (missing !== undefined) throw new UsageError(`-q ${missing}=… is missing${advice}`);
  return values;
}

const pathOf = (typed: string): string => {
  const path = typed.startsWith('/') ? typed : `/${typed}`;
  return path.startsWith('/api/') ? path : BASE + path;
};

const segments = (path: string): readonly string[] => path.split('/');

function fits(spec: OperationSpec, method: string, path: string): boolean {
  const [requested, typed] = [segments(spec.path), segments(path)];
  return (
    spec.method === method &&
    requested.length === typed.length &&
    requested.every((one, i) => one.startsWith('{') || one === typed[i])
  );
}

/** A request word for word: as the operation that it is, or as what sends and gets JSON. Throws UsageError. */
export function requestTyped(method: string, typed: string, query: readonly string[]): OperationSpec {
  const [path, rest] = pathOf(typed).split('?', 2) as [string, string?];
  if (rest !== undefined) throw new UsageError(`pass the query behind the '?' as -q, such as -q ${rest.split('&')[0]}`);
  if (/[{}\s]/.test(path)) throw new UsageError(`${typed} is not a path: replace the placeholders with ids`);
  const found = Object.values<OperationSpec>(OPERATIONS).filter((spec) => fits(spec, method, path));
  const exact = found.find((spec) => spec.path === path) ?? found[0];
  return { ...(exact ?? { body: 'json' as const }), method, path, query };
}
