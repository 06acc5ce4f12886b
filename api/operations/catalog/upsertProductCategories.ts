import { catalog } from '../../../domain/catalog/catalog.js';
import { putCategories } from '../../../domain/catalog/putCategories.js';
import { operation } from '../../contract/operation.js';
import { categoriesJson } from './categoriesJson.js';
import { idsDiffer } from './rules.js';
import { CategoriesBody, CategoriesInputBody } from './schemas.js';

/** (Specification 1, 'Endpoints', 'Categories'.) */
export const upsertProductCategories = operation({
  id: 'upsertProductCategories',
  route: 'PUT {C}/categories',
  summary: 'Creates or renames categories and sets their order.',
  tag: 'Categories',
  scope: 'commerce:manage',
  feature: 'commerce.catalog',
  body: CategoriesInputBody,
  rules: [idsDiffer('category', 'categories')],
  answers: { 200: CategoriesBody },
  idempotent: true,
  async handle({ workspace: { workspaceId }, body, commands, read }) {
    await commands.decide(catalog, workspaceId, putCategories(body.categories));
    return { status: 200, body: await categoriesJson(read, workspaceId) };
  },
});
