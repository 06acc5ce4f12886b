/** `GET /{catalog}/products`: items with the state of their review, in pages. */
import type { ReviewedItem, SandboxCatalogs } from './catalogs.js';
import { GraphError } from './graphError.js';

const DEFAULT_PAGE = 25;
const MOST_PAGE = 200;

type Query = Readonly<Record<string, string | undefined>>;

function filteredIds(filter: string | undefined): readonly string[] | undefined {
  if (filter === undefined) return undefined;
  try {
    const ids = (JSON.parse(filter) as { retailer_id?: { is_any?: unknown } }).retailer_id?.is_any;
    if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return ids;
  } catch {
    // As a filter of another shape.
  }
  throw new GraphError(100, 'filter must be {"retailer_id":{"is_any":[…]}}');
}

const product = ({ retailerId, data, review, reasons }: ReviewedItem): Record<string, unknown> => ({
  id: `p-${retailerId}`,
  retailer_id: retailerId,
  review_status: review.toLowerCase(),
  review_rejection_reasons: reasons,
  capability_to_review_status: [{ key: 'WHATSAPP', value: review }],
  errors: [],
  name: data.title,
  price: data.price,
  availability: data.availability,
});

export function reviewPage(catalogs: SandboxCatalogs, catalogId: string, query: Query): object {
  const ids = filteredIds(query.filter);
  const start = query.after === undefined ? 0 : Number(Buffer.from(query.after, 'base64url').toString());
  const size = Math.min(Number(query.limit ?? DEFAULT_PAGE), MOST_PAGE);
  if (!Number.isSafeInteger(start) || start < 0 || !(size >= 1)) throw new GraphError(100, 'after or limit is wrong');
  const all = ids?.map((id) => catalogs.item(catalogId, id)) ?? [...catalogs.items(catalogId)];
  const found = all.filter((item) => item !== undefined);
  const names = query.fields?.split(',') ?? ['id', 'retailer_id'];
  const data = found.slice(start, start + size).map((item) => {
    const whole = product(item);
    return Object.fromEntries(names.filter((name) => Object.hasOwn(whole, name)).map((name) => [name, whole[name]]));
  });
  const end = start + data.length;
  const after = Buffer.from(String(end)).toString('base64url');
  // The address of the next page is another host's on purpose: nobody may follow it with a token.
  const next = end < found.length ? { next: 'https://graph.invalid/next' } : {};
  return { data, paging: { cursors: { before: '', after }, ...next } };
}
