/** All documents of a query, read in pages so that a long list does not block other requests. */
import { defined } from '../../domain/defined.js';
import { placeOf, type Query, type Scalar, type StoredDocument } from '../ports/documents.js';
import type { Readable, Reads } from './reads.js';

const PAGE = 500;

type RowQuery = Omit<Query, 'limit' | 'after'>;

async function* parts<B>(
  read: Pick<Reads, 'find'>,
  projection: Readable<B>,
  query: RowQuery,
  most: number,
): AsyncGenerator<readonly StoredDocument<B>[]> {
  let after: readonly Scalar[] | undefined;
  for (let left = most; left > 0; ) {
    const limit = Math.min(PAGE, left);
    const part = await read.find(projection, { ...query, ...defined({ after }), limit });
    yield part;
    const last = part.at(-1);
    if (last === undefined || part.length < limit) return;
    after = placeOf(query.sort ?? [], last);
    left -= part.length;
  }
}

/** Returns all documents, for lists that the specification does not page. `most`: maximum number. */
export async function allRows<B>(
  read: Pick<Reads, 'find'>,
  projection: Readable<B>,
  query: Required<Pick<Query, 'where' | 'sort'>>,
  most: number,
): Promise<StoredDocument<B>[]> {
  const rows: StoredDocument<B>[] = [];
  for await (const part of parts(read, projection, query, most)) rows.push(...part);
  return rows;
}

/** Yields the documents one after another. One page is in memory at a time. */
export async function* eachRow<B>(
  read: Pick<Reads, 'find'>,
  projection: Readable<B>,
  query: RowQuery,
): AsyncGenerator<StoredDocument<B>> {
  for await (const part of parts(read, projection, query, Number.POSITIVE_INFINITY)) yield* part;
}
