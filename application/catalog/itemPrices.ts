/** What the channel catalog shows as an item's price: the store's, with its own sale, or a flash sale of this moment. */
import { defined } from '../../domain/defined.js';
import { flashPrice, openFlashSales } from '../../domain/pricing/flashSales.js';
import { priceNow } from '../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../domain/pricing/promotions.js';
import type { CatalogItemBody } from '../../projections/catalogItems.js';
import type { CatalogItem } from '../ports/catalogProvider.js';

export type ShownPrice = Pick<CatalogItem, 'priceCents' | 'salePriceCents' | 'saleStartsAt' | 'saleEndsAt'> & {
  /** When the item's own sale begins or ends under a flash sale, in ms: it is to be priced again then. */
  readonly again?: number;
};

/** The provider counts in whole minutes. */
const MINUTE_MS = 60_000;

/** The sales of the store that everybody who sees the catalog has; the others need a cart. */
export const catalogSales = (promotions: readonly PricingPromotion[], now: number): readonly PricingPromotion[] =>
  openFlashSales(promotions, 0, now);

/**
 * A flash sale's price is that of `now` (ms), and the sale price until it changes: each start and end is told on time by a
 * push. Its end is told too, a minute late at most, so that it ends also while nothing can be pushed.
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

/** When the item's own sale begins or ends next. */
function ownEdge({ salePriceCents, saleStartsAt, saleEndsAt }: CatalogItemBody, now: number): number | undefined {
  if (salePriceCents === undefined) return undefined;
  const edges = [saleStartsAt, saleEndsAt].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  const next = edges.filter((edge) => edge > now);
  return next.length === 0 ? undefined : Math.min(...next);
}
