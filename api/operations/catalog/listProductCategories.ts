import { operation } from '../../contract/operation.js';
import { categoriesJson } from './categoriesJson.js';
import { CategoriesBody } from './schemas.js';

/** (Specification 1, 'Endpoints', 'Categories'.) */
export const listProductCategories = operation({
  id: 'listProductCategories',
  route: 'GET {C}/categories',
  summary: 'Categories of the store in display order.',
  tag: 'Categories',
  scope: 'commerce:manage',
  feature: 'commerce.catalog',
  answers: { 200: CategoriesBody },
  handle: async ({ workspace, read }) => ({ status: 200, body: await categoriesJson(read, workspace.workspaceId) }),
});
