/** Items as the provider's catalog takes them. (shared reference: 'Product catalog'.) */

import type { CatalogItem, CatalogRequest } from '../../application/ports/catalogProvider.js';
import { fitting, wellFormed } from './cleanText.js';

const TITLE = 100;
const MINUTE_MS = 60_000;
/** Bounds for a sale that is open on one side: the provider wants both. */
const ALWAYS = '1970-01-01T00:00+0000';
const FOREVER = '2099-12-31T23:59+0000';

/** '9.99 USD' from whole cents, without a floating point number in between. */
export function price(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} USD`;
}

const minute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}+0000`;

interface Sale {
  readonly sale_price: string;
  readonly sale_price_effective_date: string;
}

/** Ends a sale that was there before. */
const NO_SALE: Sale = { sale_price: '', sale_price_effective_date: '' };

/** The provider counts in minutes: a sale is shown from the first whole one to the last, never outside its window. */
function sale({ salePriceCents, saleStartsAt, saleEndsAt }: CatalogItem): Sale {
  if (salePriceCents === undefined) return NO_SALE;
  const sale_price = price(salePriceCents);
  if (saleStartsAt === undefined && saleEndsAt === undefined) return { sale_price, sale_price_effective_date: '' };
  const from = saleStartsAt === undefined ? undefined : Math.ceil(Date.parse(saleStartsAt) / MINUTE_MS) * MINUTE_MS;
  const to = saleEndsAt === undefined ? undefined : Math.floor(Date.parse(saleEndsAt) / MINUTE_MS) * MINUTE_MS;
  if (from !== undefined && to !== undefined && from >= to) return NO_SALE;
  const starts = from === undefined ? ALWAYS : minute(from);
  const ends = to === undefined ? FOREVER : minute(to);
  return { sale_price, sale_price_effective_date: `${starts}/${ends}` };
}

/** An update changes only the fields that it names. So none may be left out: one without a value is empty, which takes it away. */
interface ItemData extends Sale {
  readonly id: string;
  readonly item_group_id: string;
  readonly title: string;
  readonly description: string;
  readonly availability: 'in stock' | 'out of stock';
  readonly condition: 'new';
  readonly price: string;
  readonly link: string;
  readonly image_link: string;
  readonly additional_image_link: readonly string[];
  readonly brand: string;
  readonly color: string;
  readonly size: string;
}

export function itemData(item: CatalogItem): ItemData {
  const title = fitting(item.title, TITLE);
  const [main = '', ...others] = item.imageUrls;
  return {
    id: item.retailerId,
    item_group_id: item.groupId ?? '',
    title,
    description: wellFormed(item.description) || title,
    availability: item.availability === 'in_stock' ? 'in stock' : 'out of stock',
    condition: 'new',
    price: price(item.priceCents),
    ...sale(item),
    link: item.link,
    image_link: main,
    additional_image_link: others,
    brand: wellFormed(item.brand),
    color: wellFormed(item.color ?? ''),
    size: wellFormed(item.size ?? ''),
  };
}

/** One entry of `requests`. */
export const requestData = (request: CatalogRequest): object =>
  request.method === 'delete'
    ? { method: 'DELETE', data: { id: request.retailerId } }
    : { method: 'UPDATE', data: itemData(request.item) };
