/** Differences between two JSON values, by path. */
import { isJsonObject } from '../../domain/jsonObject.js';

export interface Difference {
  /** Path such as `items[0].quantity`, or `variants[shirt-m].priceCents` if the members of a list have ids. */
  readonly path: string;
  /** Previous value. Absent: none. */
  readonly was?: unknown;
  /** New value. Absent: none. */
  readonly is?: unknown;
}

/** Fields that identify the members of a list, if each has a different value. */
const NAMES = ['id', 'externalId', 'retailerId', 'memberId'] as const;

function namesIn(list: readonly unknown[], name: string): readonly string[] | undefined {
  const names = list.map((one) => (isJsonObject(one) ? one[name] : undefined));
  const are = names.every((one): one is string => typeof one === 'string');
  return are && new Set(names).size === names.length ? (names as string[]) : undefined;
}

/** Returns the ids of both lists' members. Undefined: members are compared by index. */
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

/** Returns differences in the order of the members, removed ones before added ones. An added or removed value is reported as a whole. */
export function differences(was: unknown, is: unknown, path = ''): Difference[] {
  if (was === is) return [];
  if (was === undefined) return [{ path, is }];
  if (is === undefined) return [{ path, was }];
  if (Array.isArray(was) && Array.isArray(is)) return inLists(path, was, is);
  if (!isJsonObject(was) || !isJsonObject(is)) return [{ path, was, is }];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => differences(was[name], is[name], path === '' ? name : `${path}.${name}`));
}
