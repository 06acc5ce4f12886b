/** Price of an item in the channel catalog: the store's price with its own sale, or the current price of a flash sale. */
import { defined } from '../../domain/defined.js';
import { flashPrice, openFlashSales } from '../../domain/pricing/flashSales.js';
import { priceNow } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import type { CatalogItemBody } from '../../projections/catalogItems.js';
import type { CatalogItem } from '../ports/catalogProvider.js';

export type ShownPrice = Pick<CatalogItem, 'priceCents' | 'salePriceCents' | 'saleStartsAt' | 'saleEndsAt'> & {
  /** Time of the next start or end of the item's own sale during a flash sale, in ms, when it must be priced again. */
  readonly again?: number;
};

/** The provider's times are in whole minutes. */
const MINUTE_MS = 60_000;

/** Sales that apply to everybody who sees the catalog. Other sales need a cart. */
export const catalogSales = (promotions: readonly PricingPromotion[], now: number): readonly PricingPromotion[] =>
  openFlashSales(promotions, 0, now);

/**
 * Returns the price at `now` (ms). A flash sale's price is sent as the sale price until it changes: each start and end has a push on time.
 * The end is sent too, rounded up to a minute, so that the sale ends even if no push is possible.
 */
export function shownPrice(body: CatalogItemBody, sales: readonly PricingPromotion[], now: number): ShownPrice {
  const { priceCents, salePriceCents, saleStartsAt, saleEndsAt } = body;
  const own = priceNow(body, now);
  const { unitPriceCents, promotionIds } = flashPrice(body, own, sales);
  if (unitPriceCents >= own)
    return {
      priceCents,
      ...defined({ salePriceCents, saleStartsAt, saleEndsAt }),
    };
  const again = ownEdge(body, now);
  const ends = sales.flatMap(({ promotionId, endsAt }) =>
    promotionIds.includes(promotionId) && endsAt !== undefined ? [endsAt] : [],
  );
  const until = Math.min(...ends, again ?? Number.POSITIVE_INFINITY);
  return {
    priceCents,
    salePriceCents: unitPriceCents,
    ...(until < Number.POSITIVE_INFINITY && { saleEndsAt: wholeMinute(until) }),
    ...defined({ again }),
  };
}

const wholeMinute = (ms: number): string => new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS).toISOString();

/** Returns the next start or end of the item's own sale. */
function ownEdge({ salePriceCents, saleStartsAt, saleEndsAt }: CatalogItemBody, now: number): number | undefined {
  if (salePriceCents === undefined) return undefined;
  const edges = [saleStartsAt, saleEndsAt].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  const next = edges.filter((edge) => edge > now);
  return next.length === 0 ? undefined : Math.min(...next);
}
