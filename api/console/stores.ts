/** The stores that a person sees: the newest first, a page at a time, found by their names and ids. */
import type { AccessDirectory } from '../../application/access/principal.js';
import { defined } from '../../domain/defined.js';
import { placeOf, type Query, type Scalar } from '../../engine/ports/documents.js';
import type { Reads } from '../../engine/projections/reads.js';
import { type StoreBody, stores } from '../../projections/stores.js';
import { reachedStores } from '../http/sessionAccess.js';
import { type ConsoleOperation, consoleRead, onlyStoreOf, textOf, wrong } from './request.js';

const PAGE = 500;
/** Most stores scanned by one search. The answer then has the position to continue from. */
const SCANNED = 10_000;
const SORT = ['-createdAt'];

const cursorOf = (place: readonly Scalar[]): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function placeIn(cursor: string): readonly Scalar[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(place) && place.length === 2 && place.every((one) => typeof one === 'string')) return place;
  } catch {
    // No cursor either.
  }
  return wrong('after', 'must be the `next` value of a page of the same list');
}

const shown = ({ workspaceId, name, status, country, timezone, externalRef }: StoreBody) => ({
  ...{ workspaceId, name, status, country, timezone },
  ...defined({ externalRef }),
});

/** Stores whose name, reference or id has the text, or all. */
async function pageOf(reads: Pick<Reads, 'find'>, search: string, after: readonly Scalar[] | undefined) {
  const holds = ({ workspaceId, name, externalRef = '' }: StoreBody): boolean =>
    [workspaceId, name, externalRef].some((text) => text.toLowerCase().includes(search));
  const found: StoreBody[] = [];
  let place = after;
  for (let scanned = 0; scanned < SCANNED; scanned += PAGE) {
    // One more row than a page shows if there is a next page.
    const query: Query = { sort: SORT, limit: PAGE + 1, ...defined({ after: place }) };
    const rows = await reads.find(stores, query);
    const isLast = rows.length <= PAGE;
    for (const row of rows.slice(0, PAGE)) {
      if (holds(row.body)) found.push(row.body);
      place = placeOf(SORT, row);
      if (found.length === PAGE && !(isLast && row === rows.at(-1))) return { found, next: cursorOf(place) };
    }
    if (isLast) return { found };
  }
  return { found, next: cursorOf(place!) };
}

export const storesOperation = (reads: Pick<Reads, 'find' | 'getMany'>, directory: AccessDirectory): ConsoleOperation =>
  consoleRead({
    id: 'console.listStores',
    path: '/stores',
    members: 'every member',
    async answer({ viewer, query }) {
      if (viewer.principal !== undefined) {
        const ids = (await reachedStores(viewer.principal, directory)).map(({ workspace }) => workspace.workspaceId);
        const found = await reads.getMany(stores, ids);
        return { stores: ids.flatMap((id) => found.get(id)?.body ?? []).map(shown) };
      }
      const only = onlyStoreOf(viewer) ?? textOf(query, 'workspace');
      if (only !== undefined) {
        const [one] = (await reads.getMany(stores, [only])).values();
        return { stores: one === undefined ? [] : [shown(one.body)] };
      }
      const after = textOf(query, 'after');
      const place = after === undefined ? undefined : placeIn(after);
      const { found, next } = await pageOf(reads, textOf(query, 'search')?.toLowerCase() ?? '', place);
      return { stores: found.map(shown), ...defined({ next }) };
    },
  });
