/** The catalog provider: processes batches with delays, refuses some, and loses answers. */
import { type CatalogItem, type CatalogProvider, ProviderError } from '../../../application/ports/catalogProvider.js';
import { fakeProvider } from '../../support/doubles/fakeProvider.js';
import type { Remote } from './remote.js';

export interface CatalogContent {
  readonly catalogId: string;
  readonly items: readonly CatalogItem[];
}

export interface Catalogs extends CatalogProvider {
  /** Returns the prices that customers see in a catalog, in cents by retailer id. */
  shown(catalogId: string): ReadonlyMap<string, number>;
  content(catalogId: string): CatalogContent;
}

const busy = (): ProviderError => new ProviderError('2', 'Service temporarily unavailable', true);
const silent = (): ProviderError => new ProviderError('timeout', 'no answer within 30 s', true);

/** `name` is the prefix of its batch names, so that earlier batches are unknown. `before` is the initial content. */
export function catalogs(remote: Remote, name: string, before: readonly CatalogContent[] = []): Catalogs {
  const retained = fakeProvider();
  for (const { catalogId, items } of before)
    for (const item of items) retained.items(catalogId).set(item.retailerId, item);
  /** Runs a call at the provider. The call may be refused, or its answer may be lost. */
  async function requested<T>(what: string, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    const before = remote.lies(0.05);
    const after = remote.lies(0.05);
    const done = await remote.request({ what, signal }, () => {
      if (before) throw busy();
      return run();
    });
    if (after) throw silent();
    return done;
  }
  return {
    shown: (catalogId) => new Map([...retained.items(catalogId)].map(([id, { priceCents }]) => [id, priceCents])),
    content: (catalogId) => ({ catalogId, items: [...retained.items(catalogId).values()] }),
    async submit(catalogId, requests, signal) {
      const { handle, ...rest } = await requested('submit', signal, () => retained.submit(catalogId, requests));
      return { ...rest, ...(handle !== undefined && { handle: `${name}.${handle}` }) };
    },
    batchStatus: (catalogId, handle, signal) =>
      requested('batch', signal, () => retained.batchStatus(catalogId, handle.slice(name.length + 1))),
    itemStates: (catalogId, items, signal) =>
      requested('standing', signal, () => retained.itemStates(catalogId, items)),
    reviews: (catalogId, ids, signal) => requested('reviews', signal, () => retained.reviews(catalogId, ids)),
  };
}
