import { categoryRefs, withCategory } from '../../../application/catalog/productCategories.js';
import { defined } from '../../../domain/defined.js';
import { catalogStatus, NO_NUMBER } from '../../../projections/catalogStatus.js';
import { products } from '../../../projections/products.js';
import { listJson, operation } from '../../contract/operation.js';
import { ExternalId, PageQuery } from '../../contract/schemas.js';
import { Type } from '../../contract/type.js';
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
      ...defined({ categoryExternalId: query.category, syncStatus: query.status }),
    };
    const page = await read.page(products, { where, sort: ['nameKey'], keys: ['categoryExternalId'] });
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
