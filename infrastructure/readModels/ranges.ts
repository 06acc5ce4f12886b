import { defined } from '../../domain/defined.js';
import type { Query, Scalar } from '../../engine/ports/documents.js';
import { above, below, type Conditions, type Range } from './conditions.js';
import { checkedScalar, type OrderedKey, ReadModelError, type Shape } from './shape.js';

/**
 * Queries as ranges of an index. The order is the same in every engine: null before every value when ascending (after,
 * when descending), numbers by value, text by its UTF-8 bytes; the id ends it, in the direction of the last sort key.
 *
 * A page after a document is the union of ranges that each start exactly there in the index: same first keys and a
 * later last one, then fewer same keys, and so on. Merged in order they need no sorting, so the hundredth page costs
 * what the first does, also with mixed directions, nulls and many equal keys. Several values of `in` are merged alike.
 */

/** Ranges of one query: the statuses of conversations for each team of a store fit, where a page begins too. SQLite's own limit is 500. */
const MOST_RANGES = 400;

/** One range of an index: keys with one exact value, keys between bounds, and at last the id. */
export interface Arm {
  readonly equals: ReadonlyMap<string, Scalar>;
  readonly ranges: ReadonlyMap<string, Range>;
  readonly beyondId?: { readonly id: string; readonly desc: boolean };
}

/** Start of a page: keys that equal those of the last document, and the bound of one key (or of the id). */
interface Start {
  readonly same: ReadonlyMap<string, Scalar>;
  readonly beyond?: { readonly key: string } & Range;
  readonly beyondId?: { readonly id: string; readonly desc: boolean };
}

/** Every combination of the fixed keys' values. None when an `in` is empty. */
export function combinations(fixed: Conditions['fixed']): Map<string, Scalar>[] {
  let combined: Map<string, Scalar>[] = [new Map()];
  for (const [key, values] of fixed) {
    if (combined.length * values.length > MOST_RANGES)
      throw new ReadModelError('bad_query', `'in' lists lead to more than ${MOST_RANGES} ranges; ask in smaller parts`);
    combined = combined.flatMap((one) => values.map((value) => new Map(one).set(key, value)));
  }
  return combined;
}

/** Values that follow `value` in the order of `by`; nothing follows null when descending. */
function following(shape: Shape, by: OrderedKey, value: Scalar, same: Map<string, Scalar>): Start[] {
  const { key } = by;
  if (by.desc && value === null) return [];
  if (by.desc)
    return [
      { same, beyond: { key, high: { value: value!, inclusive: false } } },
      { same: new Map(same).set(key, null) },
    ];
  const least = shape.definition.keys[key] === 'text' ? '' : -Number.MAX_VALUE;
  const low = value === null ? { value: least, inclusive: true } : { value, inclusive: false };
  return [{ same, beyond: { key, low } }];
}

/** The last document's sort values and id, checked. */
export function checkedAfter(
  shape: Shape,
  sort: readonly OrderedKey[],
  after: readonly Scalar[],
): { readonly values: readonly Scalar[]; readonly id: string } {
  const id = after.at(-1);
  if (after.length !== sort.length + 1 || typeof id !== 'string')
    throw new ReadModelError('bad_query', `'after' must have ${sort.length} sort values and an id`);
  return { values: sort.map(({ key }, i) => checkedScalar(shape, key, after[i])), id };
}

function startsAfter(
  shape: Shape,
  sort: readonly OrderedKey[],
  idDesc: boolean,
  after: Query['after'],
  fixed: Conditions['fixed'],
): Start[] {
  if (after === undefined) return [{ same: new Map() }];
  const { values, id } = checkedAfter(shape, sort, after);
  const starts: Start[] = [];
  const same = new Map<string, Scalar>();
  for (const [i, by] of sort.entries()) {
    if (fixed.get(by.key)?.length !== 1) starts.unshift(...following(shape, by, values[i]!, new Map(same)));
    same.set(by.key, values[i]!);
  }
  return [{ same, beyondId: { id, desc: idDesc } }, ...starts];
}

const contradicts = (values: ReadonlyMap<string, Scalar>, ranges: Conditions['ranges'], { same }: Start): boolean =>
  [...same].some(
    ([key, value]) => (value === null && ranges.has(key)) || (values.has(key) && values.get(key) !== value),
  );

function narrowed(range: Range, { low, high }: Range): Range {
  const lifted = low === undefined ? range : above(range, low);
  return high === undefined ? lifted : below(lifted, high);
}

/** Undefined when no document can meet both. */
function armOf(values: ReadonlyMap<string, Scalar>, ranges: Conditions['ranges'], start: Start): Arm | undefined {
  const { same, beyond, beyondId } = start;
  if (contradicts(values, ranges, start)) return undefined;
  const narrow = new Map(ranges);
  if (beyond !== undefined) narrow.set(beyond.key, narrowed(ranges.get(beyond.key) ?? {}, beyond));
  return { equals: new Map([...values, ...same]), ranges: narrow, ...defined({ beyondId }) };
}

/** The ranges of a page, in no order; none when nothing can match. */
export function armsOf(
  shape: Shape,
  conditions: Conditions,
  sort: readonly OrderedKey[],
  idDesc: boolean,
  after: Query['after'],
): Arm[] {
  const starts = startsAfter(shape, sort, idDesc, after, conditions.fixed);
  const arms = combinations(conditions.fixed)
    .flatMap((values) => starts.map((start) => armOf(values, conditions.ranges, start)))
    .filter((arm) => arm !== undefined);
  if (arms.length > MOST_RANGES)
    throw new ReadModelError('bad_query', `this query has more than ${MOST_RANGES} ranges; ask in smaller parts`);
  return arms;
}
