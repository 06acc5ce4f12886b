/** What working documents of several areas have in common. */
import type { CollectionDefinition, Documents, NewDocument, StoredDocument } from './ports/documents.js';

/** A collection that is found by id alone, and whose documents go once their key `expiresAt` (ms since 1970) has passed. */
export const expiringCollection = (name: string): CollectionDefinition => ({
  name,
  keys: { expiresAt: 'number' },
  indexes: [{ keys: ['expiresAt'] }],
  expiresAt: 'expiresAt',
});

/**
 * Writes a document as it follows from what was read of it, if nobody has written it meanwhile. False: somebody has; then it is
 * to be read again. `before`: undefined where none was found.
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

/** All documents of a collection in the order of their ids, a page at a time: no page is empty. */
export async function* pagesOf(store: Pick<Documents, 'find'>, collection: string): AsyncGenerator<StoredDocument[]> {
  for (let after: string | undefined; ; ) {
    const page = await store.find(collection, { limit: PAGE, ...(after === undefined ? {} : { after: [after] }) });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}
