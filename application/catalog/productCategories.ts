/** Products in the form of the API: stored text with the category added, since names of categories change. */

import type { StoredDocument } from '../../engine/ports/documents.js';
import type { Reads } from '../../engine/projections/reads.js';
import { categories, categoryId } from '../../projections/categories.js';

/** Returns `CategoryRefBody` as JSON text by external id, for the categories of these rows. */
export async function categoryRefs(
  reads: Pick<Reads, 'getMany'>,
  workspaceId: string,
  rows: readonly StoredDocument[],
): Promise<Map<string, string>> {
  const used = new Set(rows.map(({ keys }) => keys.categoryExternalId).filter((id) => typeof id === 'string'));
  if (used.size === 0) return new Map();
  const found = await reads.getMany(
    categories,
    [...used].map((id) => categoryId(workspaceId, id)),
  );
  return new Map(
    [...found.values()].map(({ body: { externalId, name } }) => [externalId, JSON.stringify({ externalId, name })]),
  );
}

/** Returns the stored text with the category added in front. */
export function withCategory({ keys, json }: StoredDocument, refs: ReadonlyMap<string, string>): string {
  const ref = typeof keys.categoryExternalId === 'string' ? refs.get(keys.categoryExternalId) : undefined;
  return ref === undefined ? json : `{"category":${ref},${json.slice(1)}`;
}
