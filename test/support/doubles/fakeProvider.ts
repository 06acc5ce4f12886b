import { isDeepStrictEqual } from 'node:util';
import {
  type CatalogItem,
  type CatalogProvider,
  type CatalogRequest,
  type ItemProblem,
  type ItemReview,
  ProviderError,
} from '../../../application/ports/catalogProvider.js';

export interface Call {
  readonly catalogId: string;
  readonly requests: readonly CatalogRequest[];
  readonly handle: string;
}

/** In-memory catalog provider that fulfils the port's contract and nothing more. A test sets its behaviour. */
export interface FakeProvider extends CatalogProvider {
  /** Accepted calls. */
  readonly calls: Call[];
  /** Returns the items of a catalog, by retailer id. */
  items(catalogId: string): Map<string, CatalogItem>;
  /** Ids that were in two unfinished batches at once. */
  readonly overlaps: string[];
  /** Results instead of accepting a batch, one per call, in order. Errors are thrown, others returned. */
  readonly faults: (Error | { readonly problems: readonly ItemProblem[] })[];
  /** If true, batches finish. Otherwise they stay pending. */
  finishing: boolean;
  /** Handles that the provider has forgotten. */
  readonly forgotten: Set<string>;
  /** Returns why an item is not saved although its batch is accepted. */
  unsaved: (item: CatalogItem) => string | undefined;
  review: (item: CatalogItem) => Omit<ItemReview, 'retailerId'>;
  /** Ids in each request for reviews. */
  readonly requests: string[][];
}

const idOfItem = ({ retailerId }: CatalogItem): string => retailerId;

export function fakeProvider(): FakeProvider {
  const catalogs = new Map<string, Map<string, CatalogItem>>();
  const unfinished = new Map<string, Call>();
  const problems = new Map<string, ItemProblem[]>();
  const items = (catalogId: string): Map<string, CatalogItem> => {
    const found = catalogs.get(catalogId) ?? new Map<string, CatalogItem>();
    catalogs.set(catalogId, found);
    return found;
  };
  const idOf = (request: CatalogRequest): string =>
    request.method === 'delete' ? request.retailerId : request.item.retailerId;

  function save({ catalogId, requests, handle }: Call): void {
    const wrong: ItemProblem[] = [];
    for (const request of requests) {
      if (request.method === 'delete') items(catalogId).delete(request.retailerId);
      else {
        const message = provider.unsaved(request.item);
        if (message === undefined) items(catalogId).set(request.item.retailerId, request.item);
        else wrong.push({ retailerId: request.item.retailerId, message });
      }
    }
    problems.set(handle, wrong);
    unfinished.delete(handle);
  }

  const provider: FakeProvider = {
    calls: [],
    items,
    overlaps: [],
    faults: [],
    finishing: true,
    forgotten: new Set(),
    unsaved: () => undefined,
    review: () => ({ status: 'approved', reasons: [] }),
    requests: [],
    async submit(catalogId, requests) {
      const fault = provider.faults.shift();
      if (fault instanceof Error) throw fault;
      if (fault !== undefined) return fault;
      const ids = requests.map(idOf);
      const busy = new Set([...unfinished.values()].flatMap((call) => call.requests.map(idOf)));
      provider.overlaps.push(...ids.filter((id, i) => busy.has(id) || ids.indexOf(id) !== i));
      const call = { catalogId, requests, handle: `batch-${provider.calls.length + 1}` };
      provider.calls.push(call);
      unfinished.set(call.handle, call);
      return { handle: call.handle, problems: [] };
    },
    async batchStatus(_, handle) {
      if (provider.forgotten.has(handle)) unfinished.delete(handle);
      if (provider.forgotten.has(handle)) throw new ProviderError('unknown_handle', 'No such batch.', false);
      const call = unfinished.get(handle);
      if (call !== undefined && provider.finishing) save(call);
      return { finished: !unfinished.has(handle), problems: problems.get(handle) ?? [] };
    },
    async reviews(catalogId, retailerIds) {
      provider.requests.push([...retailerIds]);
      return retailerIds.flatMap((retailerId) => {
        const item = items(catalogId).get(retailerId);
        return item === undefined ? [] : [{ retailerId, ...provider.review(item) }];
      });
    },
    async itemStates(catalogId, pushed) {
      const found = await provider.reviews(catalogId, pushed.map(idOfItem));
      const isEdited = (item: CatalogItem): boolean => !isDeepStrictEqual(items(catalogId).get(item.retailerId), item);
      const edited = new Set(pushed.filter(isEdited).map(idOfItem));
      return found.map((one) => ({ ...one, edited: edited.has(one.retailerId) }));
    },
  };
  return provider;
}
