import type { SyncedItem } from '../../domain/catalog/catalogEvents.js';
import { defined } from '../../domain/defined.js';
import type { Query, StoredDocument } from '../../engine/ports/documents.js';
import { type CatalogItemBody, catalogItems, itemId } from '../../projections/catalogItems.js';
import type { CatalogItem, CatalogRequest } from '../ports/catalogProvider.js';
import { catalogSales, type ShownPrice, shownPrice } from './itemPrices.js';
import type { Push } from './pushContext.js';
import type { Source } from './pushTasks.js';

export type ItemRow = StoredDocument<CatalogItemBody>;

/** Items a call. (shared reference: 'Product catalog': under 3,000 advised.) */
export const GROUP = 1000;
/** Characters of stored items a call: with the widest characters still under the provider's 28 MB. */
const GROUP_CHARS = 8_000_000;
const PAGE = 500;

/** The items of one call. `rest`: what is to be pushed after them, if anything. */
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
 * The next items to push: none of which the provider is still working on (`busy`), for it promises no order between two
 * batches; at most `most`.
 */
export async function nextGroup(
  push: Push,
  source: Source,
  busy: ReadonlySet<string>,
  options: { most: number; updatesOnly: boolean },
): Promise<Group> {
  if (source.items === 'these') return theseItems(push, source.retailerIds, busy);
  const isWanted = await wantedOf(push, source);
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
      if (!isWanted(row) || busy.has(row.body.retailerId)) continue;
      rows.push(row);
      chars += row.json.length;
    }
    if (page.length < PAGE) return { rows, rest: undefined };
  }
}

/**
 * Which rows are to be pushed. What failed before events said with what is known by the reason; where the view does not tell that
 * yet either, one try too many does no harm.
 */
async function wantedOf(push: Push, { items }: Source): Promise<(row: ItemRow) => boolean> {
  if (items === 'owed') return () => true;
  if (items !== 'refused') return ({ body }) => body.active;
  const reasons = await push.look(({ callReasons }) => new Set(callReasons));
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

/** The item as the events speak of it: with the content that is about to be pushed. */
export const syncedItem = ({ keys, body }: ItemRow): SyncedItem => ({
  retailerId: body.retailerId,
  productExternalId: body.productExternalId,
  revision: Number(keys.contentRevision),
});

/** Changes within so many ms are told together. */
const AGAIN_MS = 15_000;

export interface Requests {
  /** What to tell the provider of each. */
  readonly requests: readonly CatalogRequest[];
  /** Items whose price changes at a time of their own (ms) while a flash sale goes on. */
  readonly again: ReadonlyMap<number, readonly string[]>;
}

/** The rows as they are to stand in the provider's catalog now. */
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
