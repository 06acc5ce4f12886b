/** What is another between two JSON values, by its path. */
import { isJsonObject } from '../../domain/jsonObject.js';

export interface Difference {
  /** Such as `items[0].quantity`, or `variants[shirt-m].priceCents` where the members of a list name themselves. */
  readonly path: string;
  /** Absent: there was nothing. */
  readonly was?: unknown;
  /** Absent: there is nothing. */
  readonly is?: unknown;
}

/** What the members of a list are told apart by, where each has its own. */
const NAMES = ['id', 'externalId', 'retailerId', 'memberId'] as const;

function namesIn(list: readonly unknown[], name: string): readonly string[] | undefined {
  const names = list.map((one) => (isJsonObject(one) ? one[name] : undefined));
  const are = names.every((one): one is string => typeof one === 'string');
  return are && new Set(names).size === names.length ? (names as string[]) : undefined;
}

/** The names of both lists' members; undefined: they go by their places. */
function namedBoth(was: readonly unknown[], is: readonly unknown[]) {
  for (const name of NAMES) {
    const [before, after] = [namesIn(was, name), namesIn(is, name)];
    if (before !== undefined && after !== undefined) return { before, after };
  }
  return undefined;
}

function inLists(path: string, was: readonly unknown[], is: readonly unknown[]): Difference[] {
  const names = namedBoth(was, is);
  if (names === undefined) {
    const places = Array.from({ length: Math.max(was.length, is.length) }, (_, place) => place);
    return places.flatMap((place) => differences(was[place], is[place], `${path}[${place}]`));
  }
  const { before, after } = names;
  const all = [...new Set([...before, ...after])];
  const found = all.flatMap((name) =>
    differences(was[before.indexOf(name)], is[after.indexOf(name)], `${path}[${name}]`),
  );
  const isMoved =
    JSON.stringify(before.filter((name) => after.includes(name))) !==
    JSON.stringify(after.filter((name) => before.includes(name)));
  return isMoved ? [...found, { path, was: before, is: after }] : found;
}

/** In the order of the members, those that are gone before those that came. A value that came or is gone is told as a whole. */
export function differences(was: unknown, is: unknown, path = ''): Difference[] {
  if (was === is) return [];
  if (was === undefined) return [{ path, is }];
  if (is === undefined) return [{ path, was }];
  if (Array.isArray(was) && Array.isArray(is)) return inLists(path, was, is);
  if (!isJsonObject(was) || !isJsonObject(is)) return [{ path, was, is }];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => differences(was[name], is[name], path === '' ? name : `${path}.${name}`));
}
