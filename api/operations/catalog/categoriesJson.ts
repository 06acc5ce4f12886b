import { MAX_CATEGORIES } from '../../../domain/catalog/putCategories.js';
import { categories } from '../../../projections/categories.js';
import { type Json, listJson, type RequestReads } from '../../contract/operation.js';

/** All categories of a store in display order, as `CategoriesBody`: a store has few enough for one answer. */
export async function categoriesJson(read: RequestReads, workspaceId: string): Promise<Json> {
  const rows = await read.find(categories, { where: { workspaceId }, sort: ['position'], limit: MAX_CATEGORIES });
  return listJson('categories', { rows });
}
