/** Methods of a path. A literal segment takes precedence over a parameter that does not accept it. */
import type { Route } from '../contract/routes.js';

export type Served = Pick<Route, 'method' | 'path'> & Partial<Pick<Route, 'takes'>>;

const PARAM = /^\{(\w+)\}$/;

/** As the router reads it. What cannot be decoded stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const segmentsOf = (path: string): string[] => path.split('/');
const paramOf = (segment: string): string | undefined => PARAM.exec(segment)?.[1];

/**
 * Returns true if the segments of a path, or of another route's path, match the route, for any values of its
 * parameters.
 */
const matches = (route: readonly string[], segments: readonly string[]): boolean =>
  route.length === segments.length &&
  route.every((own, at) => own === segments[at] || (paramOf(own) !== undefined && segments[at] !== ''));

/**
 * Returns true if a parameter of the route does not accept the literal of the other route in its place:
 * `/templates/sync` is no template's.
 */
const yieldsTo = ({ takes, path }: Served, other: readonly string[]): boolean =>
  segmentsOf(path).some((own, at) => {
    const [param, word] = [paramOf(own), other[at]!];
    return param !== undefined && paramOf(word) === undefined && takes?.(param, word) === false;
  });

/** The methods that a path has, when it has any: for 405 and OPTIONS. `path` without query. */
export function methodsFinder(routes: readonly Served[]): (path: string) => string[] {
  const known = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  return (path) => {
    const requested = segmentsOf(path).map(decoded);
    const found = known.filter(({ segments }) => matches(segments, requested));
    const remaining = found.filter(({ route }) => !found.some(({ segments }) => yieldsTo(route, segments)));
    const methods = new Set(remaining.map(({ route }) => route.method));
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  };
}

/** Methods at paths that the router would give to another path's parameter, which does not take them: they are not there. */
export function notThere(routes: readonly Served[]): { readonly method: string; readonly path: string }[] {
  const segments = new Map(routes.map(({ path }) => [path, segmentsOf(path)]));
  return [...segments].flatMap(([path, requested]) => {
    const own = new Set(routes.filter((route) => route.path === path).map(({ method }) => method));
    const yielding = routes.filter(
      (route) => !own.has(route.method) && matches(segments.get(route.path)!, requested) && yieldsTo(route, requested),
    );
    return [...new Set(yielding.map(({ method }) => method))].map((method) => ({ method, path }));
  });
}
