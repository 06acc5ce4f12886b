import type { SyncedItem } from '../../domain/catalog/catalogEvents.js';
import { defined } from '../../domain/defined.js';
import type { Query, StoredDocument } from '../../engine/ports/documents.js';
import { type CatalogItemBody, catalogItems, itemId } from '../../projections/catalogItems.js';
import type { CatalogItem, CatalogRequest } from '../ports/catalogProvider.js';
import { catalogSales, type ShownPrice, shownPrice } from './itemPrices.js';
import type { Push } from './pushContext.js';
import type { Source } from './pushTasks.js';

export type ItemRow = StoredDocument<CatalogItemBody>;

/** Maximum items per call. (shared reference: 'Product catalog': under 3,000 advised.) */
export const GROUP = 1000;
/** Maximum characters of stored items per call: stays below the provider's 28 MB, even with the widest characters. */
const GROUP_CHARS = 8_000_000;
const PAGE = 500;

/** Items of one call. `rest`: items to push after them. */
export interface Group {
  readonly rows: readonly ItemRow[];
  readonly rest: Source | undefined;
}

export const isRemoval = ({ keys }: ItemRow): boolean => keys.pending === 'delete';

const queryOf = (workspaceId: string, source: Source, updatesOnly: boolean): Omit<Query, 'limit' | 'after'> => {
  if (source.items === 'all') return { where: { workspaceId } };
  const hasFailed = source.items === 'failed' || source.items === 'refused';
  const pending = hasFailed ? 'failed' : updatesOnly ? 'update' : { in: ['update', 'delete'] };
  return { where: { workspaceId, pending }, sort: ['contentRevision'] };
};

/**
 * Returns the next items to push, at most `most`. Excludes items that the provider is still working on (`busy`), since it does not
 * guarantee the order of two batches.
 */
export async function nextGroup(
  push: Push,
  source: Source,
  busy: ReadonlySet<string>,
  options: { most: number; updatesOnly: boolean },
): Promise<Group> {
  if (source.items === 'these') return theseItems(push, source.retailerIds, busy);
  const isRequested = await rowFilter(push, source);
  const query = queryOf(push.workspaceId, source, options.updatesOnly);
  const placeOf = (row: ItemRow): readonly (string | number)[] =>
    source.items === 'all' ? [row.id] : [Number(row.keys.contentRevision), row.id];
  const rows: ItemRow[] = [];
  let after: readonly (string | number)[] | undefined = source.items === 'owed' ? undefined : source.after;
  let chars = 0;
  for (;;) {
    const page: ItemRow[] = await push.read.find(catalogItems, { ...query, ...defined({ after }), limit: PAGE });
    for (const row of page) {
      if (rows.length >= options.most || chars >= GROUP_CHARS) return { rows, rest: restOf(source, after) };
      after = placeOf(row);
      if (!isRequested(row) || busy.has(row.body.retailerId)) continue;
      rows.push(row);
      chars += row.json.length;
    }
    if (page.length < PAGE) return { rows, rest: undefined };
  }
}

/**
 * Returns a filter for the rows to push. Failures from before events contained `call` are recognised by their reason. If the view does not
 * contain that either, the item is pushed: one superfluous attempt does no harm.
 */
async function rowFilter(push: Push, { items }: Source): Promise<(row: ItemRow) => boolean> {
  if (items === 'owed') return () => true;
  if (items !== 'refused') return ({ body }) => body.active;
  const reasons = await push.querySync(({ callReasons }) => new Set(callReasons));
  return ({ body: { active, failure } }) =>
    active && (failure === undefined || failure.call === true || reasons.has(failure.reason));
}

const restOf = (source: Source, after: readonly (string | number)[] | undefined): Source =>
  source.items === 'owed' || after === undefined ? source : ({ ...source, after } as Source);

async function theseItems(push: Push, retailerIds: readonly string[], busy: ReadonlySet<string>): Promise<Group> {
  const ids = retailerIds.filter((id) => !busy.has(id)).map((id) => itemId(push.workspaceId, id));
  const found = await push.read.getMany(catalogItems, ids);
  return { rows: [...found.values()].filter(({ body }) => body.active), rest: undefined };
}

/** Returns the item in the form of events, with the revision of the content that is about to be pushed. */
export const syncedItem = ({ keys, body }: ItemRow): SyncedItem => ({
  retailerId: body.retailerId,
  productExternalId: body.productExternalId,
  revision: Number(keys.contentRevision),
});

/** Changes within this time, in ms, share one push. */
const AGAIN_MS = 15_000;

export interface Requests {
  /** Request to the provider for each item. */
  readonly requests: readonly CatalogRequest[];
  /** Items whose price changes at a time of their own (ms) during a flash sale. */
  readonly again: ReadonlyMap<number, readonly string[]>;
}

/** Returns the requests that bring the rows to their current state in the provider's catalog. */
export async function requestsOf(push: Push, rows: readonly ItemRow[]): Promise<Requests> {
  const { workspaceId } = push;
  const brand = await push.storeName(workspaceId);
  const now = push.clock.now();
  const sales = catalogSales(await push.flashSales(workspaceId, now), now);
  const again = new Map<number, string[]>();
  const requests = rows.map((row): CatalogRequest => {
    const { retailerId, productExternalId } = row.body;
    if (isRemoval(row)) return { method: 'delete', retailerId };
    const { again: at, ...price } = shownPrice(row.body, sales, now);
    if (at !== undefined) noteAgain(again, Math.ceil(at / AGAIN_MS) * AGAIN_MS, retailerId);
    return { method: 'update', item: itemOf(row.body, price, brand, push.productLink(workspaceId, productExternalId)) };
  });
  return { requests, again };
}

function noteAgain(again: Map<number, string[]>, at: number, retailerId: string): void {
  const others = again.get(at);
  if (others === undefined) again.set(at, [retailerId]);
  else others.push(retailerId);
}

function itemOf(body: CatalogItemBody, price: Omit<ShownPrice, 'again'>, brand: string, link: string): CatalogItem {
  const { retailerId, groupId, name, description, imageUrls, color, size, stock } = body;
  return {
    retailerId,
    ...defined({ groupId }),
    title: name,
    description,
    availability: stock === 0 ? 'out_of_stock' : body.availability,
    ...price,
    link,
    imageUrls,
    brand,
    ...defined({ color, size }),
  };
}
