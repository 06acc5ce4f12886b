import type { Conditions } from './conditions.js';
import { type Index, type OrderedKey, ReadModelError, type Shape } from './shape.js';

/** The index that every collection has: by id. */
const BY_ID: Index = { keys: [], unique: false, idDesc: false };

const prefixLength = (index: Index, fixed: Conditions['fixed']): number => {
  const end = index.keys.findIndex(({ key }) => !fixed.has(key));
  return end === -1 ? index.keys.length : end;
};

/** All of the index's keys after the fixed ones are the sort, in one direction of reading, with the id behind them. */
function servesSort(index: Index, conditions: Conditions, sort: readonly OrderedKey[], idDesc: boolean): boolean {
  const start = prefixLength(index, conditions.fixed);
  const prefix = new Set(index.keys.slice(0, start).map(({ key }) => key));
  const rest = sort.filter(({ key }) => !prefix.has(key));
  if (start + rest.length !== index.keys.length) return false;
  if (index.unique && rest.length > 0) return false;
  const backwards = index.idDesc !== idDesc;
  if (!rest.every(({ key, desc }, i) => inOrder(index.keys[start + i]!, key, desc, backwards))) return false;
  const sorted = new Set(rest.map(({ key }) => key));
  return (
    [...conditions.fixed.keys()].every((key) => prefix.has(key) || sorted.has(key)) &&
    [...conditions.ranges.keys()].every((key) => sorted.has(key))
  );
}

const inOrder = (own: OrderedKey, key: string, desc: boolean, backwards: boolean): boolean =>
  own.key === key && (own.desc !== desc) === backwards;

function servesConditions(index: Index, { fixed, ranges }: Conditions): boolean {
  const keys = new Set(index.keys.map(({ key }) => key));
  if (![...fixed.keys(), ...ranges.keys()].every((key) => keys.has(key))) return false;
  if (fixed.size + ranges.size === 0) return index === BY_ID;
  return prefixLength(index, fixed) > 0 || ranges.has(index.keys[0]?.key ?? '');
}

function refused({ definition }: Shape, { fixed, ranges }: Conditions, sort: readonly OrderedKey[]): ReadModelError {
  const requested = [
    ...fixed.keys(),
    ...[...ranges.keys()].filter((key) => !sort.some((by) => by.key === key)),
    ...sort.filter(({ key }) => !fixed.has(key)).map(({ key, desc }) => (desc ? `-${key}` : key)),
  ];
  return new ReadModelError(
    'no_index',
    `no index of ${definition.name} serves this query; declare one on [${requested.join(', ')}]`,
  );
}

/** The index of a list. Refuses one that would have to be sorted or filtered row by row: every page must cost the same. */
export function requireListIndex(
  shape: Shape,
  conditions: Conditions,
  sort: readonly OrderedKey[],
  idDesc: boolean,
): Index {
  const found = [BY_ID, ...shape.indexes].find((index) => servesSort(index, conditions, sort, idDesc));
  if (found === undefined) throw refused(shape, conditions, sort);
  return found;
}

/** Refuses a count or removal that would read the whole collection. */
export function requireIndex(shape: Shape, conditions: Conditions): void {
  if (![BY_ID, ...shape.indexes].some((index) => servesConditions(index, conditions)))
    throw refused(shape, conditions, []);
}
