import type { Collection, Filter, Sort } from 'mongodb';
import type { Query } from '../../engine/ports/documents.js';
import { compare, conditionsOf, type Range } from '../readModels/conditions.js';
import { requireIndex, requireListIndex } from '../readModels/indexChoice.js';
import { type Arm, armsOf, combinations } from '../readModels/ranges.js';
import { checkedScalar, checkLimit, type OrderedKey, orderedKey } from '../readModels/shape.js';
import type { Reading } from './connection.js';
import { indexName, type Layout, LIVE, MongoDocument, type Stored } from './layout.js';

/** Ranges of one page that are read at once; after so many, what is beyond the page is let go. */
const ARMS_AT_ONCE = 16;

const boundsOf = ({ low, high }: Range): Record<string, unknown> => ({
  ...(low && { [low.inclusive ? '$gte' : '$gt']: low.value }),
  ...(high && { [high.inclusive ? '$lte' : '$lt']: high.value }),
});

function filterOf({ equals, ranges, beyondId }: Arm): Filter<Stored> {
  const filter: Record<string, unknown> = { ...LIVE };
  for (const [key, value] of equals)
    filter[`keys.${key}`] = ranges.has(key) ? { $eq: value, ...boundsOf(ranges.get(key)!) } : value;
  for (const [key, range] of ranges) if (!equals.has(key)) filter[`keys.${key}`] = boundsOf(range);
  if (beyondId !== undefined) filter._id = { [beyondId.desc ? '$lt' : '$gt']: beyondId.id };
  return filter as Filter<Stored>;
}

/** One range of one index; the server reads it in its order, from its place, and stops at the limit. */
export interface RangeRead {
  readonly filter: Filter<Stored>;
  readonly sort: Sort;
  readonly limit: number;
  readonly index: string;
}

/** The ranges of a page; none when nothing can match. */
export function rangesOf(layout: Layout, query: Query): RangeRead[] {
  const conditions = conditionsOf(layout, query.where);
  const sort = (query.sort ?? []).map(orderedKey);
  const idDesc = sort.at(-1)?.desc ?? false;
  for (const key of [...sort.map((one) => one.key), ...(query.keys ?? [])]) checkedScalar(layout, key, null);
  const index = indexName(requireListIndex(layout, conditions, sort, idDesc));
  checkLimit(query.limit);
  const order = Object.fromEntries(sort.map(({ key, desc }) => [`keys.${key}`, desc ? -1 : 1] as const));
  return armsOf(layout, conditions, sort, idDesc, query.after).map((arm) => ({
    filter: filterOf(arm),
    sort: { ...order, _id: idDesc ? -1 : 1 },
    limit: query.limit,
    index,
  }));
}

const inOrder =
  (sort: readonly OrderedKey[], idDesc: boolean) =>
  (a: MongoDocument<never>, b: MongoDocument<never>): number => {
    for (const { key, desc } of sort) {
      const order = compare(a.keys[key]!, b.keys[key]!);
      if (order !== 0) return desc ? -order : order;
    }
    return idDesc ? compare(b.id, a.id) : compare(a.id, b.id);
  };

/** A page: each range on its own, so that the server never sorts, merged here. `hinted`: the indexes are built. */
export async function findPage<B>(
  from: Collection<Stored>,
  layout: Layout,
  query: Query,
  hinted: boolean,
  own: Reading,
): Promise<MongoDocument<B>[]> {
  const reads = rangesOf(layout, query);
  const sort = (query.sort ?? []).map(orderedKey);
  const order = inOrder(sort, sort.at(-1)?.desc ?? false);
  const read = ({ filter, sort, limit, index }: RangeRead) =>
    from.find(filter, { sort, limit, batchSize: limit, ...(hinted && { hint: index }), ...own }).toArray();
  let page: MongoDocument<never>[] = [];
  for (let i = 0; i < reads.length; i += ARMS_AT_ONCE) {
    const found = (await Promise.all(reads.slice(i, i + ARMS_AT_ONCE).map(read))).flat();
    page.push(...found.map((stored) => new MongoDocument<never>(layout, stored)));
    if (reads.length > 1) page = page.sort(order).slice(0, query.limit);
  }
  return page;
}

/** Filter of a count or a removal; undefined if nothing can match. */
export function matchesOf(layout: Layout, where: Query['where'], limit: number): Filter<Stored> | undefined {
  const conditions = conditionsOf(layout, where);
  requireIndex(layout, conditions);
  checkLimit(limit);
  if (combinations(conditions.fixed).length === 0) return undefined;
  const single = [...conditions.fixed].filter(([, values]) => values.length === 1);
  const several = [...conditions.fixed].filter(([, values]) => values.length > 1);
  const equals = new Map(single.map(([key, values]) => [key, values[0]!]));
  const filter = filterOf({ equals, ranges: conditions.ranges });
  return { ...filter, ...Object.fromEntries(several.map(([key, values]) => [`keys.${key}`, { $in: values }])) };
}
