/**
 * A promotion as pricing sees it: terms, window, scope, and how this customer stands to it. Whoever keeps promotions makes
 * these for one customer at one moment (`promotionsFor`); pricing decides from them alone. Money in cents, times in ms
 * since 1970. (Specification 1, 'Promotion'; docs/concepts/pricing.md.)
 */
export type PromotionKind = 'flash_sale' | 'number_list' | 'coupon';

/**
 * How a customer stands to a promotion. `not_listed`: not on its number list. `no_code`: its code was not entered.
 * `customer_limit`, `limit`: `maxPerCustomer` or `maxRedemptions` is reached (the uses of the order itself do not count).
 * A flash sale is always `may`.
 */
export type Standing = 'may' | 'not_listed' | 'no_code' | 'customer_limit' | 'limit';

/** The sets are asked for each line of each cart: build them once a revision of the promotion, not once a cart. */
export type PromotionScope =
  | { readonly of: 'all' }
  | { readonly of: 'products'; readonly productExternalIds: ReadonlySet<string> }
  | { readonly of: 'categories'; readonly categoryExternalIds: ReadonlySet<string> }
  /** The lines that an order was placed with a discount on. */
  | { readonly of: 'lines'; readonly retailerIds: ReadonlySet<string> };

/** Whole percent 1-100, or whole cents from 1: per unit for a flash sale, once off the lines in scope otherwise. */
export type Terms = { readonly percentOff: number } | { readonly amountOffCents: number };

export interface PricingPromotion {
  readonly promotionId: string;
  readonly kind: PromotionKind;
  /** Shown to the store in `discountReason`. */
  readonly name: string;
  /** Coupons: as the store wrote it. */
  readonly code?: string;
  readonly terms: Terms;
  readonly scope: PromotionScope;
  /** Whether the store has it switched on. */
  readonly active: boolean;
  /** Open from this moment (included); from the beginning when absent. */
  readonly startsAt?: number;
  /** Open until this moment (not included); for ever when absent. */
  readonly endsAt?: number;
  /** Applies only from this cart subtotal on. */
  readonly minSubtotalCents?: number;
  /** Adds to other combinable ones. */
  readonly combinable: boolean;
  readonly standing: Standing;
  /** The order was placed with it. */
  readonly placedWith?: boolean;
}

/** What `promotionsFor` is asked: the store's open promotions for this customer, and the coupon that was entered. */
export interface PromotionsQuery {
  readonly workspaceId: string;
  /** '+' and digits; '' when the channel does not tell it: then on no list. */
  readonly customerPhone: string;
  /** As the customer wrote it; compared without case and surrounding blanks. */
  readonly couponCode?: string;
  /** Uses that this order has reserved before do not count against it. */
  readonly orderId: string;
  readonly now: number;
}

/**
 * The promotions that can matter to this order: all open flash sales and number lists, and the coupon of the code that was
 * entered also when it is not open any more, so that the customer can be told why. Others may be left out.
 */
export type PromotionsFor = (query: PromotionsQuery) => Promise<readonly PricingPromotion[]>;

/** What a scope looks at of an item or an order's line. */
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

/** Finds the indexes of the items in a scope, ascending. What many scopes ask of the same items is looked up once. */
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

/** Why a promotion does not apply; lines outside its scope are another matter. */
export type WhyNotUsed = Exclude<Standing, 'may'> | 'inactive' | 'not_yet' | 'ended' | 'min_subtotal';

/**
 * Undefined when it applies, at `now`, to a cart of this subtotal: open means active and inside its window, the start
 * included, the end not. What the customer cannot change comes first. (Specification 1, 'States': Promotion.)
 */
export function whyNotUsed(
  { active, startsAt, endsAt, standing, minSubtotalCents }: PricingPromotion,
  subtotalCents: number,
  now: number,
): WhyNotUsed | undefined {
  if (!active) return 'inactive';
  if (startsAt !== undefined && now < startsAt) return 'not_yet';
  if (endsAt !== undefined && now >= endsAt) return 'ended';
  if (standing !== 'may') return standing;
  return minSubtotalCents !== undefined && subtotalCents < minSubtotalCents ? 'min_subtotal' : undefined;
}
