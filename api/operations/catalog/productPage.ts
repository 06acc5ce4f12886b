/** The page behind each item's link in the channel's catalog: public, of products that are for sale. */

import { promotionsForPricing } from '../../../application/promotions/promotionsForPricing.js';
import { defined } from '../../../domain/defined.js';
import { flashPrice, openFlashSales } from '../../../domain/pricing/flashSales.js';
import { priceNow, type SellableItem } from '../../../domain/pricing/pricing.js';
import type { PricingPromotion } from '../../../domain/pricing/promotions.js';
import { isClosedStore } from '../../../domain/stores/store.js';
import { type ProductBody, productId, products } from '../../../projections/products.js';
import type { Services } from '../../contract/services.js';
import type { PageAnswer, PageRoute } from '../../pages/pageRoute.js';
import { shownImage } from '../../pages/pictures/demoPictures.js';
import { productGonePage, productPage, type ShownItem } from '../../pages/product.js';

/** Short: prices and stock change, and a sale begins and ends by the clock. */
const CACHED = 'public, max-age=60';
/** This page is public: a malformed store id is refused without a lookup, and not cached as unknown. */
const WORKSPACE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The product's items with its defaults applied, as pricing sees them: what is shown is what an order would cost. */
function itemsOf({ variants, ...product }: ProductBody, category: string | undefined): SellableItem[] {
  const shared = {
    ...product,
    productExternalId: product.externalId,
    ...defined({ categoryExternalId: category }),
  };
  if (variants.length === 0) return [{ ...shared, retailerId: product.externalId }];
  return variants.map((variant) => ({ ...shared, ...variant, retailerId: variant.externalId }));
}

function shownItem(item: SellableItem, sales: readonly PricingPromotion[], now: number): ShownItem {
  const priceCents = flashPrice(item, priceNow(item, now), sales).unitPriceCents;
  return {
    ...defined({ size: item.size, color: item.color }),
    priceCents,
    ...(priceCents < item.priceCents ? { usualCents: item.priceCents } : {}),
    available: item.availability === 'in_stock' && item.stock !== 0,
  };
}

/** Path from the page to the root of the service. */
const ROOT = '../..';

const gone = (): PageAnswer => ({ status: 404, text: productGonePage(), cacheControl: CACHED });

/** `GET /p/{workspaceId}/{externalId}`, without a credential. 404: no such product, not for sale, or its store is closed. */
export const productPageRoute = (
  { reads, directory, clock }: Pick<Services, 'reads' | 'directory' | 'clock'>,
  publicUrl: () => string,
  forPricing = promotionsForPricing(reads),
): PageRoute => ({
  id: 'productPage',
  path: '/p/{workspaceId}/{externalId}',
  loads: { images: "'self' https:" },
  async answer({ workspaceId = '', externalId = '' }) {
    if (!WORKSPACE_ID.test(workspaceId)) return gone();
    const store = await directory.workspace(workspaceId);
    if (store === undefined || isClosedStore(store)) return gone();
    const row = await reads.get(products, productId(workspaceId, externalId));
    if (!row?.body.active) return gone();
    const product = row.body;
    const category = row.keys.categoryExternalId;
    const now = clock.now();
    const sales = openFlashSales(await forPricing.flashSales(workspaceId, now), 0, now);
    const text = productPage({
      name: product.name,
      description: product.description,
      imageUrls: product.imageUrls.map((url) => shownImage(url, ROOT)),
      storeName: store.name,
      locale: store.locale,
      url: `${publicUrl()}/p/${workspaceId}/${encodeURIComponent(externalId)}`,
      items: itemsOf(product, typeof category === 'string' ? category : undefined).map((item) =>
        shownItem(item, sales, now),
      ),
    });
    return { status: 200, text, cacheControl: CACHED };
  },
});
