import type { SyncedItem } from '../../domain/catalog/catalogEvents.js';
import { type CatalogItemBody, catalogItems, itemId } from '../../projections/catalogItems.js';
import type { CatalogItem, CatalogRequest } from '../ports/catalogProvider.js';
import type { Query, StoredDocument } from '../ports/readModels.js';
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
  const pending = source.items === 'failed' ? 'failed' : updatesOnly ? 'update' : { in: ['update', 'delete'] };
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
  const query = queryOf(push.workspaceId, source, options.updatesOnly);
  const placeOf = (row: ItemRow): readonly (string | number)[] =>
    source.items === 'all' ? [row.id] : [Number(row.keys.contentRevision), row.id];
  const rows: ItemRow[] = [];
  let after: readonly (string | number)[] | undefined = source.items === 'owed' ? undefined : source.after;
  let chars = 0;
  for (;;) {
    const page: ItemRow[] = await push.read.find(catalogItems, { ...query, ...(after && { after }), limit: PAGE });
    for (const row of page) {
      if (rows.length >= options.most || chars >= GROUP_CHARS) return { rows, rest: restOf(source, after) };
      after = placeOf(row);
      const wanted = source.items === 'owed' || row.body.active;
      if (!wanted || busy.has(row.body.retailerId)) continue;
      rows.push(row);
      chars += row.json.length;
    }
    if (page.length < PAGE) return { rows, rest: undefined };
  }
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

/** What to tell the provider of each. */
export async function requestsOf(push: Push, rows: readonly ItemRow[]): Promise<CatalogRequest[]> {
  const brand = await push.storeName(push.workspaceId);
  return rows.map(
    (row): CatalogRequest =>
      isRemoval(row)
        ? { method: 'delete', retailerId: row.body.retailerId }
        : {
            method: 'update',
            item: itemOf(row.body, brand, push.productLink(push.workspaceId, row.body.productExternalId)),
          },
  );
}

function itemOf(body: CatalogItemBody, brand: string, link: string): CatalogItem {
  const { retailerId, groupId, name, description, imageUrls, color, size, stock } = body;
  const { priceCents, salePriceCents, saleStartsAt, saleEndsAt } = body;
  return {
    retailerId,
    ...(groupId !== undefined && { groupId }),
    title: name,
    description,
    availability: stock === 0 ? 'out_of_stock' : body.availability,
    priceCents,
    ...(salePriceCents !== undefined && { salePriceCents }),
    ...(saleStartsAt !== undefined && { saleStartsAt }),
    ...(saleEndsAt !== undefined && { saleEndsAt }),
    link,
    imageUrls,
    brand,
    ...(color !== undefined && { color }),
    ...(size !== undefined && { size }),
  };
}
