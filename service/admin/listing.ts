import type { Query, StoredDocument } from '../../engine/ports/documents.js';
import type { Readable, Reads } from '../../engine/projections/reads.js';

const PAGE = 500;
/** An operator reads a list with the eyes: what is longer is cut, and says so. */
const MOST = 10_000;

/** Every body of the query in its order, up to 10,000; `more`: the list was cut. */
export async function listAll<B>(
  reads: Reads,
  projection: Readable<B>,
  query: Omit<Query, 'limit' | 'after'>,
): Promise<{ bodies: B[]; more: boolean }> {
  const bodies: B[] = [];
  let last: StoredDocument<B> | undefined;
  while (bodies.length < MOST) {
    const sorted = (query.sort ?? []).map((key) => last?.keys[key.replace(/^-/, '')] ?? null);
    const after = last === undefined ? {} : { after: [...sorted, last.id] };
    const page: StoredDocument<B>[] = await reads.find(projection, { ...query, ...after, limit: PAGE });
    bodies.push(...page.map((row) => row.body));
    last = page.at(-1);
    if (page.length < PAGE) return { bodies, more: false };
  }
  return { bodies, more: true };
}
