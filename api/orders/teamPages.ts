import { placeOf, type Query, type Scalar } from '../../engine/ports/documents.js';
import { orderRows } from '../../projections/orders.js';
import type { Page, RequestReads } from '../operation.js';

type Where = NonNullable<Query['where']>;

/**
 * Ranges of an index that one query may ask for: a later page takes three of the engine's 400 for each on some engines.
 * (infrastructure/readModels/ranges.ts)
 */
const MOST_RANGES = 120;

/** How many values the condition leaves open: each is a range of its own. */
const valuesOf = (condition: Where[string] | undefined): number =>
  typeof condition === 'object' && condition !== null && 'in' in condition ? condition.in.length : 1;

/** The conditions for some teams at a time. */
function partsOf(where: Where, teamIds: readonly Scalar[]): Where[] {
  const each = valuesOf(where.status) * valuesOf(where.fulfilment);
  const most = Math.max(1, Math.floor(MOST_RANGES / each));
  const parts: Where[] = [];
  for (let first = 0; first < teamIds.length; first += most)
    parts.push({ ...where, teamId: { in: teamIds.slice(first, first + most) } });
  return parts;
}

/** Descending by each; numbers and, at last, the id. */
function later(a: readonly Scalar[], b: readonly Scalar[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : a[at]! < b[at]! ? 1 : -1;
}

/**
 * A page of the orders of these teams, null being those of none, in the descending `sort`. A member of many teams who
 * filters by many statuses asks for more ranges than one query takes: then several pages are merged into one.
 */
export async function pageOfTeams(
  read: RequestReads,
  where: Where,
  sort: readonly string[],
  teamIds: readonly Scalar[],
  limit: number,
): Promise<Page<unknown>> {
  const pages = await Promise.all(
    partsOf(where, [...new Set(teamIds)]).map((part) => read.page(orderRows, { where: part, sort, keys: [] })),
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
