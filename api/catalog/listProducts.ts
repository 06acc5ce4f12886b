import type { StoredDocument } from '../../application/ports/readModels.js';
import { catalogStatus, NO_NUMBER } from '../../projections/catalogStatus.js';
import { categories, categoryId } from '../../projections/categories.js';
import { products } from '../../projections/products.js';
import { listJson, operation, type RequestReads } from '../operation.js';
import { ExternalId, PageQuery } from '../schemas.js';
import { Type } from '../type.js';
import { ProductsBody, SyncStatusFilter } from './schemas.js';

/** (Specification 1, 'Endpoints', 'Products'.) */
export const listProducts = operation({
  id: 'listProducts',
  route: 'GET {C}/products',
  summary: 'Products of the store ordered by name, with the state of its channel catalog.',
  tag: 'Products',
  scope: 'commerce:manage',
  feature: 'commerce.catalog',
  query: {
    category: Type.Optional(ExternalId),
    status: Type.Optional(SyncStatusFilter),
    ...PageQuery,
  },
  answers: { 200: ProductsBody },
  problems: ['invalid_cursor'],
  async handle({ query, workspace: { workspaceId }, read }) {
    const where = {
      workspaceId,
      ...(query.category !== undefined && { categoryExternalId: query.category }),
      ...(query.status !== undefined && { syncStatus: query.status }),
    };
    const page = await read.page(products, { where, sort: ['nameKey'] });
    const status = await read.get(catalogStatus, workspaceId);
    const refs = await categoryRefs(read, workspaceId, page.rows);
    return {
      status: 200,
      body: listJson('products', page, {
        before: `"catalog":${status?.json ?? JSON.stringify(NO_NUMBER)}`,
        row: (row) => withCategory(row, refs),
      }),
    };
  },
});

/** `CategoryRefBody` as JSON text by external id, for the categories of these rows. */
async function categoryRefs(
  read: RequestReads,
  workspaceId: string,
  rows: readonly StoredDocument[],
): Promise<Map<string, string>> {
  const used = new Set(rows.map(({ keys }) => keys.categoryExternalId).filter((id) => typeof id === 'string'));
  if (used.size === 0) return new Map();
  const found = await read.getMany(
    categories,
    [...used].map((id) => categoryId(workspaceId, id)),
  );
  return new Map(
    [...found.values()].map(({ body: { externalId, name } }) => [externalId, JSON.stringify({ externalId, name })]),
  );
}

/** The stored text with the category put in front: names of categories change, so they are not stored with products. */
function withCategory({ keys, json }: StoredDocument, refs: ReadonlyMap<string, string>): string {
  const ref = typeof keys.categoryExternalId === 'string' ? refs.get(keys.categoryExternalId) : undefined;
  return ref === undefined ? json : `{"category":${ref},${json.slice(1)}`;
}
