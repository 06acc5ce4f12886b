/**
 * A promotion for pricing: terms, window, scope, and whether this customer may use it. `promotionsFor` creates these for one customer at
 * one time, and pricing depends on nothing else. Money in cents, times in ms since 1970. (Specification 1, 'Promotion';
 * docs/concepts/pricing.md.)
 */
export type PromotionKind = 'flash_sale' | 'number_list' | 'coupon';

/**
 * Eligibility of a customer. `not_listed`: not on its number list. `no_code`: its code was not entered. `customer_limit`, `limit`:
 * `maxPerCustomer` or `maxRedemptions` is reached (uses of the same order do not count). A flash sale is always `may`.
 */
export type Eligibility = 'may' | 'not_listed' | 'no_code' | 'customer_limit' | 'limit';

/** Build the sets once per revision of the promotion, not once per cart: they are queried for each line of each cart. */
export type PromotionScope =
  | { readonly of: 'all' }
  | { readonly of: 'products'; readonly productExternalIds: ReadonlySet<string> }
  | { readonly of: 'categories'; readonly categoryExternalIds: ReadonlySet<string> }
  /** Lines that had a discount when the order was placed. */
  | { readonly of: 'lines'; readonly retailerIds: ReadonlySet<string> };

/** Whole percent 1-100, or whole cents from 1: per unit for a flash sale, otherwise once off the lines in scope. */
export type Terms = { readonly percentOff: number } | { readonly amountOffCents: number };

export interface PricingPromotion {
  readonly promotionId: string;
  readonly kind: PromotionKind;
  /** Shown to the store in `discountReason`. */
  readonly name: string;
  /** Code of a coupon as the store wrote it. */
  readonly code?: string;
  readonly terms: Terms;
  readonly scope: PromotionScope;
  /** True if the store has switched it on. */
  readonly active: boolean;
  /** Open from this time (included). Absent: no start. */
  readonly startsAt?: number;
  /** Open until this time (excluded). Absent: no end. */
  readonly endsAt?: number;
  /** Minimum cart subtotal. */
  readonly minSubtotalCents?: number;
  /** Can be combined with other combinable ones. */
  readonly combinable: boolean;
  readonly eligibility: Eligibility;
  /** True if the order was placed with it. */
  readonly placedWith?: boolean;
}

/** Query for `promotionsFor`: the store's open promotions for this customer, and the coupon that was entered. */
export interface PromotionsQuery {
  readonly workspaceId: string;
  /** '+' and digits. '' if the channel does not provide it: then the customer is on no list. */
  readonly customerPhone: string;
  /** As the customer wrote it. Case and surrounding blanks are ignored. */
  readonly couponCode?: string;
  /** Order whose own reserved uses do not count against it. */
  readonly orderId: string;
  readonly now: number;
}

/**
 * Returns the promotions that can affect this order: all open flash sales and number lists, and the coupon with the entered code. The
 * coupon is included even if it is not open, so that the customer can be given the reason.
 */
export type PromotionsFor = (query: PromotionsQuery) => Promise<readonly PricingPromotion[]>;

/** Fields of an item or an order's line that a scope depends on. */
export interface Scoped {
  readonly productExternalId: string;
  /** The product's category when it was priced. */
  readonly categoryExternalId?: string;
  readonly retailerId: string;
}

export function inScope(scope: PromotionScope, item: Scoped): boolean {
  switch (scope.of) {
    case 'all':
      return true;
    case 'products':
      return scope.productExternalIds.has(item.productExternalId);
    case 'categories':
      return item.categoryExternalId !== undefined && scope.categoryExternalIds.has(item.categoryExternalId);
    case 'lines':
      return scope.retailerIds.has(item.retailerId);
  }
}

/**
 * Returns a function that finds the indexes of the items in a scope, ascending. Lookups that many scopes need for the same items are made
 * once.
 */
export function linesWithin(items: readonly Scoped[]): (scope: PromotionScope) => readonly number[] {
  const all = items.map((_, line) => line);
  const categories = [...new Set(items.map(({ categoryExternalId }) => categoryExternalId))];
  const categoryOf = items.map(({ categoryExternalId }) => categories.indexOf(categoryExternalId));
  return (scope) => {
    if (scope.of === 'all') return all;
    if (scope.of !== 'categories') return all.filter((line) => inScope(scope, items[line]!));
    const within = categories.map((id) => id !== undefined && scope.categoryExternalIds.has(id));
    return all.filter((line) => within[categoryOf[line]!]);
  };
}

/** Reason why a promotion does not apply. Lines outside its scope are handled separately. */
export type WhyNotUsed = Exclude<Eligibility, 'may'> | 'inactive' | 'not_yet' | 'ended' | 'min_subtotal';

/**
 * Returns undefined if the promotion applies at `now` to a cart with this subtotal. Open means active and inside its window (start
 * included, end excluded). Reasons that the customer cannot change come first. (Specification 1, 'States': Promotion.)
 */
export function whyNotUsed(
  { active, startsAt, endsAt, eligibility, minSubtotalCents }: PricingPromotion,
  subtotalCents: number,
  now: number,
): WhyNotUsed | undefined {
  if (!active) return 'inactive';
  if (startsAt !== undefined && now < startsAt) return 'not_yet';
  if (endsAt !== undefined && now >= endsAt) return 'ended';
  if (eligibility !== 'may') return eligibility;
  return minSubtotalCents !== undefined && subtotalCents < minSubtotalCents ? 'min_subtotal' : undefined;
}
