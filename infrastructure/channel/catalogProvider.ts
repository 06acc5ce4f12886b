import {
  type CatalogItem,
  type CatalogProvider,
  type ItemProblem,
  type ItemReview,
  ProviderError,
} from '../../application/ports/catalogProvider.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { itemData, requestData } from './catalogFormat.js';
import { cut } from './cleanText.js';
import { createProviderHttp, type ProviderOptions, part } from './providerHttp.js';
import { pagesOf } from './providerPages.js';

const MOST_REQUESTS = 3_000;
const MOST_BYTES = 28 * 1024 * 1024;
/** Encoded ids in one address; servers take about 8 KB of it. */
const MOST_FILTER = 4_000;
const PAGE = 200;
const MOST_PAGES = 20;
const MESSAGE = 400;
const FIELDS = 'id,retailer_id,review_status,review_rejection_reasons,capability_to_review_status,errors';

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? cut(value, MESSAGE) : undefined;

function problem(retailerId: unknown, errors: readonly unknown[]): ItemProblem[] {
  if (typeof retailerId !== 'string' || errors.length === 0) return [];
  const messages = errors.map((error) => words(record(error)?.message)).filter((message) => message !== undefined);
  return [{ retailerId, message: cut(messages.join(' '), MESSAGE) || 'The provider refused the item.' }];
}

/** Errors of `check_batch_request_status`, and ids that it names without a reason. */
function batchProblems(batch: JsonObject): ItemProblem[] {
  const named = list(batch.errors).flatMap((error) => problem(record(error)?.id, [error]));
  const known = new Set(named.map(({ retailerId }) => retailerId));
  const others = list(batch.ids_of_invalid_requests).filter((id) => typeof id === 'string' && !known.has(id));
  return [...named, ...others.flatMap((id) => problem(id, [id]))];
}

const STATUSES: ReadonlyMap<unknown, ItemReview['status']> = new Map([
  ['APPROVED', 'approved'],
  ['REJECTED', 'rejected'],
  ['OUTDATED', 'outdated'],
]);

/**
 * Only the capability marks an item as visible on the channel. The general review status only reports that the item was rejected or is in
 * review.
 */
function reviewStatus(product: JsonObject): ItemReview['status'] {
  const capability = list(product.capability_to_review_status)
    .map(record)
    .find((entry) => entry?.key === 'WHATSAPP');
  const own = STATUSES.get(capability?.value);
  if (own !== undefined) return own;
  const general = STATUSES.get(String(product.review_status).toUpperCase());
  return general === undefined || general === 'approved' ? 'pending' : general;
}

function review(value: unknown): ItemReview[] {
  const product = record(value);
  if (product === undefined || typeof product.retailer_id !== 'string') return [];
  const status = reviewStatus(product);
  const reasons = list(product.review_rejection_reasons).map(words);
  const errors = list(product.errors).map((error) => words(record(error)?.description) ?? words(record(error)?.title));
  const reported = status === 'rejected' ? [...reasons, ...errors] : [];
  return [{ retailerId: product.retailer_id, status, reasons: reported.filter((reason) => reason !== undefined) }];
}

const cents = (value: unknown): string | undefined =>
  typeof value === 'string' ? /\d[\d,. ]*[.,]\d{2}(?!\d)/.exec(value)?.[0].replace(/\D/g, '') : undefined;

/** Only by what the provider shows in a form that can be compared: a title, an availability, a price with its cents. */
function isEdited(product: JsonObject, item: CatalogItem): boolean {
  const pushed = itemData(item);
  const price = cents(product.price);
  const isOther = (shown: unknown, own: string): boolean => typeof shown === 'string' && shown !== own;
  return (
    isOther(product.name, pushed.title) ||
    isOther(product.availability, pushed.availability) ||
    (price !== undefined && price !== cents(pushed.price))
  );
}

/** Parts whose filters fit into an address. */
function* filters(retailerIds: readonly string[]): Generator<string[]> {
  let chunk: string[] = [];
  let size = 0;
  for (const id of new Set(retailerIds)) {
    const length = encodeURIComponent(JSON.stringify(id)).length + 3;
    if (chunk.length > 0 && size + length > MOST_FILTER) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(id);
    size += length;
  }
  if (chunk.length > 0) yield chunk;
}

interface ProductsQuery {
  readonly catalogId: string;
  readonly retailerIds: readonly string[];
  readonly fields: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * The provider's catalog over its HTTP protocol. A batch beyond 28 MB is refused with code 'batch_too_large': send it
 * in halves. A handle that the provider does not know is 'unknown_handle': submit again.
 */
export function createCatalogProvider(options: ProviderOptions): CatalogProvider & { close(): Promise<void> } {
  const http = createProviderHttp(options);

  async function productsOf({ catalogId, retailerIds, fields, signal }: ProductsQuery): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const ids of filters(retailerIds)) {
      const filter = part(JSON.stringify({ retailer_id: { is_any: ids } }));
      const path = `/${part(catalogId)}/products?filter=${filter}&fields=${fields}&limit=${PAGE}`;
      for await (const page of pagesOf(http, { path, what: 'products', mostPages: MOST_PAGES, signal }))
        found.push(...page);
    }
    return found;
  }

  return {
    async submit(catalogId, requests, signal) {
      const body = `{"item_type":"PRODUCT_ITEM","allow_upsert":true,"requests":${JSON.stringify(requests.map(requestData))}}`;
      if (requests.length > MOST_REQUESTS || Buffer.byteLength(body) > MOST_BYTES)
        throw new ProviderError('batch_too_large', 'A batch holds at most 3,000 requests and 28 MB.', false);
      const answer = await http.call({ method: 'POST', path: `/${part(catalogId)}/items_batch`, body, signal });
      const handle = list(answer.handles)[0];
      const problems = list(answer.validation_status).flatMap((entry) => {
        const { retailer_id, errors } = record(entry) ?? {};
        return problem(retailer_id, list(errors));
      });
      return typeof handle === 'string' && handle !== '' ? { handle, problems } : { problems };
    },

    async batchStatus(catalogId, handle, signal) {
      const path = `/${part(catalogId)}/check_batch_request_status?handle=${part(handle)}&load_ids_of_invalid_requests=true`;
      const answer = await http.call({ method: 'GET', path, signal });
      const batch = list(answer.data)
        .map(record)
        .find((entry) => entry?.handle === handle || entry?.handle === undefined);
      if (batch === undefined)
        throw new ProviderError('unknown_handle', 'The provider does not know the batch.', false);
      if (batch.status !== 'finished') return { finished: false, problems: [] };
      return { finished: true, problems: batchProblems(batch) };
    },

    reviews: async (catalogId, retailerIds, signal) =>
      (await productsOf({ catalogId, retailerIds, fields: FIELDS, signal })).flatMap(review),

    async itemStates(catalogId, items, signal) {
      const pushed = new Map(items.map((item) => [item.retailerId, item]));
      const fields = `${FIELDS},name,price,availability`;
      const found = await productsOf({ catalogId, retailerIds: [...pushed.keys()], fields, signal });
      return found.flatMap((product) =>
        review(product).flatMap((one) => {
          const item = pushed.get(one.retailerId);
          return item === undefined ? [] : { ...one, edited: isEdited(record(product)!, item) };
        }),
      );
    },

    close: () => http.close(),
  };
}
