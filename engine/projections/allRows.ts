import { defined } from '../../domain/defined.js';
import type { Query, Scalar, StoredDocument } from '../ports/documents.js';
import type { Readable, Reads } from './reads.js';

const PAGE = 500;

/**
 * Every document of a query, for lists that the specification does not page. Read in parts, so that a long list lets
 * other requests through. `most`: where it ends in any case.
 */
export async function allRows<B>(
  read: Pick<Reads, 'find'>,
  projection: Readable<B>,
  query: Required<Pick<Query, 'where' | 'sort'>>,
  most: number,
): Promise<StoredDocument<B>[]> {
  const rows: StoredDocument<B>[] = [];
  let after: readonly Scalar[] | undefined;
  while (rows.length < most) {
    const limit = Math.min(PAGE, most - rows.length);
    const page = await read.find(projection, { ...query, ...defined({ after }), limit });
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) break;
    after = [...query.sort.map((key) => last.keys[key.replace(/^-/, '')] ?? null), last.id];
  }
  return rows;
}
