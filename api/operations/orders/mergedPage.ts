import { placeOf, type Query, type Scalar } from '../../../engine/ports/documents.js';
import { orderRows } from '../../../projections/orders.js';
import type { Page, RequestReads } from '../../contract/operation.js';

type Where = NonNullable<Query['where']>;

/**
 * Most ranges of an index in one query: on some engines a later page needs three of the engine's 400 for each.
 * (infrastructure/readModels/ranges.ts)
 */
const MOST_RANGES = 120;

/** The values that the condition leaves open: each is a range of its own. */
const valuesOf = (condition: Where[string] | undefined): readonly unknown[] =>
  typeof condition === 'object' && condition !== null && 'in' in condition ? condition.in : [condition];

function inParts<T>(values: readonly T[], most: number): (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let first = 0; first < values.length; first += most) parts.push(values.slice(first, first + most));
  return parts;
}

/** The conditions for some phones and some teams at a time. */
function partsOf(where: Where, teamIds: readonly Scalar[] | undefined): Where[] {
  const each = valuesOf(where.status).length * valuesOf(where.fulfilment).length;
  const most = Math.max(1, Math.floor(MOST_RANGES / each));
  const phones = inParts(valuesOf(where.phone), most);
  const ofPhones =
    phones.length === 1 ? [where] : phones.map((some) => ({ ...where, phone: { in: some as string[] } }));
  if (teamIds === undefined) return ofPhones;
  return ofPhones.flatMap((part) =>
    inParts(teamIds, Math.max(1, Math.floor(most / valuesOf(part.phone).length))).map((some) => ({
      ...part,
      teamId: { in: some },
    })),
  );
}

/** Descending by each; numbers and, at last, the id. */
function later(a: readonly Scalar[], b: readonly Scalar[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : a[at]! < b[at]! ? 1 : -1;
}

/**
 * Returns a page of the orders of these teams, null for those without a team, in the descending `sort`; all orders if
 * no teams are given. A member of many teams, or a customer with many numbers, with many statuses, exceeds the ranges
 * of one query: then several pages are merged.
 */
export async function mergedPage(
  read: RequestReads,
  where: Where,
  sort: readonly string[],
  teamIds: readonly Scalar[] | undefined,
  limit: number,
): Promise<Page<unknown>> {
  const pages = await Promise.all(
    partsOf(where, teamIds && [...new Set(teamIds)]).map((part) =>
      read.page(orderRows, { where: part, sort, keys: [] }),
    ),
  );
  if (pages.length === 1) return pages[0]!;
  const rows = pages
    .flatMap((page) => page.rows.map((row) => ({ row, place: placeOf(sort, row) })))
    .sort((a, b) => later(a.place, b.place));
  const shown = rows.slice(0, limit);
  const isLast = rows.length <= limit && pages.every(({ next }) => next === undefined);
  const next = isLast ? {} : { next: read.cursor(sort).next(shown.at(-1)!.place) };
  return { rows: shown.map(({ row }) => row), ...next };
}
