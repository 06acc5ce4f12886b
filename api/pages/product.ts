/** A product as customers see it behind the link in the channel's catalog. Everything a store wrote is escaped. */

import { money } from '../../application/texts/localeFormats.js';
import { text } from '../../application/texts/texts.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { assets } from './assets.js';
import { escaped } from './escaped.js';

/** Current price of one of the product's items, in cents. */
export interface ShownItem {
  readonly size?: string;
  readonly color?: string;
  readonly priceCents: number;
  /** The store's price when `priceCents` is a sale's. */
  readonly usualCents?: number;
  readonly available: boolean;
}

export interface ShownProduct {
  readonly name: string;
  readonly description: string;
  /** https only. */
  readonly imageUrls: readonly string[];
  readonly storeName: string;
  readonly locale: Locale;
  /** The whole address of this page. */
  readonly url: string;
  /** One at least; each with its size and colour when the product has variants. */
  readonly items: readonly ShownItem[];
}

/** The style's address begins at the page's own, which a proxy may serve below a path. */
function frame(locale: Locale, title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="${locale}"${locale === 'ar' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${head}<link rel="stylesheet" href="../..${assets().path}/product.css">
</head>
<body>
${body}
</body>
</html>
`;
}

/** Returns the tags that link previews in a chat read. */
function previewTags({ name, description, imageUrls, storeName, url }: ShownProduct): string {
  const tags: readonly (readonly [string, string | undefined])[] = [
    ['og:type', 'product'],
    ['og:title', name],
    ['og:site_name', storeName],
    ['og:url', url],
    ['og:image', imageUrls[0] && new URL(imageUrls[0], url).href],
    ['og:description', description.slice(0, 300) || undefined],
  ];
  return tags
    .filter(([, content]) => content !== undefined)
    .map(([property, content]) => `<meta property="${property}" content="${escaped(content!)}">\n`)
    .join('');
}

/**
 * Returns the price as HTML. `<bdi>` keeps the amount whole in right-to-left text. The words are constants and need no
 * escaping, so they may contain the tag.
 */
function priceTag(locale: Locale, { priceCents, usualCents }: ShownItem, from: boolean): string {
  const now = `<bdi>${money(locale, priceCents)}</bdi>`;
  const usual =
    usualCents === undefined
      ? ''
      : ` <s><span class="unseen">${text(locale, 'productPage.instead')} </span><bdi>${money(locale, usualCents)}</bdi></s>`;
  return `<span class="${usual === '' ? 'price' : 'price sale'}">${from ? text(locale, 'productPage.from', { price: now }) : now}</span>${usual}`;
}

const stockTag = (locale: Locale, available: boolean): string =>
  `<span class="${available ? 'stock' : 'stock out'}">${text(locale, available ? 'productPage.available' : 'productPage.soldOut')}</span>`;

/** The columns that any variant fills; none for a product without variants. */
function variantTable(locale: Locale, items: readonly ShownItem[]): string {
  const sizes = items.some(({ size }) => size !== undefined);
  const colors = items.some(({ color }) => color !== undefined);
  if (!sizes && !colors) return '';
  const head = [
    ...(sizes ? [text(locale, 'productPage.size')] : []),
    ...(colors ? [text(locale, 'productPage.color')] : []),
    text(locale, 'productPage.price'),
    '',
  ];
  const rows = items.map((item) => {
    const own = [...(sizes ? [item.size ?? ''] : []), ...(colors ? [item.color ?? ''] : [])];
    const cells = own.map((cell) => `<td dir="auto">${escaped(cell)}</td>`).join('');
    return `<tr>${cells}<td>${priceTag(locale, item, false)}</td><td>${stockTag(locale, item.available)}</td></tr>`;
  });
  const headings = head.map((heading) => `<th scope="col">${heading}</th>`).join('');
  return `<table><thead><tr>${headings}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function gallery(imageUrls: readonly string[], name: string): string {
  const [main = '', ...others] = imageUrls.map(escaped);
  const small = others.map((url) => `<img src="${url}" alt="" loading="lazy">`).join('');
  return `<div class="images"><img class="main" src="${main}" alt="${escaped(name)}">${small === '' ? '' : `<div class="others">${small}</div>`}</div>`;
}

/** The page of a product that is for sale, as HTML. */
export function productPage(product: ShownProduct): string {
  const { name, description, imageUrls, storeName, locale, items } = product;
  const available = items.some((item) => item.available);
  const offered = items.filter((item) => item.available || !available);
  const prices = offered.map(({ priceCents }) => priceCents);
  const cheapest = offered.find(({ priceCents }) => priceCents === Math.min(...prices))!;
  const varied = new Set(prices).size > 1;
  return frame(
    locale,
    `${name} · ${storeName}`,
    previewTags(product),
    `<main>
${gallery(imageUrls, name)}
<div class="about">
<p class="store" dir="auto">${escaped(storeName)}</p>
<h1 dir="auto">${escaped(name)}</h1>
<p class="offer">${priceTag(locale, cheapest, varied)} ${stockTag(locale, available)}</p>
${description === '' ? '' : `<p class="description" dir="auto">${escaped(description)}</p>`}
${variantTable(locale, items)}
${available ? `<p class="hint">${text(locale, 'productPage.order')}</p>` : ''}
</div>
</main>`,
  );
}

/** The page for a link that leads to nothing, or to nothing any more. */
export const productGonePage = (): string =>
  frame(
    'en',
    'Not available',
    '<meta name="robots" content="noindex">\n',
    `<main class="gone">
<h1>This product is not available</h1>
<p>The link may be wrong, or the store no longer sells it. The chat with the store shows its current products.</p>
</main>`,
  );
