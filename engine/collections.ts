/** Helpers for working documents, shared by several areas. */
import type { CollectionDefinition, Documents, NewDocument, StoredDocument } from './ports/documents.js';

/** Defines a collection that is read by id alone. Documents expire at their key `expiresAt` (ms since 1970). */
export const expiringCollection = (name: string): CollectionDefinition => ({
  name,
  keys: { expiresAt: 'number' },
  indexes: [{ keys: ['expiresAt'] }],
  expiresAt: 'expiresAt',
});

/**
 * Writes a document that was derived from `before`, unless it was written meanwhile. False: it was written; read it and
 * retry. `before`: undefined if no document was found.
 */
export const compareAndSet = (
  store: Pick<Documents, 'insert' | 'replace'>,
  collection: string,
  before: Pick<StoredDocument, 'revision'> | undefined,
  next: Omit<NewDocument, 'revision'>,
): Promise<boolean> =>
  before === undefined
    ? store.insert(collection, { ...next, revision: 1 })
    : store.replace(collection, before.revision, { ...next, revision: before.revision + 1 });

const PAGE = 200;

/** Yields all documents of a collection in the order of their ids, in pages that are never empty. */
export async function* pagesOf(store: Pick<Documents, 'find'>, collection: string): AsyncGenerator<StoredDocument[]> {
  for (let after: string | undefined; ; ) {
    const page = await store.find(collection, { limit: PAGE, ...(after === undefined ? {} : { after: [after] }) });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}
