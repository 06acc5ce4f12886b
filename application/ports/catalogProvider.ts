/** The channel's product catalog at its provider. (shared reference: 'Product catalog'.) */

/** An item in the provider's catalog. Money in whole cents, times RFC 3339. */
export interface CatalogItem {
  readonly retailerId: string;
  /** Groups a product's variants; absent for a product without variants. */
  readonly groupId?: string;
  readonly title: string;
  readonly description: string;
  readonly availability: 'in_stock' | 'out_of_stock';
  readonly priceCents: number;
  readonly salePriceCents?: number;
  readonly saleStartsAt?: string;
  readonly saleEndsAt?: string;
  readonly link: string;
  readonly imageUrls: readonly string[];
  readonly brand: string;
  readonly color?: string;
  readonly size?: string;
}

export type CatalogRequest =
  | { readonly method: 'update'; readonly item: CatalogItem }
  | { readonly method: 'delete'; readonly retailerId: string };

export interface ItemProblem {
  readonly retailerId: string;
  readonly message: string;
}

export interface ItemReview {
  readonly retailerId: string;
  /** approved: visible to customers on the channel. outdated: under review again after a change. */
  readonly status: 'pending' | 'approved' | 'rejected' | 'outdated';
  readonly reasons: readonly string[];
}

export interface ItemState extends ItemReview {
  /** True if the provider shows another title, price or availability than the item has. */
  readonly edited: boolean;
}

/** Each call is bounded in time by the adapter and throws `ProviderError`. */
export interface CatalogProvider {
  /** At most 3,000 requests. No handle: nothing was accepted. */
  submit(
    catalogId: string,
    requests: readonly CatalogRequest[],
    signal?: AbortSignal,
  ): Promise<{ handle?: string; problems: readonly ItemProblem[] }>;
  /** `problems`: items that were not saved although the batch finished. */
  batchStatus(
    catalogId: string,
    handle: string,
    signal?: AbortSignal,
  ): Promise<{ finished: boolean; problems: readonly ItemProblem[] }>;
  /** Items that the provider does not know are left out. At most 200 ids. */
  reviews(catalogId: string, retailerIds: readonly string[], signal?: AbortSignal): Promise<readonly ItemReview[]>;
  /** Same as `reviews`, with edits at the provider. `items`: as they were pushed. At most 200. */
  itemStates(catalogId: string, items: readonly CatalogItem[], signal?: AbortSignal): Promise<readonly ItemState[]>;
}

/** `retry`: the same call may succeed later (after `retryAfterMs`, if given). Otherwise a person must change something. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** The provider's own code, or 'unreachable', 'timeout', 'bad_answer'. */
  readonly code: string;
  readonly retry: boolean;
  readonly retryAfterMs: number | undefined;
  constructor(code: string, message: string, retry: boolean, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retry = retry;
    this.retryAfterMs = retryAfterMs;
  }
}
